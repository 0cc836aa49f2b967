"""Cards dealt unseen, hands turned one by one, seats settled one by one.

The same decks and decisions are played twice: with cards read by a shoe, and with cards that the
dealer names as they are turned up. Every cent and every clause must be the same.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from random import Random

import msgspec
import pytest

from croupier.cards import DECK, UNSEEN, card_from_name, names
from croupier.games import COMMUNITY, House, Slot
from croupier.table import Step, Table, kind_of, shown, view, viewer_of
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.core.messages import Event
from croupier.table.core.steps import steps_of
from croupier.table.parts.round.turn_order import next_showing, unturned_places
from tests.support.attended_table import ANN, BOB, DEE, FLO, READER, Floor, replayed
from tests.support.rounds import EVERY_GAME, METHODS, RUN, UTH, house, opening_wagers, refuses

MONEY = (ev.WagerSettled, ev.MeterPaid, ev.EnvyPaid)
ENDING = (
    "discard_stub",
    "count_stub",
    "verify_award",
    "validate_award",
    "prepare_payout",
    "witness_payout",
    "notify_surveillance",
    "request_fill",
    "count_fill",
    "sign_slip",
    "confirm_fill",
)
CLOSING = (*ENDING, "settle_seat", "settle")


class Blind(Floor):
    """A floor whose cards are dealt unseen and named when they are turned."""

    def __init__(self, rules: House, deck: Sequence[int] = DECK) -> None:
        super().__init__(rules)
        self.deck = deck
        self.lies: dict[Slot, list[int]] = {}
        self.drawn = 0

    def deal(self) -> None:
        """Deal unseen cards; only the test knows them."""
        assert self.table.dealing is not None
        places = list(self.table.dealing.pending)
        for place in places:
            self.lies.setdefault(place, []).append(self.deck[self.drawn])
            self.drawn += 1
        self.do(cmd.DealCards((UNSEEN,) * len(places)), DEE)

    def laid(self) -> list[int]:
        """Return the community cards in listed order."""
        rules, lies = self.house, self.lies.get(COMMUNITY, [])
        return [card for card in rules.game.arrange_community(lies, rules) if card is not None]

    def go_on(self, word: str = "") -> None:
        """Do what is due; a street is shown with the cards that are turned."""
        current = self.table.dealing
        if self.table.due().kind != "show" or current is None:
            super().go_on(word)
            return
        street = current.street
        face_up = self.laid()[: street.shown if street else self.house.game.community_cards]
        turned = [card for card in face_up if card not in current.exposed]
        self.do(cmd.ShowStreet(tuple(names(turned))), DEE)

    def turn_hands(self) -> None:
        """Turn up the hands that may be turned up now, and name their cards."""
        current = self.table.dealing
        assert current is not None
        while next_showing(current) is not None:
            self.turn()

    def turn(self) -> None:
        """Turn the next hand and name its cards."""
        assert self.table.dealing is not None
        place = unturned_places(self.table.dealing)[0]
        cards = self.laid() if place == COMMUNITY else self.lies[place]
        self.do(cmd.TurnHand(place, tuple(names(cards))), DEE)


def open_steps(floor: Floor, kinds: Container[str]) -> list[Step]:
    """Return the acceptable steps of these kinds, most urgent first; other kinds are not tried."""
    table = floor.table
    specs = [spec for spec in table.command_specs() if kind_of(spec.command) in kinds]
    steps = [step for spec in specs for step in steps_of(table, spec, floor.at) if not step.blocked]
    return sorted(steps, key=lambda step: ("overdue", "due", "may").index(step.due))


def finish(floor: Floor, *, seat_by_seat: bool) -> None:
    """Do all that is due, seat by seat; the last seats may be settled as the round is closed."""
    for _ in range(200):
        current = floor.table.dealing
        if current is None:
            return
        steps = {step.kind: step for step in reversed(open_steps(floor, CLOSING))}
        due = [steps[kind] for kind in ENDING if kind in steps and steps[kind].due != "may"]
        if due:
            step = due[0]
            values = {}
            if step.kind == "count_stub":
                values = {"cards": 52 - len(current.drawn)}
            floor.do(step.filled(**values), step.actor())
        elif next_showing(current) is not None:
            floor.turn_hands()
        elif "settle_seat" in steps and (seat_by_seat or "settle" not in steps):
            floor.do(steps["settle_seat"].filled(), DEE)
        else:
            floor.do(cmd.Settle(), DEE)
    raise AssertionError("the round does not end")


def answers(rules: House, seed: int) -> list[str]:
    """Return random decisions; one that a street does not offer is replaced."""
    rng = Random(seed)
    return [rng.choice(("bet", "bet", "check", "fold")) for _ in range(40)]


def play(floor: Floor, words: Sequence[str], *, seat_by_seat: bool, sides: bool = True) -> Floor:
    """Play a round of two players, with every wager or only the compulsory ones."""
    floor.ready()
    floor.seat(2, BOB)
    more = {
        wager.name: floor.house.progressive.stake
        if wager.role == "progressive" and floor.house.progressive
        else 500
        for wager in floor.house.game.wagers
        if sides and wager.role in ("optional", "progressive") and floor.house.offers(wager.name)
    }
    floor.bet(1, ANN, **more)
    floor.bet(2, BOB, **more)
    floor.close_bets()
    decisions = list(words)
    while (due := floor.table.due()).kind in ("deal", "show", "decide"):
        if due.kind != "decide":
            floor.go_on()
            continue
        options = floor.table.options()
        kind = decisions.pop(0)
        bets = [option.word for option in options if option.wager]
        rest = [option.word for option in options if not option.wager]
        floor.decide(bets[0] if kind == "bet" else kind if kind in rest else rest[0])
    finish(floor, seat_by_seat=seat_by_seat)
    return floor


def money(events: Sequence[Event]) -> list[Event]:
    """Return the payment events without time and clauses, which the first of a step carries."""
    payments = [event for event in events if isinstance(event, MONEY)]
    return [msgspec.structs.replace(event, at=msgspec.UNSET, clauses=()) for event in payments]


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_cards_named_at_the_showdown_pay_the_same_as_cards_read(
    game: str, method: str, seed: int
) -> None:
    """Same deck, same decisions: the same money and meters, seat by seat or all at once."""
    location = {"manual_shoe_location": "right"} if method == "manual_shoe" else {}
    rules = house(game, method, **location)
    deck = list(DECK)
    Random(f"{game} {method} {seed}").shuffle(deck)
    words = answers(rules, seed)
    read = Floor(rules)
    read.deck = deck
    play(read, words, seat_by_seat=False, sides=seed != 3)
    named = play(Blind(rules, deck), words, seat_by_seat=seed % 2 == 1, sides=seed != 3)
    assert money(read.events) == money(named.events)
    assert read.table.book.export() == named.table.book.export()
    assert read.table.meters == named.table.meters
    assert replayed(rules, named.events[:]).state() == named.table.state()


# Single rules


def blind(game: str = UTH, *, players: int = 1, **more: int) -> Blind:
    """Return a floor whose cards are dealt unseen in deck order, with the bets closed."""
    floor = Blind(house(game), DECK)
    floor.ready()
    floor.bet(1, ANN, **more)
    if players == 2:
        floor.seat(2, BOB)
        floor.bet(2, BOB)
    floor.close_bets()
    return floor


def test_a_street_is_shown_with_the_cards_that_are_turned() -> None:
    """The exact number of cards, each still in the deck; then they are recorded."""
    floor = blind()
    floor.deal()
    floor.go_on()
    floor.decide("check")
    assert "show" == floor.table.due().kind
    floor.refused(cmd.ShowStreet(), DEE, "11.C.2")
    floor.refused(cmd.ShowStreet(("2c", "3c")), DEE, "11.C.2")
    floor.refused(cmd.ShowStreet(("2c", "2c", "3c")), DEE, "3.A.1")
    floor.do(cmd.ShowStreet(("7c", "9d", "Ts")), DEE)
    floor.decide("check")
    floor.refused(cmd.ShowStreet(("7c", "2h")), DEE, "3.A.1")  # the 7c is on the flop
    floor.do(cmd.ShowStreet(("7d", "2h")), DEE)


def test_hands_are_turned_and_settled_in_their_order() -> None:
    """Dealer, box, then each seat from the right: its hand, its payments, then the next seat."""
    floor = blind(players=2, trips=500, six_card_bonus=500)
    floor.play_until_settlement(["4x", "4x"])
    assert ["dealer", "box", 2, 1] == unturned_places(floor.table.in_progress())
    floor.stub()
    floor.refused(cmd.TurnHand(1, ("2c", "3c")), DEE, "11.G.1")
    floor.refused(cmd.TurnHand("dealer"), DEE, "11.G.1")
    floor.refused(cmd.TurnHand("dealer", ("As",)), DEE, "10.B.3")
    on_board = names(floor.laid())[0]
    floor.refused(cmd.TurnHand("dealer", (on_board, "As")), DEE, "3.A.1")
    floor.refused(cmd.Settle(), DEE, "11.G.1")
    for place, clause in (("dealer", "11.G.1"), ("box", "A105"), (2, "11.H.2")):
        floor.refused(cmd.SettleSeat(2), DEE, clause)
        floor.turn()
        assert place in floor.table.in_progress().turned
    floor.refused(cmd.TurnHand(1, ("2c", "3c")), DEE, "11.H.2", match="settle seat 2 first")
    floor.refused(cmd.SettleSeat(1), DEE, "11.H.2")
    floor.refused(cmd.Settle(), DEE, "11.H.2")
    floor.do(cmd.SettleSeat(2), DEE)
    paid = floor.of(ev.WagerSettled)
    assert {2} == {event.seat for event in paid}
    assert not floor.table.in_progress().hands_shown
    floor.refused(cmd.FindWrongNumber("dealer"), FLO, "13.E")
    floor.refused(cmd.FindWrongNumber("dealer", "counted again"), FLO, "11.H.3.b")
    floor.do(cmd.RecordWalkAway(1), DEE)
    floor.refused(cmd.RuleAbandoned("ann", True, "left"), FLO, "11.H.3.b")  # a seat is paid
    rulings = [s for s in floor.table.next_steps(floor.at) if s.kind == "rule_abandoned"]
    assert [False] == [step.fields["lost"].example() for step in rulings]
    assert not rulings[0].fields["lost"].admits(True)
    floor.refused(cmd.SettleSeat(1), DEE, "11.H.2")
    floor.turn()
    assert floor.table.in_progress().hands_shown
    floor.refused(cmd.TurnHand(1), DEE, "11.H.2")
    floor.do(cmd.SettleSeat(1), DEE)
    floor.refused(cmd.SettleSeat(1), DEE, "11.K")
    events = floor.do(cmd.Settle(), DEE)
    assert [ev.RoundClosed] == [type(event) for event in events]


def test_a_folded_hand_without_side_wagers_stays_unseen() -> None:
    """The round settles without it, and the record shows its cards as unseen."""
    floor = blind()
    floor.play_until_settlement(["check", "check", "fold"])
    floor.stub()
    finish(floor, seat_by_seat=False)
    closed = floor.of(ev.RoundClosed)[-1]
    assert UNSEEN in closed.discards and 52 - closed.stub == len(closed.discards)


def test_only_attended_tables_deal_unseen() -> None:
    """A practice table has its own deck; a rehearsal names its cards."""
    table = Table(house(UTH))
    table.do(cmd.PlaceWagers(1, opening_wagers(house(UTH))))
    table.do(cmd.NoMoreBets())
    with refuses("10.B.3", match="unseen"):
        table.do(cmd.DealCards((UNSEEN,)))


def test_a_reader_reads_one_by_one_and_late() -> None:
    """It deals the cards it reads; a card it missed may be read later, still face down."""
    floor = blind()
    table = floor.table
    count = table.due().cards
    for number in range(count - 1):
        floor.do(cmd.DealCards((names([DECK[number]])[0],)), READER)
    floor.refused(cmd.DealCards((names([DECK[0]])[0],)), READER, "3.A.1")
    floor.do(cmd.DealCards((UNSEEN,)), READER)
    current = table.in_progress()
    place = next(place for place in current.places() if None in current.pile(place))
    known = [card for card in current.pile(place) if card is not None]
    floor.refused(cmd.ReadCards(place, tuple(names(known))), READER, "10.B.3")
    cards = tuple(names([*known, 51]))
    (event,) = floor.do(cmd.ReadCards(place, cards), READER)
    assert cards == event.cards  # type: ignore[attr-defined]
    redacted = shown(event, viewer_of(table, DEE))
    assert redacted is not None and {UNSEEN} == set(redacted["cards"])
    floor.refused(cmd.ReadCards(place, cards), READER, "10.B.3")
    floor.refused(cmd.ReadCards(6, ("As",)), READER, "10.B.3")


def test_a_misread_card_is_corrected_with_both_readings_on_record() -> None:
    """Face down the dealer corrects it; face up it takes a floorperson and a reason."""
    floor = Floor(house(UTH)).ready()
    floor.bet()
    floor.close_bets()
    floor.deal()
    current = floor.table.in_progress()
    was = names(current.pile(1))[0]
    floor.refused(cmd.CorrectReading(1, 2, "Ks"), DEE, "10.B.3")
    floor.refused(cmd.CorrectReading(6, 0, "Ks"), DEE, "10.B.3")
    (event,) = floor.do(cmd.CorrectReading(1, 0, "As"), DEE)
    assert isinstance(event, ev.ReadingCorrected)
    assert (was, "As", 1, False) == (event.was, event.card, event.place, event.face_up)
    assert card_from_name("As") in current.pile(1) and card_from_name(was) not in current.pile(1)
    hidden, own = (
        shown(event, viewer_of(floor.table, DEE)),
        shown(event, viewer_of(floor.table, ANN)),
    )
    assert hidden is not None and own is not None
    assert (UNSEEN, UNSEEN) == (hidden["was"], hidden["card"])
    assert (was, "As") == (own["was"], own["card"])
    floor.play_until_settlement(["4x"])
    flop = names(current.layout)[0]
    floor.refused(cmd.CorrectReading("community", 0, "Ks", "smeared"), DEE, "10.B.2")
    floor.refused(cmd.CorrectReading("community", 0, "Ks"), FLO, "10.B.2")
    floor.do(cmd.CorrectReading("community", 0, "Ks", "smeared"), FLO)
    assert card_from_name(flop) not in current.exposed
    assert "Ks" in view(floor.table, viewer_of(floor.table, ANN)).round.community  # type: ignore[union-attr]


def test_a_hand_is_announced_again_after_a_correction() -> None:
    """A correction of a seat's card turns that hand down; nothing it decided is corrected later."""
    floor = Floor(house(UTH)).ready()
    floor.seat(2, BOB)
    floor.bet()
    floor.bet(2, BOB)
    floor.close_bets()
    floor.play_until_settlement(["4x", "4x"])
    floor.stub()
    floor.turn_hands()
    was = names(floor.table.in_progress().pile(2))[0]
    floor.do(cmd.CorrectReading(2, 0, "As", "a different card is there"), FLO)
    floor.refused(cmd.SettleSeat(2), DEE, "11.H.2")
    floor.turn_hands()
    assert [0, 2, 2] == [event.seat for event in floor.of(ev.HandAnnounced)]
    floor.do(cmd.SettleSeat(2), DEE)
    dealer = names(floor.table.in_progress().dealer)[0]
    for place, card, clause in (
        (2, was, "10.B.3"),
        ("dealer", dealer, "10.B.3"),
        ("community", "2s", "10.B.2"),
    ):
        floor.refused(cmd.CorrectReading(place, 0, card, "no, it was right"), FLO, clause)
    steps = [s for s in floor.table.next_steps(floor.at) if s.kind == "correct_reading"]
    assert {1} == {step.fixed["place"] for step in steps}
    floor.turn_hands()
    floor.do(cmd.CorrectReading(1, 0, "Ac", "a different card is there"), FLO)
    assert [1] == unturned_places(floor.table.in_progress())
    floor.settle()
    assert "Ac" in floor.of(ev.HandAnnounced)[-1].cards


def test_a_correction_of_the_dealers_card_turns_all_hands_down() -> None:
    """Every announcement depends on it; nothing may be paid yet."""
    floor = Floor(house(UTH)).ready()
    floor.bet()
    floor.close_bets()
    floor.play_until_settlement(["4x"])
    floor.stub()
    floor.turn_hands()
    floor.do(cmd.CorrectReading("dealer", 0, "As", "a different card is there"), FLO)
    assert ["dealer", "box", 1] == unturned_places(floor.table.in_progress())


def test_runs_are_settled_pass_by_pass() -> None:
    """Run 'Em Twice pays its bonuses first: a seat is settled in several passes."""
    floor = play(Blind(house(RUN), DECK), ["bet"] * 9, seat_by_seat=True)
    turns = [event.seat for event in floor.of(ev.WagerSettled)]
    changes = [seat for seat, after in zip(turns, [*turns[1:], 0], strict=True) if seat != after]
    assert [2, 1, 2, 1, 2, 1] == changes
