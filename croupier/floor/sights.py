"""What people see of a table at one moment: what they have in common is worked out once."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.floor.hands import Hands, hands_of
from croupier.floor.messages import Hand
from croupier.table import Account, Step, Table, Viewer, view
from croupier.table.steps import Known
from croupier.table.views import StepView, TableView, every_step, near, steps_for, with_own

ANY_PLAYER = Viewer(Account("", "player"))  # without a box


class Sights:
    """The sights of one table, until it changes."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._stands_at = (-1, -1)
        self._common: TableView | None = None  # of all players
        self._steps: dict[Account | None, tuple[Step, ...]] = {}
        self._known = Known()
        self._hands: Hands = {}

    def at(self, table: Table, sequence: int, moment: int) -> Sights:
        """The sights after an entry; only a floor has clocks that change them in between."""
        stands_at = (sequence, moment // 1000 if table.attended else 0)
        if self._stands_at != stands_at or self._table is not table:
            self._table, self._stands_at = table, stands_at
            self._common, self._steps, self._hands = None, {}, {}
            self._known.move_on(table)
        return self

    def forget(self) -> None:
        """A moment came at which something changes by itself."""
        self._stands_at = (-1, -1)

    def view(self, viewer: Viewer, moment: int) -> TableView:
        """What somebody may see: of players only the own cards differ."""
        if viewer.account.role != "player":
            return view(self._table, viewer, moment)
        if self._common is None:
            self._common = view(self._table, ANY_PLAYER, moment)
        seen, current = self._common, self._table.round
        if current is None or seen.round is None or not viewer.boxes:
            return seen
        own = with_own(current, viewer, seen.round)
        return seen if own is seen.round else replace(seen, round=own)

    def steps(self, viewer: Viewer, moment: int) -> tuple[StepView, ...]:
        """The forms that are open to somebody."""
        whose = near(self._table, viewer.account)
        found = self._steps.get(whose)
        if found is None:
            found = every_step(self._table, moment, whose, self._known)
            self._steps[whose] = found
        return steps_for(self._table, found, viewer)

    def hands(self, viewer: Viewer) -> tuple[Hand, ...]:
        """The hands that somebody sees whole."""
        return hands_of(self._table, viewer, self._hands)
