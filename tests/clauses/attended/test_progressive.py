"""The progressive system, award validation, and large-payout documents."""

from __future__ import annotations

from datetime import date

import pytest

from croupier.games import COMMUNITY, DEALER, House, Slot
from croupier.table import Account
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.parts.payouts import LAW, thresholds
from tests.clauses.attended.claims import at, proving
from tests.clauses.attended.fixtures.moments import STAYING, WITH_PROGRESSIVE
from tests.support.attended_table import ANN, BOB, DEE, DOV, FLO, MAX, Floor
from tests.support.rounds import (
    EVERY_GAME,
    JACKPOT,
    RUN,
    THB,
    TOP,
    UTH,
    house,
    opening_wagers,
    stacked_deck,
)

ONE = {"shuffle_method": "counting_shuffler", "decks": 1}
SHOE = {"manual_shoe_location": "right"}
MIA = Account("mia", "pit_manager")


def stake(rules: House) -> int:
    """The progressive stake of a House."""
    assert rules.progressive is not None
    return rules.progressive.stake


@proving(UJ="2.C.1 2.C.2 7.F.3.b 2.C", R="2.B.6.1 2.B.6.2 2.B.6")
def test_each_position_acknowledges_and_the_system_locks(game: str) -> None:
    """A wager is acknowledged once, and refused after "no more bets" or with the system down."""
    rules = house(game, table=ONE)
    floor = Floor(rules).ready()
    wagers = opening_wagers(rules, progressive=stake(rules))
    floor.do(cmd.ReportFault("progressive"), DEE)
    floor.refused(cmd.PlaceWagers(1, wagers), ANN, "2.B.6" if game == RUN else "2.C")
    floor.do(cmd.ClearDevice("progressive"), FLO)
    floor.do(cmd.PlaceWagers(1, wagers), ANN)
    assert [1] == [event.seat for event in floor.of(ev.ProgressiveAcknowledged)]
    floor.do(cmd.ReportFault("progressive"), DEE)
    floor.refused(cmd.NoMoreBets(), DEE, at(game, UJ="2.C", R="2.B.6"))
    floor.do(cmd.ClearDevice("progressive"), FLO)
    floor.seat(2, BOB)
    floor.bet(2, BOB)
    floor.do(cmd.NoMoreBets(), DEE)
    locked = "2.B.6.2" if game == RUN else "2.C.2"
    floor.refused(cmd.PlaceWagers(2, {"progressive": stake(rules)}), BOB, locked)


COUNT = {
    "manual_shoe": dict.fromkeys((UTH, JACKPOT, RUN), "8.C.3"),
    "hand": {UTH: "9.A.3.b", JACKPOT: "9.A.3.b", RUN: "9.A.5.b"},
    "automated_shoe": dict.fromkeys((UTH, JACKPOT, RUN), "10.A.2.b.ii"),
}


def count_chips(game: str, method: str) -> None:
    """Assert that no card is dealt before the chip count; a floorperson resolves a difference."""
    rules = house(game, method, table=ONE, **(SHOE if method == "manual_shoe" else {}))
    floor = Floor(rules).ready()
    floor.bet(progressive=stake(rules))
    floor.do(cmd.NoMoreBets(), DEE)
    floor.refused(cmd.DealCards(("2c",)), DEE, COUNT[method][game])
    tray = floor.table.book.tray
    floor.do(cmd.CountProgressive(2), DEE)
    assert tray == floor.table.book.tray
    floor.refused(cmd.CountProgressive(1), DEE, COUNT[method][game])
    floor.refused(cmd.DealCards(("2c",)), DEE, COUNT[method][game])
    floor.refused(cmd.ResolveProgressive("fixed"), DEE, "A50")
    (done,) = floor.do(cmd.ResolveProgressive("the second chip was not acknowledged"), FLO)
    assert isinstance(done, ev.ProgressiveCollected)
    assert (2, 1, stake(rules)) == (done.counted, done.accepted, done.amount)
    assert tray + stake(rules) == floor.table.book.tray
    floor.play_until_settlement()
    floor.stub()
    floor.settle()
    floor.again()
    floor.bet(progressive=stake(rules))
    floor.close_bets()
    floor.deal()


@proving(UJR="8.C.3 8.C.4")
def test_chips_are_counted_at_a_manual_shoe(game: str) -> None:
    """See `count_chips`."""
    count_chips(game, "manual_shoe")


@proving(UJ="9.A.3.b 9.A.3.c", R="9.A.5.b 9.A.5.c")
def test_chips_are_counted_when_dealing_from_the_hand(game: str) -> None:
    """See `count_chips`."""
    count_chips(game, "hand")


@proving(UJR="10.A.2.b.ii 10.A.2.b.iii")
def test_chips_are_counted_at_an_automated_shoe(game: str) -> None:
    """See `count_chips`."""
    count_chips(game, "automated_shoe")


def royal(game: str) -> Floor:
    """Ann holds a royal flush with a progressive wager at the showdown."""
    rules = house(game, table=ONE)
    floor = Floor(rules).ready()
    community = "Qs 2d Js 3c Ts" if game == RUN else "Qs Js Ts 2d 3c"
    if game == RUN:  # left, right, top, bottom, center: a royal on both lines is impossible
        community = "Qs Js 2d 3c Ts"
    floor.deck = stacked_deck(rules, {1: "As Ks", COMMUNITY: community}, (1,))
    floor.bet(progressive=stake(rules))
    floor.close_bets()
    words = ["1x", "1x", "1x"] if game == RUN else ["check", "check", "1x"]
    floor.play_until_settlement(words)
    floor.stub()
    floor.turn_hands()
    if game == RUN:  # the runs are resolved before the progressive
        floor.do(cmd.SettleSeat(1), DEE)
    return floor


def document(floor: Floor) -> None:
    """Complete the payout documents of the round."""
    while True:
        steps = floor.table.next_steps(floor.at)
        kinds = ("prepare_payout", "witness_payout", "notify_surveillance")
        step = next((step for step in steps if step.kind in kinds), None)
        if step is None:
            return
        by = FLO if step.is_for(FLO) else next(iter(step.who))
        floor.do(step.filled(), by)


@proving(U="11.J.2.a 11.J.2.b 11.J.2.c", J="11.K.2.a 11.K.2.b 11.K.2.c")
def test_an_award_is_verified_and_validated_before_it_is_paid(game: str) -> None:
    """The dealer verifies hand and light, another person validates; then the award is paid."""
    paid_after_validation(game)


def fixed_odds(game: str) -> Floor:
    """Ann holds three of a kind with a progressive wager, paid at fixed odds."""
    rules = house(game, table=ONE)
    floor = Floor(rules).ready()
    cards = ("7s 2h", "7d 7c 2s Jh 9h") if game == RUN else ("7s 7h", "7d 2c 9s Jh 3h")
    floor.deck = stacked_deck(rules, {1: cards[0], COMMUNITY: cards[1]}, (1,))
    floor.bet(progressive=stake(rules))
    floor.close_bets()
    floor.play_until_settlement(["1x", "1x", "1x"] if game == RUN else ["check", "check", "1x"])
    floor.stub()
    floor.refused(cmd.VerifyAward(1, True), DEE, at(game, U="11.J.2.a", J="11.K.2.a", R="A144"))
    floor.turn_hands()
    if game == RUN:
        floor.do(cmd.SettleSeat(1), DEE)
    return floor


@pytest.mark.upholds("COMAR 36.03.10.10E")
@pytest.mark.parametrize("game", WITH_PROGRESSIVE)
def test_who_dealt_a_part_of_the_round_does_not_validate(game: str) -> None:
    """Another dealer verified the award, but the first one dealt the cards."""
    floor = fixed_odds(game)
    floor.do(cmd.TakePost(), DOV)
    floor.do(cmd.VerifyAward(1, True), DOV)
    dee = Account("dee", "floorperson")
    floor.do(cmd.TakePost(), dee)
    floor.refused(cmd.ValidateAward(1), dee, "COMAR 36.03.10.10E", "dee dealt in this round")
    (step,) = [s for s in floor.table.next_steps(floor.at) if s.kind == "validate_award"]
    assert (FLO, MAX) == step.who
    floor.do(cmd.ValidateAward(1), FLO)


@proving(U="11.J.2.a 11.J.2.b 11.J.2.c 11.J.2.d", J="11.K.2.a 11.K.2.b 11.K.2.c 11.K.2.d")
def test_fixed_odds_are_verified_and_validated_too(game: str) -> None:
    """Awards at fixed odds are also verified and validated."""
    fixed_odds_wait(game)


@pytest.mark.upholds("A144")
def test_fixed_odds_wait_in_run_em_twice() -> None:
    """R43 covers fixed odds too; the document leaves it to the internal controls (A144)."""
    fixed_odds_wait(RUN)


def fixed_odds_wait(game: str) -> None:
    """Assert that settlement needs both checks and pays the validated amount."""
    floor = fixed_odds(game)
    validate = {UTH: "11.J.2.c", JACKPOT: "11.K.2.c", RUN: "A144"}[game]
    floor.refused(cmd.Settle(), DEE, validate)
    floor.refused(cmd.ValidateAward(1), FLO, at(game, U="11.J.2.a", J="11.K.2.a", R="A144"))
    floor.do(cmd.VerifyAward(1, True), DEE)
    floor.refused(cmd.Settle(), DEE, validate)
    # No dealer may validate, not only the one who verified.
    floor.refused(cmd.ValidateAward(1), DEE, validate, match="expected floorperson")
    floor.do(cmd.ValidateAward(1), FLO)
    events = floor.do(cmd.Settle(), DEE)
    assert not [event for event in events if isinstance(event, ev.MeterPaid)]
    (award,) = floor.of(ev.AwardValidated)
    (paid,) = [
        event
        for event in events
        if isinstance(event, ev.WagerSettled) and event.wager == "progressive"
    ]
    assert ("", paid.returned) == (award.meter, award.amount)
    assert paid.returned > paid.stake


def test_the_same_in_run_em_twice() -> None:
    """The table requires validation although the document does not mention it (A144)."""
    paid_after_validation(RUN)


def paid_after_validation(game: str) -> None:
    """Assert the steps of one award from verification to payment."""
    floor = royal(game)
    document(floor)
    validated = at(game, U="11.J.2.c", J="11.K.2.c", R="A144")
    floor.refused(cmd.Settle(), DEE, validated)
    floor.refused(cmd.ValidateAward(1), FLO, at(game, U="11.J.2.a", J="11.K.2.a", R="A144"))
    floor.refused(cmd.VerifyAward(2, True), DEE, at(game, U="11.J.2.a", J="11.K.2.a", R="A144"))
    floor.refused(cmd.VerifyAward(1, True), FLO, at(game, U="11.J.2.a", J="11.K.2.a", R="A144"))
    floor.do(cmd.VerifyAward(1, False), DEE)
    floor.refused(cmd.Settle(), DEE, validated)
    floor.refused(cmd.ValidateAward(1), DEE, at(game, U="11.J.2.c", J="11.K.2.c", R="A144"))
    floor.refused(
        cmd.ValidateAward(1), FLO, at(game, U="11.J.2.b", J="11.K.2.b", R="A144")
    )  # the light was off: a reason is required
    floor.do(cmd.ValidateAward(1, "lamp replaced"), FLO)
    floor.refused(cmd.ValidateAward(1, "twice"), MAX, validated)
    events = floor.settle()
    (paid,) = [event for event in events if isinstance(event, ev.MeterPaid)]
    (award,) = floor.of(ev.AwardValidated)
    assert award.amount == paid.paid


def test_documents_by_tier() -> None:
    """A $10,000 award needs a document signed by two people, no notice, and is paid in chips."""
    floor = royal(UTH)
    steps = [step for step in floor.table.next_steps(floor.at) if step.kind == "prepare_payout"]
    wagers = {step.fixed["wager"] for step in steps}
    assert "progressive" in wagers
    floor.refused(cmd.PreparePayout(1, "ante"), FLO, LAW)
    floor.do(cmd.PreparePayout(1, "progressive"), FLO)
    floor.refused(cmd.PreparePayout(1, "progressive"), FLO, LAW)
    floor.refused(cmd.WitnessPayout(1), FLO, LAW)
    floor.refused(cmd.WitnessPayout(9), MAX, LAW)
    floor.do(cmd.VoidPayout(1, "wrong name"), MAX)
    floor.do(cmd.PreparePayout(1, "progressive"), FLO)
    floor.do(cmd.WitnessPayout(2), MAX)
    floor.refused(cmd.NotifySurveillance(2, True), FLO, LAW)
    document(floor)
    floor.do(cmd.VerifyAward(1, True), DEE)
    floor.do(cmd.ValidateAward(1), FLO)
    floor.settle()
    assert list(range(1, len(floor.table.payouts.documents) + 1)) == sorted(
        floor.table.payouts.documents
    )


def test_the_highest_tier_needs_a_manager_a_photograph_and_a_check() -> None:
    """A Blind of 500 to 1 on $200: $100,000 is witnessed by a manager and paid by check."""
    rules = house(UTH, table=ONE)
    floor = Floor(rules).ready()
    floor.do(cmd.TakePost(), MIA)
    floor.do(cmd.AddChips(1, 10_000_000), DEE)
    floor.deck = stacked_deck(rules, {1: "As Ks", COMMUNITY: "Qs Js Ts 2d 3c"}, (1,))
    floor.bet(ante=20_000)
    floor.close_bets()
    floor.play_until_settlement(["4x"])
    floor.stub()
    floor.refused(cmd.Settle(), DEE, "11.G.1")  # the hands are not turned up
    floor.refused(cmd.PreparePayout(1, "blind"), MAX, LAW)
    floor.turn_hands()
    floor.refused(cmd.Showdown(), DEE, "11.H.2")
    floor.refused(cmd.Settle(), DEE, LAW)
    floor.do(cmd.PreparePayout(1, "blind"), MAX)
    (made,) = floor.of(ev.PayoutDocumented)
    assert (made.winnings, made.witness) == (10_000_000, "pit_manager")
    assert made.surveillance and made.by_check
    floor.refused(cmd.WitnessPayout(1), FLO, LAW)
    floor.refused(cmd.WitnessPayout(1), MAX, LAW)
    floor.do(cmd.WitnessPayout(1), MIA)
    floor.refused(cmd.Settle(), DEE, LAW)
    floor.refused(cmd.NotifySurveillance(1, False), FLO, LAW)
    floor.do(cmd.NotifySurveillance(1, True), FLO)
    before = floor.rack("ann")
    floor.settle()
    back = sum(event.returned for event in floor.of(ev.WagerSettled))
    (check,) = floor.of(ev.PaidByCheck)
    assert 10_000_000 == check.amount
    assert before + back - check.amount == floor.rack("ann")


# A pair of aces beats everything that the dealer has, and pays a bet even money.
PAIR: dict[Slot, str] = {1: "As Ad", DEALER: "Kh Qd", COMMUNITY: "2c 7d 9h 4s Jc"}
WINNING: dict[str, dict[Slot, str]] = {
    THB: PAIR,
    TOP: {1: "As Ad 2c 7d 9h 4s Jc", DEALER: "Kh Qd 2d 7c 9s"},
    UTH: PAIR,
    JACKPOT: PAIR,
    RUN: {1: "As Ad", COMMUNITY: "2c 7d 9h 4s Jc"},
}


@pytest.mark.upholds(LAW)
@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("dollars", [24_998, 25_000, 49_998, 50_000])
def test_the_notice_and_the_check_depend_on_the_amount_alone(game: str, dollars: int) -> None:
    """At even money nothing is taxable; from $25,000 surveillance is notified, from $50,000 a
    check is paid (COMAR 36.05.03.23C(1), E(5)(a)).
    """
    ante = house(game).game.ante.name
    rules = house(game, table=ONE, limits={ante: (1_000, 100_000)})  # a higher payout limit
    floor = Floor(rules).ready(inventory=40_000_000)
    floor.do(cmd.AddChips(1, 40_000_000), DEE)
    floor.deck = stacked_deck(rules, WINNING[game], (1,))
    stake, times = dollars * 100, 2 if game == THB else 1
    floor.do(cmd.PlaceWagers(1, opening_wagers(rules, stake // times)), ANN)
    floor.close_bets()
    floor.play_until_settlement(STAYING[game])
    floor.stub()
    wager = next(event.wager for event in floor.of(ev.Decided) if event.wager)
    floor.turn_hands()
    before = floor.rack("ann")
    if dollars < 25_000:
        floor.refused(cmd.PreparePayout(1, wager), FLO, LAW)
    while any(s.kind == "prepare_payout" for s in floor.table.next_steps(floor.at)):
        floor.refused(cmd.Settle(), DEE, LAW)
        step = next(s for s in floor.table.next_steps(floor.at) if s.kind == "prepare_payout")
        floor.do(step.filled(), FLO)
        made = floor.of(ev.PayoutDocumented)[-1]
        assert ("", True, made.winnings >= 5_000_000) == (
            made.witness,
            made.surveillance,
            made.by_check,
        )
        floor.refused(cmd.WitnessPayout(made.serial), MAX, LAW, "needs no witness")
        floor.refused(cmd.Settle(), DEE, LAW)
        floor.do(cmd.NotifySurveillance(made.serial, True), FLO)
    floor.do(cmd.Settle(), DEE)
    won = {e.wager: e.returned - e.stake for e in floor.of(ev.WagerSettled) if e.outcome == "win"}
    assert won[wager] == stake
    checks = sum(event.amount for event in floor.of(ev.PaidByCheck))
    assert checks == sum(amount for amount in won.values() if amount >= 5_000_000)
    back = sum(event.returned for event in floor.of(ev.WagerSettled))
    assert floor.rack("ann") == before + back - checks


@pytest.mark.parametrize(("year", "due"), [(2025, True), (2026, False)])
def test_the_tax_threshold_depends_on_the_day(year: int, due: bool) -> None:
    """$1,500 at 300 to 1 is taxable in 2025 but not in 2026."""
    tiers = thresholds(date(year, 7, 1))
    assert due == (150_000 >= max(tiers.tax_form, tiers.tax_times * 500))
    assert 60_000 == thresholds(date(1960, 1, 1)).tax_form


@pytest.mark.upholds(LAW)
def test_a_ruling_reopens_what_was_checked() -> None:
    """A void round voids its payout documents and pays nothing."""
    floor = royal(JACKPOT)
    document(floor)
    floor.do(cmd.VerifyAward(1, True), DEE)
    floor.do(cmd.ValidateAward(1), FLO)
    floor.refused(cmd.FindWrongNumber("dealer"), DEE, "13.E")
    floor.refused(cmd.FindWrongNumber("dealer", " "), FLO, "13.E")
    floor.do(cmd.FindWrongNumber("dealer", "three cards were under the cover card"), FLO)
    assert not floor.table.progressive.awards
    assert all(document.void for document in floor.table.payouts.documents.values())
    floor.settle()
    assert not floor.of(ev.MeterPaid)
