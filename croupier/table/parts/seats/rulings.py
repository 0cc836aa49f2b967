"""What a floorperson rules on players who left a round or broke the rules of conduct (11.A)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from croupier.errors import Refusal
from croupier.table.core.fields import OneOfField, TextField
from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec
from croupier.table.core.roles import FLOOR, PLAYER, Account
from croupier.table.parts.payouts import reopen
from croupier.table.parts.round import messages as played
from croupier.table.parts.round.irregularities import forfeit
from croupier.table.parts.seats import messages as rec

if TYPE_CHECKING:
    from croupier.table.table import Table

CONDUCT = ("hand", "touch", "view", "share")  # of chapter 11.A


def forfeits(
    table: Table, player: str, cause: Literal["abandoned", "conduct"], reason: str, by: Account
) -> list[Event]:
    """The round's events that take every box of a player out."""
    current = table.dealing
    assert current is not None
    events: list[Event] = []
    for seat in table.boxes_of(player):
        box = current.boxes[seat]
        if not box.forfeited and not box.sat_out:
            command = played.Forfeit(seat, cause, reason)
            events += forfeit(table, command, by, 0)
    return events


def rule_abandoned(table: Table, command: rec.RuleAbandoned, by: Account, at: int) -> list[Event]:
    """A decision with a reason; undecided, the hand is settled as it lies (A89)."""
    player = command.player
    if player not in table.seats.absent or table.dealing is None or table.dealing.void:
        raise table.refusal(f"{player!r} has not left a round in progress", "forfeit.abandoned")
    if player in table.seats.ruled:
        raise table.refusal(f"it was decided on the wagers of {player}", "forfeit.abandoned")
    if not command.reason.strip():
        raise table.refusal("the decision needs a reason", "forfeit.abandoned")
    if command.lost and table.dealing.paying:
        raise table.refusal("wagers of this round are paid already", "settle.pays")
    ruled = rec.AbandonmentRuled(
        player=player,
        lost=command.lost,
        reason=command.reason,
        clauses=(*table.house.cite("forfeit.abandoned"), "A89"),
    )
    if not command.lost:
        return [ruled]
    lost = forfeits(table, player, "abandoned", command.reason, by)
    return [ruled, *lost, *reopen(table, by, at, "a ruling changed the settlement")]


def forfeit_for_conduct(
    table: Table, command: rec.ForfeitForConduct, by: Account, at: int
) -> list[Event]:
    """All wagers of the round, by a finding; only where the document forfeits (A90)."""
    house, player = table.house, command.player
    if not house.cite("forfeit.conduct", optional=True):
        raise Refusal("this game's rules forfeit nothing for conduct", "A90", game=house.game.key)
    if command.conduct not in CONDUCT:
        raise table.refusal(f"{command.conduct!r} is no conduct rule", "forfeit.conduct")
    if table.dealing is None or table.dealing.void or not table.boxes_of(player):
        raise table.refusal(f"{player!r} has no wager in a round in progress", "forfeit.conduct")
    if not command.reason.strip():
        raise table.refusal("the finding needs a reason", "forfeit.conduct")
    lost = forfeits(table, player, "conduct", command.reason, by)
    if not lost:
        raise table.refusal(f"{player} is out of this round already", "forfeit.conduct")
    ruled = rec.ConductRuled(
        player=player,
        conduct=command.conduct,
        reason=command.reason,
        clauses=(
            *house.cite("forfeit.conduct"),
            *house.cite(f"conduct.{command.conduct}"),
            "A90",
        ),
    )
    return [ruled, *lost, *reopen(table, by, at, "a ruling changed the settlement")]


def call_wager(table: Table, command: rec.CallWager, by: Account, at: int) -> list[Event]:
    """Cash and words make no wager."""
    raise table.refusal(
        "a wager is made with chips on the layout, not with words and cash", "verbal"
    )


def offer_rulings(table: Table, at: int) -> Iterator[ActionTemplate]:
    """A decision for everybody who left a round in progress; nothing is lost once it is paid."""
    paying = table.dealing is not None and table.dealing.paying
    decisions = OneOfField((False,) if paying else (False, True))
    for player in sorted(table.seats.absent):
        yield ActionTemplate(
            command=rec.RuleAbandoned(player, False, "left the table"),
            fields={"lost": decisions, "reason": TextField("left the table")},
            why=f"{player} left during the round",
        )


def offer_conduct(table: Table, at: int) -> Iterator[ActionTemplate]:
    """A finding against anybody in the round."""
    if table.dealing is None:
        return
    for player in sorted({box.player for box in table.dealing.boxes.values()}):
        yield ActionTemplate(
            command=rec.ForfeitForConduct(player, "share", "told others of the hand"),
            fields={"conduct": OneOfField(CONDUCT), "reason": TextField("told others of the hand")},
        )


COMMANDS = (
    CommandSpec(
        command=rec.RuleAbandoned,
        roles=FLOOR,
        duty="forfeit.abandoned",
        decide=rule_abandoned,
        offers=offer_rulings,
    ),
    CommandSpec(
        command=rec.ForfeitForConduct,
        roles=FLOOR,
        duty="conduct.view",
        decide=forfeit_for_conduct,
        offers=offer_conduct,
    ),
    CommandSpec(command=rec.CallWager, roles=PLAYER, duty="verbal", decide=call_wager),
)
