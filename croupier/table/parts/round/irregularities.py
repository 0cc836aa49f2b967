"""Irregularities (chapter 13): which ones the round survives, and which void it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import card_from_name, name
from croupier.errors import Refusal
from croupier.money import meter_text
from croupier.table.core.messages import Event
from croupier.table.core.roles import Account
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round.card_reading import check_entered
from croupier.table.parts.round.dealing import live_after_fold
from croupier.table.parts.round.meter_pools import contributions
from croupier.table.parts.round.state import Round

if TYPE_CHECKING:
    from croupier.table.table import Table


def note(table: Table, irregularity: str, duty: str, **detail: int | str) -> msg.IrregularityNoted:
    """Record an irregularity that the round survives."""
    return msg.IrregularityNoted(
        irregularity=irregularity, detail=detail, clauses=table.house.cite(duty)
    )


def void_round(
    table: Table, current: Round, irregularity: str, duty: str, *, saves: str = ""
) -> msg.RoundVoided:
    """Void the round; `saves` is the duty under which the game's saved wager is still settled."""
    house = table.house
    wager = house.game.saved_wager
    saved = wager if saves and any(wager in box.stakes for box in current.boxes.values()) else ""
    clauses = house.cite(duty)
    return msg.RoundVoided(
        irregularity=irregularity,
        clause=clauses[0],
        saved=saved,
        meters={meter: meter_text(value) for meter, value in current.meters_before.items()},
        clauses=clauses + house.cite(saves) if saved else clauses,
    )


def find_card_face_up(
    table: Table, command: msg.FindCardFaceUp, by: Account, at: int
) -> list[Event]:
    """Set the card aside if the game tolerates it; otherwise void the round."""
    current = table.in_progress()
    if current.due().kind != "deal":
        raise table.refusal("no card is being dealt", "face_up.void")
    card = card_from_name(command.card)
    check_entered(table, current, (card,), by)
    tolerated = len(current.face_up) < table.house.game.face_up_tolerated
    duty = "face_up.aside" if tolerated or current.void else "face_up.void"
    noted = note(table, "card_face_up", duty, card=name(card))
    if tolerated or current.void:  # a void round only completes its board (A113)
        return [noted]
    saves = "face_up.saved" if current.hands_complete and table.house.game.saved_wager else ""
    return [noted, void_round(table, current, "card_face_up", "face_up.void", saves=saves)]


def draw_in_error(table: Table, command: msg.DrawInError, by: Account, at: int) -> list[Event]:
    """Use a card drawn too early, face unseen, as the next card."""
    table.in_progress()
    return [note(table, "card_drawn_in_error", "drawn_in_error")]


def unpaid_round(table: Table) -> Round:
    """The round in progress; refused once it is void or a wager is paid."""
    current = table.in_progress()
    if current.paying:
        raise table.refusal("wagers of this round are already paid", "settle.pays")
    if current.void:
        raise Refusal("the round is already void", current.void.clause, game=table.house.game.key)
    return current


def check_seat(table: Table, current: Round, seat: int, duty: str) -> None:
    """Refuse a seat without wagers in this round."""
    if seat not in current.boxes:
        seats = ", ".join(map(str, sorted(current.boxes)))
        raise table.refusal(f"seat {seat!r} has no wagers; seats in play: {seats}", duty)


def find_wrong_number(
    table: Table, command: msg.FindWrongNumber, by: Account, at: int
) -> list[Event]:
    """A wrong number of cards anywhere voids the round and saves no wager."""
    current = unpaid_round(table)
    check_dealt_place(table, current, command.where)
    return [void_round(table, current, "wrong_number_of_cards", "wrong_number")]


def check_dealt_place(table: Table, current: Round, where: str) -> None:
    """Refuse a place that this game does not deal to."""
    game = table.house.game
    word, _, number = where.partition(" ")
    if word == "seat" and number.isdecimal():
        check_seat(table, current, int(number), "wrong_number")
    elif (where != "dealer" or not game.dealer_cards) and (
        where != "community" or not game.community_cards
    ):
        places = ["seat N"]
        places += ["dealer"] if game.dealer_cards else []
        places += ["community"] if game.community_cards else []
        raise table.refusal(
            f"{where!r} gets no cards in this game; expected {', '.join(places)}", "wrong_number"
        )


def expose_dealer_card(
    table: Table, command: msg.ExposeDealerCard, by: Account, at: int
) -> list[Event]:
    """Void the round while a decision is left; the saved wager is still settled."""
    current = unpaid_round(table)
    game = table.house.game
    if not game.dealer_cards:
        raise table.refusal("this game has no dealer hand", "deal.hands")
    if not current.dealer:
        raise table.refusal("the dealer has no cards yet", "dealer_exposed")
    if not current.decisions_left():
        return [note(table, "dealer_card_exposed", "dealer_exposed", effect="none")]
    saves = "dealer_exposed.saved" if game.saved_wager else ""
    return [void_round(table, current, "dealer_card_exposed", "dealer_exposed", saves=saves)]


def expose_community_card(
    table: Table, command: msg.ExposeCommunityCard, by: Account, at: int
) -> list[Event]:
    """A community card exposed too early voids the round and returns all wagers (A117)."""
    current = unpaid_round(table)
    if not table.house.game.community_cards:
        raise table.refusal("this game has no community cards", "deal.hands")
    return [void_round(table, current, "community_card_exposed", "community_exposed")]


def expose_player_card(
    table: Table, command: msg.ExposePlayerCard, by: Account, at: int
) -> list[Event]:
    """An exposed player card is recorded and the hand stays live (A117)."""
    current = table.in_progress()
    check_seat(table, current, command.seat, "player_exposed")
    return [note(table, "player_card_exposed", "player_exposed", seat=command.seat)]


def jam_shuffler(table: Table, command: msg.JamShuffler, by: Account, at: int) -> list[Event]:
    """Void the round unless the shuffler holds only the idle deck (A123)."""
    house = table.house
    betting = round_taking_bets(table)
    current = betting or unpaid_round(table)
    if house.shuffle_method == "manual":
        raise table.refusal("no shuffler is in use; cards are shuffled by hand", "shuffler_jam")
    if betting is not None and not table.decks.being_shuffled():
        raise table.refusal("no deck is in the shuffler; report a device failure", "shuffler_jam")
    if house.decks == 2 and (not table.attended or other_deck_is_next(table)):
        return [note(table, "shuffler_jam", "shuffler_jam.idle", deck="idle")]
    void = void_round(table, current, "shuffler_jam", "shuffler_jam")
    if betting is None:
        return [void]
    closed = msg.BettingClosed(seats=tuple(sorted(current.boxes)), clauses=void.clauses)
    return [closed, void]


def other_deck_is_next(table: Table) -> bool:
    """Whether the deck in the shuffler is neither in play nor next."""
    decks = table.decks
    if decks.in_play() is not None:
        return True
    ready = any(deck.stage in ("shuffled", "cut") for deck in decks.here.values())
    return table.dealing is None and ready


def round_taking_bets(table: Table) -> Round | None:
    """The attended round with wagers placed and betting still open."""
    current = table.open_round
    if not table.attended or current is None or current.betting_closed or not current.boxes:
        return None
    return current


def jam_shoe(table: Table, command: msg.JamShoe, by: Account, at: int) -> list[Event]:
    """A jammed automated shoe voids the round while it holds cards that a wager needs (A106)."""
    current = unpaid_round(table)
    if table.house.dealing_method != "automated_shoe":
        method = table.house.dealing_method
        raise table.refusal(f"no automated shoe is in use; dealing method: {method}", "shoe_jam")
    live = any(live_after_fold(table.house, box) for box in current.boxes.values() if box.judged)
    if current.over and not (live and current.dealer_waits):
        return [note(table, "shoe_jam", "shoe_jam", effect="none")]
    return [void_round(table, current, "shoe_jam", "shoe_jam")]


def skip_player(table: Table, command: msg.SkipPlayer, by: Account, at: int) -> list[Event]:
    """The player sits out if the game says so (A121); otherwise the round is void."""
    current = unpaid_round(table)
    check_seat(table, current, command.seat, "player_skipped")
    house = table.house
    if not house.game.skipped_player_sits_out:
        return [void_round(table, current, "wrong_number_of_cards", "player_skipped")]
    if any(box.cards for box in current.boxes.values()):
        raise table.refusal("the hands are already dealt", "player_skipped")
    box = current.boxes[command.seat]
    if box.sat_out:
        raise table.refusal(f"seat {command.seat} is already sitting out", "player_skipped")
    stake = box.stakes.get("progressive", 0)
    return [
        msg.PlayerSatOut(
            seat=command.seat,
            contributions=contributions(house, -stake, table.meters),
            clauses=house.cite("player_skipped"),
        )
    ]


def find_wrong_count(
    table: Table, command: msg.FindWrongCount, by: Account, at: int
) -> list[Event]:
    """A wrong stub count voids the round before settlement (A125)."""
    current = unpaid_round(table)
    if not current.all_dealt:
        raise table.refusal("count the stub after the last card", "stub.due")
    duty = "wrong_count.misdealt" if command.misdealt else "wrong_count.not_misdealt"
    return [void_round(table, current, "wrong_count", duty)]


def forfeit(table: Table, command: msg.Forfeit, by: Account, at: int) -> list[Event]:
    """Forfeit a box by a ruling: it was abandoned, or the conduct rules forfeit it."""
    current = unpaid_round(table)
    duty = f"forfeit.{command.cause}"
    clauses = table.house.cite(duty, optional=True)
    if not clauses:
        raise Refusal("this game has no forfeit for conduct", "A90", game=current.game.key)
    check_seat(table, current, command.seat, duty)
    box = current.boxes[command.seat]
    if box.forfeited or box.sat_out:
        raise Refusal(f"seat {command.seat} is already out", clauses[0], game=current.game.key)
    return [
        msg.WagersForfeited(
            seat=command.seat,
            cause=command.cause,
            reason=command.reason,
            clause=clauses[0],
            clauses=clauses,
        )
    ]
