"""Cards entered by name: each once, as read before, and without disclosing cards face down."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from croupier.cards import DECK, UNSEEN, Face, names, require_seen
from croupier.errors import Refusal
from croupier.games import BURN, COMMUNITY, DEALER, Slot
from croupier.table import Account, Command, Envelope, viewer_of
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.core import views
from croupier.table.parts.round.turn_order import next_showing, unturned_places
from tests.clauses.attended.claims import at, proving
from tests.clauses.attended.fixtures.moments import COUNTING, STAYING, closed, dealing
from tests.clauses.attended.violations.violation import FIRST_HAND, HANDS, ONE_DECK, TURNS
from tests.support.attended_table import DEE, FLO, READER, Floor, replayed
from tests.support.rounds import EVERY_GAME, JACKPOT, RUN, THB, UTH, house
from tests.table.parts.round.test_card_reading import Blind, finish, money


def stay(floor: Floor, game: str) -> str:
    """A decision that stays in the round, if one is due."""
    if floor.table.due().kind != "decide":
        return ""
    words = [option.word for option in floor.table.options()]
    return next(word for word in ("check", *STAYING[game]) if word in words)


def blind(game: str) -> Blind:
    """The bets are closed and the cards are dealt unseen."""
    floor = Blind(house(game, table=COUNTING))
    floor.ready()
    floor.bet()
    floor.close_bets()
    return floor


def read_by_shoe(game: str) -> Floor:
    """The bets are closed; a shoe deals and reads every card."""
    floor = closed(game)
    staff = floor.do

    def do(command: Command, by: Account) -> object:
        return staff(command, READER if isinstance(command, cmd.DealCards) else by)

    floor.do = do  # type: ignore[method-assign, assignment]
    return floor


# A card is entered once.


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_card_is_named_once(game: str) -> None:
    """Two equal cards are refused in every command, whether or not one of them was read."""
    floor, clause = blind(game), at(game, **ONE_DECK)
    floor.refused(cmd.DealCards(("Ah", "Ah")), DEE, clause, "Ah is named twice")
    floor.deal()
    first: Slot = 1
    count = len(floor.table.in_progress().pile(first))
    twice = ("Ah",) * count
    floor.refused(cmd.ReadCards(first, twice), READER, clause, "named twice")
    floor.refused(cmd.ReadCards(first, twice), DEE, clause, "named twice")
    while floor.table.due().kind in ("deal", "show", "decide"):
        if floor.table.due().kind == "show":
            street = floor.table.in_progress().street
            laid, exposed = floor.laid(), floor.table.in_progress().exposed
            up = sum(card in exposed for card in laid)
            turned = (len(laid) if street is None else street.shown) - up
            if turned > 1:
                again = ("Ah",) * turned
                floor.refused(cmd.ShowStreet(again), DEE, clause, "Ah is named twice")
        floor.go_on(stay(floor, game))
    floor.stub()
    while (current := floor.table.in_progress()) and not current.hands_shown:
        place = unturned_places(current)[0]
        twice = ("Ah",) * len(current.pile(place))
        floor.refused(cmd.TurnHand(place, twice), DEE, clause, "Ah is named twice")
        floor.turn()


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("missed", [0, 1])
def test_a_hand_is_named_as_it_was_read(game: str, missed: int) -> None:
    """A hand of which cards were read is not turned up with others, and settles when complete."""
    floor = closed(game)
    dealt: list[str] = []
    while floor.table.due().kind in ("deal", "show", "decide"):
        due = floor.table.due()
        if due.kind != "deal":
            floor.go_on(stay(floor, game))
            continue
        current = floor.table.in_progress()
        cards = names(floor.unseen()[: due.cards])
        for place, card in zip(tuple(current.pending), cards, strict=True):
            unread = place == 1 and len(current.pile(1)) < missed
            floor.do(cmd.DealCards((UNSEEN if unread else card,)), READER)
            dealt += [card] if place == 1 else []
    floor.stub()
    current = floor.table.in_progress()
    while unturned_places(current)[0] != 1:
        floor.do(cmd.TurnHand(unturned_places(current)[0]), DEE)
    clause = at(game, **HANDS)
    known = require_seen([card for card in current.pile(1) if card is not None])
    other = names([card for card in floor.unseen() if card not in current.gone])
    twice = (names(known)[0],) * len(dealt)
    floor.refused(cmd.TurnHand(1, twice), DEE, at(game, **ONE_DECK), "named twice")
    floor.refused(cmd.TurnHand(1, tuple(other[-len(dealt) :])), DEE, clause, "not the cards read")
    if missed:
        floor.refused(cmd.Settle(), DEE, at(game, **TURNS))
        floor.refused(cmd.TurnHand(1), DEE, at(game, **TURNS))
    floor.do(cmd.TurnHand(1, tuple(reversed(dealt))), DEE)
    (hand,) = [event for event in floor.of(ev.HandAnnounced) if event.seat == 1]
    assert sorted(dealt) == sorted(hand.cards)


@proving(TUJ="13.A")
def test_a_misread_card_that_was_face_up_in_the_deck_is_corrected(game: str) -> None:
    """The floor corrects it with a reason; then the card first named can be dealt."""
    floor = closed(game)
    first, second = names(floor.unseen()[:2])
    floor.do(cmd.FindCardFaceUp(first), DEE)
    floor.refused(cmd.CorrectReading("aside", 0, second, "smeared"), DEE, "13.A")
    floor.refused(cmd.CorrectReading("aside", 1, second, "smeared"), FLO, "13.A")
    (corrected,) = floor.do(cmd.CorrectReading("aside", 0, second, "smeared"), FLO)
    assert "13.A" in corrected.clauses
    floor.refused(cmd.DealCards((second,)), DEE, at(game, **ONE_DECK), "already dealt")
    floor.do(cmd.DealCards((first,)), DEE)
    assert [second] == names(floor.table.in_progress().face_up)


@proving(FR="13.A")
def test_the_card_that_voided_the_round_is_corrected_too(game: str) -> None:
    """One card face up voids the round; the record then names the right one."""
    floor = closed(game)
    first, second = names(floor.unseen()[:2])
    floor.do(cmd.FindCardFaceUp(first), DEE)
    (corrected,) = floor.do(cmd.CorrectReading("aside", 0, second, "smeared"), FLO)
    assert "13.A" in corrected.clauses and second == names(floor.table.in_progress().face_up)[0]
    assert {"correct_reading"} <= {step.kind for step in floor.table.next_steps(floor.at)}


# Nothing is disclosed.

Try = tuple[Callable[[str], Command], Account]
# A command that names a card, for each card, and the account that tries it.
TRIES: dict[str, Try] = {
    "deal": (lambda card: cmd.DealCards((card,)), DEE),
    "face up": (lambda card: cmd.FindCardFaceUp(card), DEE),
    "correct as dealer": (lambda card: cmd.CorrectReading(1, 0, card), DEE),
    "correct as floorperson": (lambda card: cmd.CorrectReading(1, 0, card, "seen"), FLO),
    "correct the board": (lambda card: cmd.CorrectReading("community", 0, card, "seen"), FLO),
    "correct a card face up": (lambda card: cmd.CorrectReading("community", 0, card), DEE),
    "show": (lambda card: cmd.ShowStreet((card,) * 2), DEE),
}


def outcome(floor: Floor, command: Command, by: Account, card: str) -> str:
    """What the caller learns: the refusal with the card left out, or that it is accepted."""
    try:
        floor.table.decide(Envelope("try", by, floor.at + 1000, command))
    except Refusal as refusal:
        return str(refusal).replace(card, "the card")
    return "accepted"


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("name", TRIES)
def test_no_command_tells_cards_face_down_from_cards_in_the_deck(game: str, name: str) -> None:
    """At every moment of a round, all 52 cards are tried; only those face up are different."""
    command, by = TRIES[name]
    floor = read_by_shoe(game)
    while (due := floor.table.due()).kind in ("deal", "show", "decide"):
        current = floor.table.in_progress()
        tried: dict[str, set[int]] = {}
        for card in DECK:
            if card not in current.exposed:
                text = names([card])[0]
                tried.setdefault(outcome(floor, command(text), by, text), set()).add(card)
        assert len(tried) == 1, tried
        if due.kind == "deal":
            floor.do(cmd.DealCards((names(floor.unseen())[0],)), READER)
        else:
            floor.go_on(stay(floor, game))


def turning(floor: Floor) -> tuple[Slot, Command] | None:
    """The place that is turned up now, and the command that turns it without naming cards."""
    current = floor.table.in_progress()
    if floor.table.due().kind == "show":
        return COMMUNITY, cmd.ShowStreet()
    showing = next_showing(current)
    return None if showing is None else (showing.place, cmd.TurnHand(showing.place))


def told(floor: Floor, correction: Command, turn: Command) -> tuple[str, str]:
    """What staff learn about a place that is turned up, after a correction."""
    table = replayed(floor.house, floor.events)
    table.do(correction, DEE, floor.at + 1000)
    steps = views.steps(table, viewer_of(table, DEE), floor.at + 1000)
    fields = [step.fields for step in steps if step.kind in ("show_street", "turn_hand")]
    try:
        table.decide(Envelope("try", DEE, floor.at + 2000, turn))
    except Refusal as refusal:
        return str(fields), str(refusal)
    return str(fields), "accepted"


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_correction_tells_no_card_face_down(game: str) -> None:
    """A card corrected face down is named when it is turned up, whatever was entered for it."""
    floor = read_by_shoe(game)
    moments = 0
    while (kind := floor.table.due().kind) in ("deal", "show", "decide"):
        if kind == "show":
            moments += one_answer(floor)
        floor.go_on(stay(floor, game))
    floor.stub()
    while not floor.table.in_progress().hands_shown:
        moments += one_answer(floor)
        move = turning(floor)
        assert move is not None
        floor.do(move[1], DEE)
    assert moments >= 1


def one_answer(floor: Floor) -> bool:
    """Try cards in the deck and elsewhere on the table; False where no card is face down."""
    current = floor.table.in_progress()
    move = turning(floor)
    assert move is not None
    place, turn = move
    pile = current.seen_or_read(place)
    upcoming = pile if place != COMMUNITY else pile[: current.street.shown if current.street else 9]
    turned = [card for card in upcoming if card not in current.exposed]
    if not turned:
        return False
    position = current.pile(place).index(turned[0])
    hidden = current.gone - current.exposed - set(turned)
    tried = names([*sorted(hidden), *floor.unseen()[:3]])
    answers = {told(floor, cmd.CorrectReading(place, position, card), turn) for card in tried}
    assert len(answers) == 1 and answers.pop()[1] != "accepted"
    return True


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_wrong_correction_changes_no_money(game: str) -> None:
    """The cards named as they are turned up count, not what was entered while they lay down."""
    right, floor = dealing(game), dealing(game)
    for each in (right, floor):
        each.play_until_settlement(STAYING[game])
        each.stub()
    finish(right, seat_by_seat=False)
    current = floor.table.in_progress()
    hand = names(current.pile(1))
    for position, card in enumerate(names(floor.unseen()[: len(hand)])):
        floor.do(cmd.CorrectReading(1, position, card), DEE)
    while (place := unturned_places(current)[0]) != 1:
        floor.do(cmd.TurnHand(place), DEE)
    floor.refused(cmd.TurnHand(1), DEE, at(game, **TURNS), "name them")
    floor.do(cmd.TurnHand(1, tuple(hand)), DEE)
    assert hand == names(current.pile(1)) and not current.corrected
    finish(floor, seat_by_seat=False)
    assert money(right.events) == money(floor.events)


STREET = {"T": "11.D.2", "U": "11.C.2", "J": "11.B", "R": "11.C"}  # on which cards are turned up


@pytest.mark.parametrize("game", [THB, UTH, JACKPOT, RUN])
def test_a_wrong_correction_of_the_board_changes_nothing(game: str) -> None:
    """The cards of a street that are named as they are turned up replace what was entered."""
    floor = read_by_shoe(game)
    while True:
        current = floor.table.in_progress()
        shown = current.street.shown if current.street else 0
        due = floor.table.due().kind
        if due == "show" and any(card not in current.exposed for card in current.layout[:shown]):
            break
        floor.go_on(stay(floor, game))
    board = list(current.layout)
    turned = [card for card in board[:shown] if card not in current.exposed]
    last = current.layout[-1]
    for card, wrong in zip(dict.fromkeys((turned[0], last)), names(floor.unseen()), strict=False):
        floor.do(cmd.CorrectReading(COMMUNITY, current.community.index(card), wrong), DEE)
    floor.refused(cmd.ShowStreet(), DEE, at(game, **STREET), "name ")
    floor.do(cmd.ShowStreet(tuple(names(turned))), DEE)
    assert board[:shown] == current.layout[:shown]
    assert current.exposed >= set(turned)
    hidden = {place for place, _ in current.corrected}
    assert hidden == ({COMMUNITY} if shown < len(board) else set())


@pytest.mark.parametrize("game", [THB, UTH, JACKPOT])
def test_a_card_face_up_hides_no_card_behind_it(game: str) -> None:
    """A command that is refused for a card face up is refused for that card only."""
    floor = closed(game)
    floor.do(cmd.FindCardFaceUp("2c"), DEE)
    for card in names(floor.unseen())[:2]:
        floor.do(cmd.DealCards((card,)), READER)
    for card in names(card for card in DECK if card):
        command = cmd.DealCards((card, "2c"))
        floor.refused(command, DEE, at(game, **ONE_DECK), "2c was already dealt")


@pytest.mark.parametrize("game", EVERY_GAME)
def test_who_reads_the_cards_knows_them(game: str) -> None:
    """A shoe is refused a card that it dealt before."""
    floor = closed(game)
    card = names(floor.unseen())[0]
    floor.do(cmd.DealCards((card,)), READER)
    floor.refused(cmd.DealCards((card,)), READER, at(game, **ONE_DECK), f"{card} was already dealt")


# One card read at two places.


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_card_read_at_two_places_is_named_when_it_is_turned_up(game: str) -> None:
    """Neither reading decides a wager: both hands are named as they lie on the table."""
    right = dealing(game)
    hands: dict[Slot, list[Face]] = {1: list(right.table.in_progress().pile(1))}
    right.play_until_settlement(STAYING[game])
    right.stub()
    finish(right, seat_by_seat=False)

    floor = dealing(game)
    current = floor.table.in_progress()
    elsewhere = [
        (place, pile[0])
        for place in current.places()
        if place not in (1, BURN) and (pile := current.pile(place))
    ]
    if not elsewhere:  # only the player has cards: a later card is read as one of these
        floor.do(cmd.ShowStreet(), DEE)
        floor.decide(stay(floor, game))
        held = current.pile(1)[0]
        floor.do(cmd.DealCards(tuple(names([held]))), DEE)
        assert current.pile(1)[0] is None and held not in current.gone
        return
    place, card = elsewhere[0]
    hands[place] = list(current.pile(place))
    floor.deck = floor.unseen()
    floor.do(cmd.CorrectReading(1, 0, names([card])[0]), DEE)
    assert current.pile(1)[0] is None and current.pile(place)[0] is None
    floor.refused(cmd.ReadCards(1, ("2c",)), DEE, at(game, **HANDS), "already read")
    rules = floor.house
    while floor.table.due().kind in ("deal", "show", "decide"):
        if floor.table.due().kind == "show" and place == "community":
            street = current.street
            shown = street.shown if street else rules.game.community_cards
            board = [card if face is None else face for face in current.layout[:shown]]
            turned = [face for face in board if face not in current.exposed]
            floor.do(cmd.ShowStreet(tuple(names(turned))), DEE)
        else:
            floor.go_on(stay(floor, game))
    floor.stub()
    while not current.hands_shown:
        turning = unturned_places(current)[0]
        if None in current.pile(turning):
            clause = at(game, **(FIRST_HAND if turning == DEALER else TURNS))
            floor.refused(cmd.TurnHand(turning), DEE, clause)
            floor.do(cmd.TurnHand(turning, tuple(names(hands[turning]))), DEE)
        else:
            floor.do(cmd.TurnHand(turning), DEE)
    assert not current.doubted
    finish(floor, seat_by_seat=False)
    assert money(right.events) == money(floor.events)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_card_face_up_puts_the_hidden_reading_in_doubt(game: str) -> None:
    """A card found face up cannot lie in a hand: that hand was misread."""
    floor = closed(game)
    card = names(floor.unseen())[0]
    floor.do(cmd.DealCards((card,)), DEE)
    current = floor.table.in_progress()
    place = next(place for place in current.places() if current.pile(place))
    floor.do(cmd.FindCardFaceUp(card), DEE)
    assert [None] == current.pile(place) and [card] == names(current.face_up)
    floor.do(cmd.CorrectReading(place, 0, names(floor.unseen())[-1]), DEE)
    assert None not in current.pile(place)
