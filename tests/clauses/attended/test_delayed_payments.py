"""A payment that has to wait for its award or document delays only itself (A152)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.games import COMMUNITY, DEALER
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.core.messages import Event
from croupier.table.parts.payouts import LAW
from tests.clauses.attended.claims import at
from tests.clauses.attended.fixtures.moments import COUNTING, MIA
from tests.clauses.attended.fixtures.round_moments import HUGE, PAYING, stake_of
from tests.clauses.attended.violations.violation import FIRST_HAND
from tests.support.attended_table import ANN, BOB, DEE, FLO, MAX, Floor, replayed
from tests.support.rounds import JACKPOT, RUN, UTH, house, opening_wagers, stacked_deck

VALIDATE = {UTH: "11.J.2.c", JACKPOT: "11.K.2.c", RUN: "A144"}
PAYS = {UTH: "11.H.3.b", JACKPOT: "11.I.3.b", RUN: "11.I.3.e"}
VERIFY = {UTH: "11.J.2.a", JACKPOT: "11.K.2.a", RUN: "A144"}


def ready_to_pay(game: str) -> Floor:
    """The hand of seat 2 is up; in Run 'Em Twice the runs are resolved."""
    rules = house(game, table=COUNTING, progressive_basis="best_five_of_seven")
    floor = Floor(rules).ready()
    floor.seat(2, BOB)
    wanted = {1: "2c 7d", 2: "3h 8c", COMMUNITY: "As Ks Qs Js Ts"}
    floor.deck = stacked_deck(rules, wanted, (1, 2))  # type: ignore[arg-type]
    floor.bet(1, ANN, progressive=stake_of(rules))
    floor.bet(2, BOB, progressive=stake_of(rules))
    floor.close_bets()
    stays = {UTH: ["4x"], JACKPOT: ["3x"], RUN: ["1x"] * 3}[game]
    floor.play_until_settlement([*stays, *stays])
    floor.stub()
    floor.turn_hands()
    return floor


def document(floor: Floor) -> None:
    """Complete the payout documents that are due now."""
    names = ("prepare_payout", "witness_payout", "notify_surveillance")
    while step := next((s for s in floor.table.next_steps(floor.at) if s.kind in names), None):
        floor.do(step.filled(), FLO if step.is_for(FLO) else next(iter(step.who)))


@pytest.mark.parametrize(
    "game",
    [pytest.param(g, marks=pytest.mark.proves(g, c)) for g, c in VALIDATE.items() if g != RUN]
    + [pytest.param(RUN, marks=pytest.mark.upholds("A144"))],
)
def test_one_seats_jackpot_delays_only_that_payment(game: str) -> None:
    """The amount is fixed at the turn; the next seat goes on, and the award is paid later."""
    floor = ready_to_pay(game)
    if game == RUN:  # the runs first, whose payouts wait for their documents
        floor.do(cmd.SettleSeat(2), DEE)
        floor.turn_hands()
        floor.do(cmd.SettleSeat(1), DEE)
    before = dict(floor.table.meters)
    events = floor.do(cmd.SettleSeat(2), DEE)
    (delayed,) = [
        e for e in events if isinstance(e, ev.PaymentDelayed) and e.wager == "progressive"
    ]
    (meter,) = [e for e in events if isinstance(e, ev.MeterPaid)]
    assert (2, meter.meter, meter.paid) == (delayed.seat, delayed.meter, delayed.returned)
    assert before[meter.meter] > Fraction(meter.after) == floor.table.meters[meter.meter]
    assert "progressive" not in floor.table.in_progress().boxes[2].settled
    floor.refused(cmd.SettleSeat(2), DEE, VALIDATE[game])
    floor.refused(cmd.FindWrongNumber("seat 1", "counted again"), FLO, PAYS[game])
    floor.turn_hands()
    floor.do(cmd.SettleSeat(1), DEE)
    (_, second) = floor.of(ev.MeterPaid)
    assert second.seat == 1 and second.paid < meter.paid  # the reset amount
    floor.refused(cmd.Settle(), DEE, VALIDATE[game])
    floor.do(cmd.VerifyAward(2, True), DEE)
    assert meter.paid == floor.of(ev.AwardVerified)[-1].amount
    floor.do(cmd.ValidateAward(2), FLO)
    floor.refused(cmd.Settle(), DEE, LAW)
    document(floor)
    chips = floor.rack("bob")
    paid = floor.do(cmd.SettleSeat(2), DEE)
    settled = {e.wager: e.returned for e in paid if isinstance(e, ev.WagerSettled)}
    assert meter.paid == settled["progressive"]
    assert not [e for e in paid if isinstance(e, ev.MeterPaid)]
    checks = sum(e.amount for e in paid if isinstance(e, ev.PaidByCheck))
    envy = sum(e.paid for e in paid if isinstance(e, ev.EnvyPaid) and e.seat == 2)
    assert chips + sum(settled.values()) + envy - checks == floor.rack("bob")
    floor.refused(cmd.Settle(), DEE, VALIDATE[game])  # the award of seat 1
    floor.do(cmd.VerifyAward(1, True), DEE)
    floor.do(cmd.ValidateAward(1), FLO)
    document(floor)
    floor.do(cmd.Settle(), DEE)
    assert floor.table.book.layout == 0 and not floor.table.rounds_played - 1
    assert replayed(floor.house, floor.events[:]).state() == floor.table.state()


@pytest.mark.upholds(LAW)
@pytest.mark.parametrize("game", list(HUGE))
def test_a_missing_document_delays_only_that_payment(game: str) -> None:
    """The other wagers of the seat are settled; the payout follows when it is documented."""
    rules = house(game, table=COUNTING)
    own, community, dealer, wager = HUGE[game]
    floor = Floor(rules).ready()
    floor.do(cmd.TakePost(), MIA)
    cards = {1: own, COMMUNITY: community, DEALER: dealer}
    floor.deck = stacked_deck(rules, {p: c for p, c in cards.items() if c}, (1,))  # type: ignore[misc]
    more = {wager: 1000} if rules.game.wager(wager).role == "optional" else {}  # type: ignore[union-attr]
    floor.do(cmd.PlaceWagers(1, opening_wagers(rules, 1000, **more)), ANN)
    floor.close_bets()
    floor.play_until_settlement(PAYING[game])
    floor.stub()
    floor.turn_hands()
    events = floor.do(cmd.SettleSeat(1), DEE)
    box = floor.table.in_progress().boxes[1]
    delayed = {event.wager for event in events if isinstance(event, ev.PaymentDelayed)}
    assert wager in delayed and box.settled and not delayed & box.settled.keys()
    assert box.stakes.keys() == delayed | box.settled.keys()
    assert sum(box.stakes[name] for name in delayed) == floor.table.layout
    floor.refused(cmd.SettleSeat(1), DEE, LAW)
    floor.refused(cmd.Settle(), DEE, LAW)
    document(floor)
    paid = floor.do(cmd.SettleSeat(1), DEE)
    assert delayed == {event.wager for event in paid if isinstance(event, ev.WagerSettled)}
    assert [ev.RoundClosed] == [type(event) for event in floor.do(cmd.Settle(), DEE)]


@pytest.mark.parametrize("game", list(HUGE))
def test_nothing_is_disclosed_before_the_hand_is_up(game: str) -> None:
    """A seat with a payout to document is refused like any other, and no document is prepared."""
    rules = house(game, table=COUNTING)
    own, community, dealer, wager = HUGE[game]
    floor = Floor(rules).ready()
    cards = {1: own, COMMUNITY: community, DEALER: dealer}
    floor.deck = stacked_deck(rules, {p: c for p, c in cards.items() if c}, (1,))  # type: ignore[misc]
    more = {wager: 1000} if rules.game.wager(wager).role == "optional" else {}  # type: ignore[union-attr]
    floor.do(cmd.PlaceWagers(1, opening_wagers(rules, 1000, **more)), ANN)
    floor.close_bets()
    floor.play_until_settlement(PAYING[game])
    floor.stub()
    floor.refused(cmd.PreparePayout(1, wager), FLO, LAW)
    floor.refused(cmd.SettleSeat(1), DEE, at(game, **FIRST_HAND), match="before paying")
    listed = {step.kind for step in floor.table.next_steps(floor.at)}
    assert not listed & {"prepare_payout", "settle_seat", "settle", "verify_award"}
    assert "turn_hand" in listed and "showdown" not in listed


@pytest.mark.upholds("A152")
@pytest.mark.parametrize("game", [UTH, RUN])
def test_an_envy_hand_is_validated_without_a_progressive_win(game: str) -> None:
    """Bob has no progressive wager; Ann is paid for his straight flush once it is validated."""
    rules = house(
        game,
        table=COUNTING,
        progressive_basis="best_five_of_seven",
        envy_holder_must_wager=False,
    )
    floor = Floor(rules).ready()
    floor.seat(2, BOB)
    wanted = {1: "2c 7d", 2: "6s 5s", COMMUNITY: "9s 8s 7s 2d 3h"}
    floor.deck = stacked_deck(rules, wanted, (1, 2))  # type: ignore[arg-type]
    floor.bet(1, ANN, progressive=stake_of(rules))
    floor.bet(2, BOB)
    floor.close_bets()
    stays = {UTH: ["4x"], RUN: ["1x"] * 3}[game]
    floor.play_until_settlement([*stays, *stays])
    floor.stub()
    events: list[Event] = []
    floor.turn_hands()
    if game == RUN:
        document(floor)
        floor.do(cmd.SettleSeat(2), DEE)
        floor.turn_hands()
        document(floor)
        floor.do(cmd.SettleSeat(1), DEE)
    events += floor.do(cmd.SettleSeat(2), DEE)
    (delayed,) = [e for e in events if isinstance(e, ev.PaymentDelayed) and e.holder]
    assert (1, "envy_2", 2) == (delayed.seat, delayed.wager, delayed.holder)
    assert 0 == floor.table.in_progress().boxes[1].envy
    document(floor)
    floor.refused(cmd.SettleSeat(2), DEE, VALIDATE[game])
    floor.refused(cmd.ValidateAward(2), FLO, VERIFY[game])
    (verified,) = floor.do(cmd.VerifyAward(2, True), DEE)
    (validated,) = floor.do(cmd.ValidateAward(2), FLO)
    assert "A152" in verified.clauses and "A152" in validated.clauses
    document(floor)
    paid = floor.do(cmd.SettleSeat(2), DEE)
    (envy,) = [event for event in paid if isinstance(event, ev.EnvyPaid)]
    assert (1, 2, delayed.returned) == (envy.seat, envy.holder, envy.paid)
    floor.settle()
    assert envy.paid == floor.table.round.boxes[1].envy  # type: ignore[union-attr]


@pytest.mark.parametrize("game", list(HUGE))
def test_the_tray_is_checked_at_each_turn(game: str) -> None:
    """A seat that the tray cannot pay needs a fill; the others are settled without one."""
    rules = house(game, table=COUNTING)
    floor = Floor(rules).ready()
    floor.seat(2, BOB)
    floor.bet(1, ANN)
    floor.bet(2, BOB)
    floor.close_bets()
    floor.play_until_settlement([*PAYING[game] * 2] if game != RUN else ["1x"] * 6)
    floor.stub()
    floor.turn_hands()
    tray = floor.table.book.tray
    floor.do(cmd.Correct(source="tray", target="cage", amount=tray, reason="lent", second=MAX), MIA)
    book = floor.table.book
    while (turn := next(iter(floor.table.resolution().turns), None)) is not None:
        trial = book.copy()
        for event in turn:
            trial.post(event)
        seat = floor.table.dealing and next(e.seat for e in turn if isinstance(e, ev.WagerSettled))
        assert seat
        if trial.tray < 0:
            floor.refused(cmd.SettleSeat(seat), DEE, rules.cite("settle.pays")[0], match="fill")
            due = [s.kind for s in floor.table.next_steps(floor.at) if s.due == "due"]
            assert "request_fill" in due
            back = cmd.Correct(source="cage", target="tray", amount=tray, reason="back", second=MAX)
            floor.do(back, MIA)
        floor.do(cmd.SettleSeat(seat), DEE)
        floor.turn_hands()
    floor.do(cmd.Settle(), DEE)
