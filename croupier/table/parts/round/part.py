"""Registers the round as a part of the table: its commands, their roles and its events."""

from __future__ import annotations

from croupier.table.core.messages import Command
from croupier.table.core.part import (
    EVERYWHERE,
    IRREGULARITIES,
    CommandSpec,
    Decide,
    Part,
    offers_nothing,
)
from croupier.table.core.roles import DEALER, FLOOR, PLAYER, STAFF, Role
from croupier.table.parts.round import (
    actions,
    betting,
    card_reading,
    dealing,
    irregularities,
    irregularity_actions,
    settlement,
    showdown,
)
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round.apply import EVOLVE

DECIDERS: tuple[Role, ...] = ("player", "dealer")
# A person or a card-reading shoe. The system deals only where no staff is modeled: in play for
# money no machine determines the outcome (COMAR 36.05.01.02B(9)).
READERS: tuple[Role, ...] = ("dealer", "reader")
NO_ROLE: tuple[Role, ...] = ()
OF_PLAYERS = "Player bets and decisions"  # which staff may enter
ACTIONS = actions.ACTIONS | irregularity_actions.ACTIONS


def spec(
    command: type[Command],
    roles: tuple[Role, ...],
    duty: str,
    decide: Decide,
    like: type[Command] | None = None,
    subject: str = "",
) -> CommandSpec:
    """The specification of a command, with its legal actions."""
    return CommandSpec(
        command=command,
        roles=roles,
        duty=duty,
        decide=decide,
        offers=ACTIONS.get(command, offers_nothing),
        consequence=irregularity_actions.consequence
        if command in irregularity_actions.ACTIONS
        else None,
        per_account=set(FLOOR) <= set(roles),  # not who dealt in the round
        like=like,
        subject=subject,
    )


def fault(
    command: type[Command], roles: tuple[Role, ...], duty: str, decide: Decide
) -> CommandSpec:
    """The specification of a command that reports what went wrong."""
    return spec(command, roles, duty, decide, subject=IRREGULARITIES)


PART = Part(
    subject="Round",
    services=EVERYWHERE,
    commands=(
        spec(msg.PlaceWagers, PLAYER, "seated", betting.place_wagers, subject=OF_PLAYERS),
        spec(msg.NoMoreBets, DEALER, "no_more_bets", betting.no_more_bets),
        spec(msg.DealCards, READERS, "deal.hands", dealing.deal_cards),
        spec(msg.ShowStreet, DEALER, "show", dealing.show_street),
        spec(msg.Decide, DECIDERS, "seated", dealing.decide, subject=OF_PLAYERS),
        spec(msg.ReadCards, READERS, "deal.hands", card_reading.read_cards),
        fault(msg.CorrectReading, STAFF, "deal.hands", card_reading.correct_reading),
        spec(msg.Showdown, DEALER, "announce.player", showdown.showdown),
        spec(msg.TurnHand, DEALER, "announce.player", showdown.turn_hand, like=msg.Showdown),
        spec(msg.SettleSeat, DEALER, "announce.player", settlement.settle_seat, like=msg.Settle),
        spec(msg.Settle, DEALER, "discard.order", settlement.settle),
        fault(msg.FindCardFaceUp, DEALER, "face_up.void", irregularities.find_card_face_up),
        fault(msg.DrawInError, DEALER, "drawn_in_error", irregularities.draw_in_error),
        fault(msg.FindWrongNumber, STAFF, "wrong_number", irregularities.find_wrong_number),
        fault(msg.ExposeDealerCard, STAFF, "dealer_exposed", irregularities.expose_dealer_card),
        fault(
            msg.ExposeCommunityCard,
            FLOOR,
            "community_exposed",
            irregularities.expose_community_card,
        ),
        fault(msg.ExposePlayerCard, FLOOR, "player_exposed", irregularities.expose_player_card),
        fault(msg.JamShuffler, STAFF, "shuffler_jam", irregularities.jam_shuffler),
        fault(msg.JamShoe, STAFF, "shoe_jam", irregularities.jam_shoe),
        fault(msg.SkipPlayer, STAFF, "player_skipped", irregularities.skip_player),
        fault(msg.FindWrongCount, STAFF, "stub.wrong", irregularities.find_wrong_count),
        # A forfeit follows from a ruling. As a command it exists only at a table without staff.
        spec(msg.Forfeit, NO_ROLE, "seated", irregularities.forfeit),
    ),
    evolve=EVOLVE,
)
