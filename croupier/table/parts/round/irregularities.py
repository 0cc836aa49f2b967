"""Chapter 13: what the round survives, what voids it, and what is settled all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import card_from_name, name
from croupier.errors import Refusal
from croupier.money import meter_text
from croupier.table.core.messages import Event
from croupier.table.core.roles import Account
from croupier.table.parts.round import messages as rec
from croupier.table.parts.round.dealing import check_new
from croupier.table.parts.round.meter_pools import contributions
from croupier.table.parts.round.state import Round

if TYPE_CHECKING:
    from croupier.table.table import Table


def noted(table: Table, irregularity: str, duty: str, **detail: int | str) -> rec.IrregularityNoted:
    """The round goes on, and the record says why."""
    return rec.IrregularityNoted(
        irregularity=irregularity, detail=detail, clauses=table.house.cite(duty)
    )


def voided(
    table: Table, current: Round, irregularity: str, duty: str, *, saves: str = ""
) -> rec.RoundVoided:
    """All hands are void; `saves` is the duty under which the game's saved wager is settled."""
    house = table.house
    wager = house.game.saved_wager
    saved = wager if saves and any(wager in box.stakes for box in current.boxes.values()) else ""
    clauses = house.cite(duty)
    return rec.RoundVoided(
        irregularity=irregularity,
        clause=clauses[0],
        saved=saved,
        meters={meter: meter_text(value) for meter, value in current.meters_before.items()},
        clauses=clauses + house.cite(saves) if saved else clauses,
    )


def find_card_face_up(
    table: Table, command: rec.FindCardFaceUp, by: Account, at: int
) -> list[Event]:
    """One may be set aside in the hold'em games; one more, or any in the others, voids."""
    current = table.in_progress()
    if current.due().kind != "deal":
        raise table.refusal("no card is about to leave the deck", "face_up.void")
    card = card_from_name(command.card)
    check_new(table, current, (card,))
    tolerated = len(current.face_up) < table.house.game.face_up_tolerated
    duty = "face_up.aside" if tolerated or current.void else "face_up.void"
    found = noted(table, "card_face_up", duty, card=name(card))
    if tolerated or current.void:  # a void round only completes its layout (A113)
        return [found]
    saves = "face_up.saved" if current.hands_complete and table.house.game.saved_wager else ""
    return [found, voided(table, current, "card_face_up", "face_up.void", saves=saves)]


def draw_in_error(table: Table, command: rec.DrawInError, by: Account, at: int) -> list[Event]:
    """An unseen card is used as the next one."""
    table.in_progress()
    return [noted(table, "card_drawn_in_error", "drawn_in_error")]


def not_void_yet(table: Table) -> Round:
    """The round in progress, if it is not void already and nothing of it was paid."""
    current = table.in_progress()
    if current.paying:
        raise table.refusal("wagers of this round are paid already", "settle.pays")
    if current.void:
        raise Refusal("the round is void already", current.void.clause, game=table.house.game.key)
    return current


def check_seat(table: Table, current: Round, seat: int) -> None:
    """Refuse a seat without a box in this round."""
    if seat not in current.boxes:
        seats = ", ".join(map(str, sorted(current.boxes)))
        raise table.refusal(f"seat {seat!r} has no wager; seats in play: {seats}", "seats")


def find_wrong_number(
    table: Table, command: rec.FindWrongNumber, by: Account, at: int
) -> list[Event]:
    """A wrong number of cards anywhere voids and saves nothing."""
    current = not_void_yet(table)
    check_where(table, current, command.where)
    return [voided(table, current, "wrong_number_of_cards", "wrong_number")]


def check_where(table: Table, current: Round, where: str) -> None:
    """Refuse a place that this game does not deal to."""
    game = table.house.game
    word, _, number = where.partition(" ")
    if word == "seat" and number.isdecimal():
        check_seat(table, current, int(number))
    elif (where != "dealer" or not game.dealer_cards) and (
        where != "community" or not game.community_cards
    ):
        places = ["seat N"]
        places += ["dealer"] if game.dealer_cards else []
        places += ["community"] if game.community_cards else []
        raise table.refusal(
            f"{where!r} is dealt no cards; expected {', '.join(places)}", "wrong_number"
        )


def expose_dealer_card(
    table: Table, command: rec.ExposeDealerCard, by: Account, at: int
) -> list[Event]:
    """Void while anybody has a decision left; the saved wager is settled."""
    current = not_void_yet(table)
    game = table.house.game
    if not game.dealer_cards:
        raise table.refusal("this game has no dealer hand", "wrong_number")
    if not current.dealer:
        raise table.refusal("the dealer has no card yet", "dealer_exposed")
    if not current.decisions_left():
        return [noted(table, "dealer_card_exposed", "dealer_exposed", effect="none")]
    saves = "dealer_exposed.saved" if game.saved_wager else ""
    return [voided(table, current, "dealer_card_exposed", "dealer_exposed", saves=saves)]


def expose_community_card(
    table: Table, command: rec.ExposeCommunityCard, by: Account, at: int
) -> list[Event]:
    """A community card seen too early voids with everything returned (A117)."""
    current = not_void_yet(table)
    if not table.house.game.community_cards:
        raise table.refusal("this game has no community cards", "wrong_number")
    return [voided(table, current, "community_card_exposed", "community_exposed")]


def expose_player_card(
    table: Table, command: rec.ExposePlayerCard, by: Account, at: int
) -> list[Event]:
    """A player's own card is recorded and the hand stands (A117)."""
    current = table.in_progress()
    check_seat(table, current, command.seat)
    return [noted(table, "player_card_exposed", "player_exposed", seat=command.seat)]


def jam_shuffler(table: Table, command: rec.JamShuffler, by: Account, at: int) -> list[Event]:
    """The machine has the only deck, or the one to be dealt next; or else the idle one (A123)."""
    house = table.house
    betting = round_being_bet(table)
    current = betting or not_void_yet(table)
    if house.shuffle_method == "manual":
        raise table.refusal("no shuffler is in use; the cards are shuffled by hand", "shuffler_jam")
    if betting is not None and not table.decks.being_shuffled():
        raise table.refusal("no deck is being shuffled; report a fault", "shuffler_jam")
    if house.decks == 2 and (not table.attended or other_deck_is_next(table)):
        return [noted(table, "shuffler_jam", "shuffler_jam.idle", deck="idle")]
    void = voided(table, current, "shuffler_jam", "shuffler_jam")
    if betting is None:
        return [void]
    ended = rec.BettingClosed(seats=tuple(sorted(current.boxes)), clauses=void.clauses)
    return [ended, void]


def other_deck_is_next(table: Table) -> bool:
    """Whether the deck in the machine is not the one that is dealt, or will be."""
    decks = table.decks
    if decks.in_play() is not None:
        return True
    ready = any(deck.stage in ("shuffled", "cut") for deck in decks.here.values())
    return table.dealing is None and ready


def round_being_bet(table: Table) -> Round | None:
    """The round whose wagers lie on the layout while its deck may still be in the shuffler."""
    current = table.open_round
    if not table.attended or current is None or current.betting_closed or not current.boxes:
        return None
    return current


def jam_shoe(table: Table, command: rec.JamShoe, by: Account, at: int) -> list[Event]:
    """A failed automated shoe voids the round while anybody plays."""
    current = not_void_yet(table)
    if table.house.dealing_method != "automated_shoe":
        method = table.house.dealing_method
        raise table.refusal(f"no automated shoe is in use, but {method}", "shoe_jam")
    if current.over:
        return [noted(table, "shoe_jam", "shoe_jam", effect="none")]
    return [voided(table, current, "shoe_jam", "shoe_jam")]


def skip_player(table: Table, command: rec.SkipPlayer, by: Account, at: int) -> list[Event]:
    """Run 'Em Twice deals on and the player waits (A121); elsewhere a hand is short of cards."""
    current = not_void_yet(table)
    check_seat(table, current, command.seat)
    house = table.house
    if not house.game.skipped_player_sits_out:
        return [voided(table, current, "wrong_number_of_cards", "player_skipped")]
    if any(box.cards for box in current.boxes.values()):
        raise table.refusal("hands have been dealt; a player is skipped before", "player_skipped")
    box = current.boxes[command.seat]
    if box.sat_out:
        raise table.refusal(f"seat {command.seat} sits out already", "player_skipped")
    stake = box.stakes.get("progressive", 0)
    return [
        rec.PlayerSatOut(
            seat=command.seat,
            contributions=contributions(house, -stake, table.meters),
            clauses=house.cite("player_skipped"),
        )
    ]


def find_wrong_count(
    table: Table, command: rec.FindWrongCount, by: Account, at: int
) -> list[Event]:
    """A count of the stub that does not come to 52 voids the round before settlement (A125)."""
    current = not_void_yet(table)
    if not current.all_dealt:
        raise table.refusal("the stub is counted after the last card", "wrong_number")
    duty = "wrong_count.misdealt" if command.misdealt else "wrong_count.not_misdealt"
    return [voided(table, current, "wrong_count", duty)]


def forfeit(table: Table, command: rec.Forfeit, by: Account, at: int) -> list[Event]:
    """All wagers of a box are lost by a ruling: it was abandoned, or conduct forfeits it."""
    current = not_void_yet(table)
    check_seat(table, current, command.seat)
    box = current.boxes[command.seat]
    clauses = table.house.cite(f"forfeit.{command.cause}", optional=True)
    if not clauses:
        raise Refusal("no clause of this game forfeits for conduct", "A90", game=current.game.key)
    if box.forfeited or box.sat_out:
        raise Refusal(f"seat {command.seat} is out already", clauses[0], game=current.game.key)
    return [
        rec.WagersForfeited(
            seat=command.seat,
            cause=command.cause,
            reason=command.reason,
            clause=clauses[0],
            clauses=clauses,
        )
    ]
