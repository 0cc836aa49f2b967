"""What people see of a table at one moment: what they have in common is worked out once."""

from __future__ import annotations

from collections.abc import Hashable
from operator import itemgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from croupier.server.protocol import HandView
from croupier.server.tables.best_hand import Hands, visible_hands
from croupier.table import (
    Account,
    KnownSteps,
    Step,
    Table,
    Viewer,
    specs_for_role,
    step_order,
    view,
)
from croupier.table.core.steps import all_steps
from croupier.table.core.views import (
    StepView,
    TableView,
    may_see_cards,
    steps_account,
    steps_for,
    with_own_cards,
)

MOST_KEPT = 200  # steps that are kept as they are written; then all are written anew
encode = msgspec.json.Encoder().encode
Written = list[tuple[tuple[bool, int], msgspec.Raw]]  # with their place among the others

ANY_PLAYER = Viewer(Account("", "player"))  # without a box


class ViewCache:
    """The sights of one table, until it changes."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._stands_at = (-1, -1)
        self._common: TableView | None = None  # of all players
        self._steps: dict[Account | None, tuple[Step, ...]] = {}
        self._known = KnownSteps()
        self._texts: dict[int, tuple[tuple[Step, ...], Written]] = {}
        self._hands: Hands = {}
        self._seen: dict[Account, tuple[Hashable, tuple[HandView, ...]]] = {}  # the last of each
        self._round = 0  # whose hands they are

    def at(self, table: Table, sequence: int, moment: int) -> ViewCache:
        """The sights after an entry; only a floor has clocks that change them in between."""
        stands_at = (sequence, moment // 1000 if table.attended else 0)
        if self._stands_at != stands_at or self._table is not table:
            self._table, self._stands_at = table, stands_at
            self._common, self._steps = None, {}
            self._known.move_on(table)
            number = table.round.number if table.round is not None else 0
            if number != self._round or len(self._hands) > MOST_KEPT:
                self._round, self._hands, self._seen = number, {}, {}
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
        own = with_own_cards(current, viewer, seen.round)
        return seen if own is seen.round else replace(seen, round=own)

    def steps(self, viewer: Viewer, moment: int) -> tuple[StepView, ...]:
        """The forms that are open to somebody; those of players are written as JSON already."""
        whose = steps_account(self._table, viewer.account)
        if viewer.account.role == "player" and not self._table.attended:
            return self._written(viewer, moment)
        found = self._steps.get(whose)
        if found is None:
            found = all_steps(self._table, moment, whose, self._known)
            self._steps[whose] = found
        return steps_for(self._table, found, viewer)

    def _written(self, viewer: Viewer, moment: int) -> tuple[Any, ...]:
        """In the order that `all_steps` has; what was worked out before is not written again."""
        found: Written = []
        acts = specs_for_role(self._table, viewer.account.role)
        for steps in self._known.every_step(self._table, acts, viewer.account, moment):
            known = self._texts.get(id(steps))
            if known is None or known[0] is not steps:
                if len(self._texts) > MOST_KEPT:
                    self._texts.clear()
                texts = [
                    (step_order(step), msgspec.Raw(encode(step)))
                    for step in steps_for(self._table, steps, viewer)
                ]
                known = self._texts[id(steps)] = (steps, texts)
            found += known[1]
        found.sort(key=itemgetter(0))
        return tuple(text for _, text in found)

    def hands(self, viewer: Viewer) -> tuple[HandView, ...]:
        """The hands that somebody sees whole; where a machine deals, until a card moves."""
        table, current = self._table, self._table.round
        if current is None or table.attended:
            return visible_hands(table, viewer, self._hands)
        looks = tuple(seat for seat in viewer.boxes if may_see_cards(current, viewer, seat))
        moved = (len(current.drawn), len(current.exposed), current.betting_closed, current.closed)
        stands_at = (current.number, *moved, looks)
        before = self._seen.get(viewer.account)
        if before is None or before[0] != stands_at:
            before = (stands_at, visible_hands(table, viewer, self._hands))
            self._seen[viewer.account] = before
        return before[1]
