"""Floor rulings on players who left during a round or broke the conduct rules (11.A)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from croupier.errors import Refusal
from croupier.table.core.fields import OneOfField, TextField
from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec
from croupier.table.core.roles import FLOOR, Account
from croupier.table.parts.payouts import reopen_payouts
from croupier.table.parts.round import messages as round_msg
from croupier.table.parts.round.irregularities import forfeit
from croupier.table.parts.seats import messages as msg
from croupier.table.parts.staffing import check_did_not_deal

if TYPE_CHECKING:
    from croupier.table.table import Table

CONDUCT = ("hand", "touch", "view", "share")  # the conduct rules of 11.A


def forfeit_boxes(
    table: Table, player: str, cause: Literal["abandoned", "conduct"], reason: str, by: Account
) -> list[Event]:
    """Forfeit every box of a player."""
    current = table.dealing
    assert current is not None
    events: list[Event] = []
    for seat in table.boxes_of(player):
        box = current.boxes[seat]
        if not box.forfeited and not box.sat_out:
            command = round_msg.Forfeit(seat, cause, reason)
            events += forfeit(table, command, by, 0)
    return events


def rule_abandoned(table: Table, command: msg.RuleAbandoned, by: Account, at: int) -> list[Event]:
    """Rule on an absent player's wagers; without a ruling the hand is settled as it is (A89)."""
    player = command.player
    if player not in table.seats.absent or table.dealing is None or table.dealing.void:
        raise table.refusal(f"{player!r} did not leave during this round", "forfeit.abandoned")
    if player in table.seats.ruled:
        raise table.refusal(f"the wagers of {player} were already ruled on", "forfeit.abandoned")
    if not command.reason.strip():
        raise table.refusal("the ruling needs a reason", "forfeit.abandoned")
    check_did_not_deal(table, by)
    if command.lost and table.dealing.paying:
        raise table.refusal("wagers of this round are already paid", "settle.pays")
    ruled = msg.AbandonmentRuled(
        player=player,
        lost=command.lost,
        reason=command.reason,
        clauses=(*table.house.cite("forfeit.abandoned"), "A89"),
    )
    if not command.lost:
        return [ruled]
    lost = forfeit_boxes(table, player, "abandoned", command.reason, by)
    return [ruled, *lost, *reopen_payouts(table, by, at, "a ruling changed the settlement")]


def forfeit_for_conduct(
    table: Table, command: msg.ForfeitForConduct, by: Account, at: int
) -> list[Event]:
    """Forfeit a player's wagers for conduct, if the game's rules provide for it (A90)."""
    house, player = table.house, command.player
    if not house.cite("forfeit.conduct", optional=True):
        raise Refusal("this game has no forfeit for conduct", "A90", game=house.game.key)
    if command.conduct not in CONDUCT:
        raise table.refusal(f"unknown conduct rule {command.conduct!r}", "forfeit.conduct")
    if table.dealing is None or table.dealing.void or not table.boxes_of(player):
        raise table.refusal(f"{player!r} has no wagers in this round", "forfeit.conduct")
    if not command.reason.strip():
        raise table.refusal("the finding needs a reason", "forfeit.conduct")
    check_did_not_deal(table, by)
    lost = forfeit_boxes(table, player, "conduct", command.reason, by)
    if not lost:
        raise table.refusal(f"{player} is already out of this round", "forfeit.conduct")
    ruled = msg.ConductRuled(
        player=player,
        conduct=command.conduct,
        reason=command.reason,
        clauses=(
            *house.cite("forfeit.conduct"),
            *house.cite(f"conduct.{command.conduct}"),
            "A90",
        ),
    )
    return [ruled, *lost, *reopen_payouts(table, by, at, "a ruling changed the settlement")]


def offer_rulings(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every player who left during the round; no forfeit once a wager is paid."""
    paying = table.dealing is not None and table.dealing.paying
    decisions = OneOfField((False,) if paying else (False, True))
    for player in sorted(table.seats.absent):
        yield ActionTemplate(
            command=msg.RuleAbandoned(player, False, "left the table"),
            fields={"lost": decisions, "reason": TextField("left the table")},
            why=f"{player} left during the round",
        )


def offer_conduct(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every player in the round."""
    if table.dealing is None:
        return
    for player in sorted({box.player for box in table.dealing.boxes.values()}):
        yield ActionTemplate(
            command=msg.ForfeitForConduct(player, "share", "disclosed the hand"),
            fields={"conduct": OneOfField(CONDUCT), "reason": TextField("disclosed the hand")},
        )


COMMAND_SPECS = (
    CommandSpec(
        command=msg.RuleAbandoned,
        roles=FLOOR,
        duty="forfeit.abandoned",
        decide=rule_abandoned,
        offers=offer_rulings,
        per_account=True,
    ),
    CommandSpec(
        command=msg.ForfeitForConduct,
        roles=FLOOR,
        duty="forfeit.conduct",
        decide=forfeit_for_conduct,
        offers=offer_conduct,
        per_account=True,
    ),
)
