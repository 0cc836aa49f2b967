"""The round as a part of the table: its commands, who gives them, and what its events do."""

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
READERS: tuple[Role, ...] = ("dealer", "reader", "system")  # a person, or a shoe that reads
NOBODY: tuple[Role, ...] = ()
OFFERS = actions.OFFERS | irregularity_actions.OFFERS


def act(
    command: type[Command],
    roles: tuple[Role, ...],
    duty: str,
    decide: Decide,
    like: type[Command] | None = None,
) -> CommandSpec:
    """One command of the round."""
    offered = OFFERS.get(command, offers_nothing)
    return CommandSpec(
        command=command, roles=roles, duty=duty, decide=decide, offers=offered, like=like
    )


PART = Part(
    name="round",
    services=EVERYWHERE,
    commands=(
        act(rec.PlaceWagers, PLAYER, "seated", betting.place_wagers),
        act(rec.NoMoreBets, DEALER, "no_more_bets", betting.no_more_bets),
        act(rec.DealCards, READERS, "deal.hands", dealing.deal_cards),
        act(rec.ShowStreet, DEALER, "no_more_bets", dealing.show_street),
        act(rec.Decide, DECIDERS, "seated", dealing.decide),
        act(rec.ReadCards, READERS, "deal.hands", card_reading.read_cards),
        act(rec.CorrectReading, STAFF, "deal.hands", card_reading.correct_reading),
        act(rec.Showdown, DEALER, "settle.pays", showdown.showdown),
        act(rec.TurnHand, DEALER, "settle.pays", showdown.turn_hand, like=rec.Showdown),
        act(rec.SettleSeat, DEALER, "settle.pays", settlement.settle_seat, like=rec.Settle),
        act(rec.Settle, DEALER, "discard.order", settlement.settle),
        act(rec.FindCardFaceUp, DEALER, "face_up.void", irregularities.find_card_face_up),
        act(rec.DrawInError, DEALER, "drawn_in_error", irregularities.draw_in_error),
        act(rec.FindWrongNumber, STAFF, "wrong_number", irregularities.find_wrong_number),
        act(rec.ExposeDealerCard, STAFF, "wrong_number", irregularities.expose_dealer_card),
        act(rec.ExposeCommunityCard, FLOOR, "wrong_number", irregularities.expose_community_card),
        act(rec.ExposePlayerCard, FLOOR, "player_exposed", irregularities.expose_player_card),
        act(rec.JamShuffler, STAFF, "shuffler_jam", irregularities.jam_shuffler),
        act(rec.JamShoe, STAFF, "shoe_jam", irregularities.jam_shoe),
        act(rec.SkipPlayer, STAFF, "player_skipped", irregularities.skip_player),
        act(rec.FindWrongCount, STAFF, "stub.wrong", irregularities.find_wrong_count),
        # A forfeit follows from a ruling; nobody asks for it alone but a table without people.
        act(rec.Forfeit, NOBODY, "seated", irregularities.forfeit),
    ),
    evolve=EVOLVE,
)
