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
from croupier.table.parts.round import messages as rec
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
    acts=(
        spec(rec.PlaceWagers, PLAYER, "seated", betting.place_wagers),
        spec(rec.NoMoreBets, DEALER, "no_more_bets", betting.no_more_bets),
        spec(rec.DealCards, READERS, "deal.hands", dealing.deal_cards),
        spec(rec.ShowStreet, DEALER, "no_more_bets", dealing.show_street),
        spec(rec.Decide, DECIDERS, "seated", dealing.decide),
        spec(rec.ReadCards, READERS, "deal.hands", card_reading.read_cards),
        spec(rec.CorrectReading, STAFF, "deal.hands", card_reading.correct_reading),
        spec(rec.Showdown, DEALER, "settle.pays", showdown.showdown),
        spec(rec.TurnHand, DEALER, "settle.pays", showdown.turn_hand, like=rec.Showdown),
        spec(rec.SettleSeat, DEALER, "settle.pays", settlement.settle_seat, like=rec.Settle),
        spec(rec.Settle, DEALER, "discard.order", settlement.settle),
        spec(rec.FindCardFaceUp, DEALER, "face_up.void", irregularities.find_card_face_up),
        spec(rec.DrawInError, DEALER, "drawn_in_error", irregularities.draw_in_error),
        spec(rec.FindWrongNumber, STAFF, "wrong_number", irregularities.find_wrong_number),
        spec(rec.ExposeDealerCard, STAFF, "wrong_number", irregularities.expose_dealer_card),
        spec(rec.ExposeCommunityCard, FLOOR, "wrong_number", irregularities.expose_community_card),
        spec(rec.ExposePlayerCard, FLOOR, "player_exposed", irregularities.expose_player_card),
        spec(rec.JamShuffler, STAFF, "shuffler_jam", irregularities.jam_shuffler),
        spec(rec.JamShoe, STAFF, "shoe_jam", irregularities.jam_shoe),
        spec(rec.SkipPlayer, STAFF, "player_skipped", irregularities.skip_player),
        spec(rec.FindWrongCount, STAFF, "stub.wrong", irregularities.find_wrong_count),
        # A forfeit follows from a ruling. As a command it exists only at a table without staff.
        spec(rec.Forfeit, NO_ROLE, "seated", irregularities.forfeit),
    ),
    evolve=EVOLVE,
)
