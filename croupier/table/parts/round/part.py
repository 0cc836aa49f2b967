"""Registers the round as a part of the table: its commands, their roles and its events."""

from __future__ import annotations

from croupier.table.core.messages import Command
from croupier.table.core.part import EVERYWHERE, CommandSpec, Decide, Part, offers_nothing
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
READERS: tuple[Role, ...] = ("dealer", "reader", "system")  # a person or a card-reading shoe
NO_ROLE: tuple[Role, ...] = ()
ACTIONS = actions.ACTIONS | irregularity_actions.ACTIONS


def spec(
    command: type[Command],
    roles: tuple[Role, ...],
    duty: str,
    decide: Decide,
    like: type[Command] | None = None,
) -> CommandSpec:
    """The specification of a command, with its legal actions."""
    offers = ACTIONS.get(command, offers_nothing)
    return CommandSpec(
        command=command, roles=roles, duty=duty, decide=decide, offers=offers, like=like
    )


PART = Part(
    name="round",
    services=EVERYWHERE,
    commands=(
        spec(msg.PlaceWagers, PLAYER, "seated", betting.place_wagers),
        spec(msg.NoMoreBets, DEALER, "no_more_bets", betting.no_more_bets),
        spec(msg.DealCards, READERS, "deal.hands", dealing.deal_cards),
        spec(msg.ShowStreet, DEALER, "no_more_bets", dealing.show_street),
        spec(msg.Decide, DECIDERS, "seated", dealing.decide),
        spec(msg.ReadCards, READERS, "deal.hands", card_reading.read_cards),
        spec(msg.CorrectReading, STAFF, "deal.hands", card_reading.correct_reading),
        spec(msg.Showdown, DEALER, "settle.pays", showdown.showdown),
        spec(msg.TurnHand, DEALER, "settle.pays", showdown.turn_hand, like=msg.Showdown),
        spec(msg.SettleSeat, DEALER, "settle.pays", settlement.settle_seat, like=msg.Settle),
        spec(msg.Settle, DEALER, "discard.order", settlement.settle),
        spec(msg.FindCardFaceUp, DEALER, "face_up.void", irregularities.find_card_face_up),
        spec(msg.DrawInError, DEALER, "drawn_in_error", irregularities.draw_in_error),
        spec(msg.FindWrongNumber, STAFF, "wrong_number", irregularities.find_wrong_number),
        spec(msg.ExposeDealerCard, STAFF, "wrong_number", irregularities.expose_dealer_card),
        spec(msg.ExposeCommunityCard, FLOOR, "wrong_number", irregularities.expose_community_card),
        spec(msg.ExposePlayerCard, FLOOR, "player_exposed", irregularities.expose_player_card),
        spec(msg.JamShuffler, STAFF, "shuffler_jam", irregularities.jam_shuffler),
        spec(msg.JamShoe, STAFF, "shoe_jam", irregularities.jam_shoe),
        spec(msg.SkipPlayer, STAFF, "player_skipped", irregularities.skip_player),
        spec(msg.FindWrongCount, STAFF, "stub.wrong", irregularities.find_wrong_count),
        # A forfeit follows from a ruling. As a command it exists only at a table without staff.
        spec(msg.Forfeit, NO_ROLE, "seated", irregularities.forfeit),
    ),
    evolve=EVOLVE,
)
