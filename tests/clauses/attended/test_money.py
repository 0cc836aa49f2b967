"""Chip counts by denomination, fills and credits, tips, and amounts in whole chips."""

from __future__ import annotations

import msgspec
import pytest

from croupier.games import COMMUNITY, House
from croupier.money import dollars, meter_text
from croupier.table import Account, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.core import views
from croupier.table.core.accounting import POSTING_RULES
from croupier.table.core.steps import all_steps
from croupier.table.parts.chips.buy_in import EXCHANGE
from croupier.table.parts.chips.fills_and_credits import CREDITS, FILLS
from croupier.table.parts.house_binding import BALANCE
from croupier.table.parts.shift import CLOSING, OPENING
from croupier.table.parts.tray_count import COUNTS, SHIFTS
from tests.clauses.attended.claims import at, proving
from tests.clauses.attended.fixtures.moments import WITH_PROGRESSIVE
from tests.support.attended_table import (
    ANN,
    BOB,
    CAL,
    DEE,
    FLO,
    MAX,
    SID,
    Floor,
    replayed,
)
from tests.support.rounds import EVERY_GAME, TOP, UTH, house, opening_wagers, stacked_deck
from tests.support.shifts.houses import CHIPS

ONE = {"shuffle_method": "counting_shuffler", "decks": 1}
INVENTORY = {"100": 500, "500": 200, "2500": 100, "10000": 100}  # $14,000
CENTS = 1_400_000


def by_chip(game: str = TOP) -> House:
    """A House with a chip set."""
    return house(game, table=ONE, chip_set=CHIPS)


def opened(rules: House) -> Floor:
    """A table opened with `INVENTORY`."""
    floor = Floor(rules).staff()
    floor.attest()
    floor.receive()
    floor.inspect("one")
    floor.do(cmd.CountInventory(INVENTORY), DEE)
    floor.do(cmd.OpenTable(), FLO)
    return floor


def reopen(floor: Floor, chips: int | dict[str, int]) -> None:
    """Prepare the table for its next opening."""
    floor.attest()
    floor.receive("two", "blue")
    floor.inspect("two")
    floor.do(cmd.CountInventory(chips), DEE)


# Counts.


@pytest.mark.upholds("COMAR 36.05.03.02F")
def test_where_chips_are_submitted_every_count_is_by_denomination() -> None:
    """A sum and an unknown chip are refused; the count is recorded by denomination."""
    floor = Floor(by_chip()).staff()
    floor.refused(cmd.CountInventory(CENTS), DEE, COUNTS)
    for wrong in ({"200": 1}, {"100": -1}, {"red": 5}):
        floor.refused(cmd.CountInventory(wrong), DEE, COUNTS)
    (counted,) = floor.do(cmd.CountInventory({"500": 0, **INVENTORY}), DEE)
    assert isinstance(counted, ev.InventoryCounted)
    assert (CENTS, INVENTORY) == (counted.chips, counted.pile)
    floor.refused(cmd.CountInventory(INVENTORY), FLO, COUNTS)  # the dealer counts


def test_no_count_is_proposed_by_denomination_either() -> None:
    """The count is blind: no step discloses the balance of the tray."""
    floor = opened(by_chip())
    counts = [step for step in all_steps(floor.table, floor.at) if "chips" in step.asks_for()]
    assert {"count_inventory", "request_fill", "request_credit"} == {step.kind for step in counts}
    for step in counts:
        assert step.fields["chips"].example() in ({}, {"100": 1})
        assert str(CENTS) not in str(step)


@pytest.mark.upholds("COMAR 36.05.03.03")
def test_an_opening_is_compared_with_the_last_closing() -> None:
    """The same value in other chips is a difference too: it is recounted and needs a reason."""
    floor = opened(by_chip())
    floor.do(cmd.CountInventory(INVENTORY), DEE)
    floor.remove_decks()
    floor.do(cmd.CloseTable(), FLO)
    different = {**INVENTORY, "100": 505, "500": 199}
    reopen(floor, different)
    floor.refused(cmd.OpenTable("changed at the cage"), FLO, OPENING, match=r"^[^$]*recount")
    (due,) = [s for s in floor.table.next_steps(floor.at) if s.kind == "count_inventory"]
    assert ("due", "the count differs") == (due.due, due.why)
    floor.do(cmd.CountInventory(different), DEE)
    floor.refused(
        cmd.OpenTable(), FLO, OPENING, match=r"^[^$]*give a reason"
    )  # the amount is not disclosed
    floor.refused(cmd.OpenTable(" "), FLO, OPENING)
    (step,) = [s for s in floor.table.next_steps(floor.at) if s.kind == "open_table"]
    assert not step.fields["reason"].admits("")
    (again,) = floor.do(cmd.OpenTable("a chip was changed at the cage"), FLO)
    assert isinstance(again, ev.TableOpened) and "a chip was changed at the cage" == again.reason


@pytest.mark.upholds("COMAR 36.05.03.03")
@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_count_that_differs_is_the_one_that_is_repeated(game: str) -> None:
    """A count that agreed before it is no recount of a count that differs."""
    floor = opened(by_chip(game))
    floor.do(cmd.CountInventory(INVENTORY), DEE)
    floor.remove_decks()
    floor.do(cmd.CloseTable(), FLO)
    reopen(floor, INVENTORY)
    short = {**INVENTORY, "100": 400}
    for _ in range(2):
        floor.do(cmd.CountInventory(short), DEE)
        floor.refused(cmd.OpenTable("lost"), FLO, OPENING, match="recount")
        floor.do(cmd.CountInventory(INVENTORY), DEE)
    for _ in range(2):
        floor.do(cmd.CountInventory(short), DEE)
    floor.do(cmd.OpenTable("lost"), FLO)


def test_the_same_inventory_opens_without_a_reason() -> None:
    """Without a difference no reason is required."""
    floor = opened(by_chip())
    floor.do(cmd.CountInventory(INVENTORY), DEE)
    floor.remove_decks()
    floor.do(cmd.CloseTable(), FLO)
    reopen(floor, INVENTORY)
    floor.do(cmd.OpenTable(), FLO)


@pytest.mark.upholds("COMAR 36.05.03.08")
def test_a_closing_that_differs_needs_a_reason() -> None:
    """A difference needs two people and a reason, and is posted to the book."""
    floor = opened(by_chip())
    floor.do(cmd.CountInventory({**INVENTORY, "100": 499}), DEE)
    floor.remove_decks()
    floor.refused(cmd.CloseTable(), FLO, CLOSING)
    floor.refused(cmd.CloseTable("gone"), DEE, CLOSING)
    (closed,) = floor.do(cmd.CloseTable("one chip is missing"), FLO)
    assert isinstance(closed, ev.TableClosed)
    assert (CENTS - 100, CENTS) == (closed.inventory, closed.expected)
    assert 100 == floor.table.book.balance("difference")


@pytest.mark.upholds("COMAR 36.05.03.10B")
def test_a_change_of_shift_counts_the_tray() -> None:
    """The dealer counts, another person confirms; the next shift starts with the count."""
    floor = opened(by_chip())
    floor.refused(cmd.ChangeShift(), FLO, SHIFTS)  # not counted yet
    floor.do(cmd.CountInventory({**INVENTORY, "100": 498}), DEE)
    floor.refused(cmd.ChangeShift(), DEE, SHIFTS)
    floor.refused(cmd.ChangeShift(), FLO, SHIFTS)
    (changed,) = floor.do(cmd.ChangeShift("two chips short"), FLO)
    assert isinstance(changed, ev.ShiftChanged)
    assert (CENTS - 200, CENTS) == (changed.inventory, changed.expected)
    assert CENTS - 200 == floor.table.book.tray
    assert 200 == floor.table.book.balance("difference")
    floor.refused(cmd.ChangeShift(), FLO, SHIFTS)  # the count is used up
    assert replayed(floor.house, floor.events) == floor.table


def test_a_count_is_worth_nothing_after_the_tray_has_moved() -> None:
    """A buy-in, an exchange, a fill or a correction invalidates the count."""
    floor = opened(by_chip())
    floor.do(cmd.SitDown(1), ANN)
    moves = (
        (cmd.BuyIn(1, 50_000), DEE),
        (cmd.ExchangeChips(1, {"100": 5}, {"500": 1}), DEE),
        (
            cmd.Correct(
                source="tray",
                target="cage",
                amount=100,
                reason="miscounted",
                second=Account("cleo", "cage"),
            ),
            MAX,
        ),
    )
    for move, by in moves:
        floor.do(cmd.CountInventory(INVENTORY), DEE)
        floor.do(move, by)
        floor.refused(cmd.ChangeShift("counted before"), FLO, SHIFTS)


# The tray by denomination.


@pytest.mark.upholds("COMAR 36.05.03.02B")
def test_an_exchange_changes_chips_and_no_money() -> None:
    """An exchange is of equal value and within the rack; tray and rack balances stay."""
    floor = opened(by_chip())
    floor.seat(cash=10_000)
    up = cmd.ExchangeChips(1, {"100": 25}, {"2500": 1})
    floor.refused(up, ANN, EXCHANGE)
    floor.refused(cmd.ExchangeChips(1, {"100": 25}, {"500": 4}), DEE, EXCHANGE)
    floor.refused(cmd.ExchangeChips(1, {"100": 5}, {"100": 5}), DEE, EXCHANGE)
    floor.refused(cmd.ExchangeChips(1, {"100": 500}, {"50000": 1}), DEE, EXCHANGE)
    floor.refused(cmd.ExchangeChips(1, {"50": 2}, {"100": 1}), DEE, EXCHANGE)
    tray, rack = floor.table.book.tray, floor.rack("ann")
    (done,) = floor.do(up, DEE)
    assert isinstance(done, ev.ChipsExchanged)
    assert (tray, rack) == (floor.table.book.tray, floor.rack("ann"))
    assert 50_000 + 2_500 == floor.table.book.balance("tray:100")
    assert 250_000 - 2_500 == floor.table.book.balance("tray:2500")


def test_every_denomination_balances() -> None:
    """Counted chips are posted by denomination; the difference moved in play."""
    floor = opened(by_chip())
    floor.fill("F1", {"100": 100})
    floor.request_credit("C1", {"10000": 10})
    floor.do(cmd.SignSlip("C1"), SID)
    floor.do(cmd.ConfirmCredit("C1"), FLO)
    book = floor.table.book
    assert (60_000, 900_000) == (book.balance("tray:100"), book.balance("tray:10000"))
    assert (-10_000, 100_000) == (book.balance("fills:100"), book.balance("credits:10000"))
    floor.seat(cash=20_000)
    floor.do(cmd.Leave(1), ANN)
    count = {"100": 500, "500": 180, "2500": 100, "10000": 90}  # $100 each in ones and fives
    floor.do(cmd.CountInventory(count), DEE)
    floor.remove_decks()
    floor.do(cmd.CloseTable(), FLO)
    assert (10_000, 10_000) == (book.balance("play:100"), book.balance("play:500"))
    assert 0 == book.balance("tray:100") == book.balance("tray")
    for chip in floor.house.chips:
        of_one = [v for name, v in book.balances.items() if name.endswith(f":{chip.cents}")]
        assert 0 == sum(of_one), chip
    assert 0 == sum(book.balances.values())
    assert {ev.ChipsExchanged, ev.ShiftChanged, ev.Tipped} <= set(POSTING_RULES)


# Fills and credits.


@pytest.mark.upholds("COMAR 36.05.03.04")
def test_a_fill_is_requested_before_it_is_counted() -> None:
    """The floor requests a fill under a new slip, in existing chips, before it is counted."""
    floor = opened(by_chip())
    floor.refused(cmd.CountFill("F1", {"100": 10}), CAL, FILLS)
    floor.refused(cmd.RequestFill("F1", 1_000), FLO, FILLS)
    floor.refused(cmd.RequestFill("F1", {}), FLO, FILLS)
    floor.refused(cmd.RequestFill(" ", {"100": 10}), FLO, FILLS)
    floor.refused(cmd.RequestFill("F1", {"100": 10}), DEE, FILLS)
    (request,) = floor.do(cmd.RequestFill("F1", {"100": 10}), FLO)
    assert isinstance(request, ev.FillRequested) and (1_000, FLO) == (request.chips, request.by)
    floor.refused(cmd.RequestFill("F1", {"100": 10}), FLO, FILLS)
    floor.refused(cmd.RequestCredit("F1", {"100": 10}), FLO, CREDITS)
    floor.refused(cmd.CountCredit("F1", {"100": 10}), DEE, CREDITS)
    floor.refused(cmd.SignSlip("F1"), SID, FILLS)  # not counted yet
    floor.refused(cmd.ConfirmFill("F1"), FLO, FILLS)
    floor.refused(cmd.CountFill("F1", {"100": 10}), Account("flo", "cage"), FILLS)
    (step,) = [s for s in floor.table.next_steps(floor.at) if s.kind == "count_fill"]
    assert ("due", ("cage",), ("flo",)) == (step.due, step.open_to, step.except_for)
    assert "$10.00 (10 of $1.00) requested" == step.why
    asked_of = views.steps(floor.table, views.viewer_of(floor.table, CAL), floor.at)
    assert [("count_fill", "due")] == [(s.kind, s.due) for s in asked_of if not s.blocked]
    floor.do(cmd.CountFill("F1", {"100": 10}), CAL)
    floor.refused(cmd.CountFill("F1", {"100": 10}), Account("kim", "cage"), FILLS)


@pytest.mark.upholds("COMAR 36.05.03.04")
def test_a_fill_has_four_people() -> None:
    """The cashier counts a fill, security and the dealer sign it, the floor confirms it."""
    floor = opened(by_chip())
    floor.request_fill("F1", {"100": 10})
    floor.refused(cmd.ConfirmFill("F1"), FLO, FILLS)  # not signed yet
    for early in (FLO, DEE, Account("kim", "cage"), Account("cal", "security")):
        floor.refused(cmd.SignSlip("F1"), early, FILLS)
    floor.do(cmd.SignSlip("F1"), SID)
    floor.refused(cmd.SignSlip("F1"), SID, FILLS)
    floor.refused(cmd.ConfirmFill("F1"), FLO, FILLS)  # the dealer has not verified it
    floor.do(cmd.TakePost(), Account("sid", "dealer"))
    floor.refused(cmd.SignSlip("F1"), Account("sid", "dealer"), FILLS)
    floor.do(cmd.TakePost(), DEE)
    floor.do(cmd.SignSlip("F1"), DEE)
    tray = floor.table.book.tray
    floor.refused(cmd.ConfirmFill("F1"), DEE, FILLS)
    floor.do(cmd.TakePost(), Account("cal", "floorperson"))
    floor.refused(cmd.ConfirmFill("F1"), Account("cal", "floorperson"), FILLS)
    floor.do(cmd.ConfirmFill("F1"), FLO)
    assert tray + 1_000 == floor.table.book.tray
    floor.refused(cmd.ConfirmFill("F1"), MAX, FILLS)


@pytest.mark.upholds("COMAR 36.05.03.05")
def test_a_credit_is_signed_on_its_way_and_on_arrival() -> None:
    """A credit is counted by the dealer, signed by security, and by the cashier on arrival."""
    floor = opened(by_chip())
    floor.refused(cmd.CountCredit("C1", {"10000": 10}), DEE, CREDITS)
    floor.refused(cmd.RequestCredit("C1", {"10000": 10}), DEE, CREDITS)
    floor.do(cmd.RequestCredit("C1", {"10000": 10}), FLO)
    floor.refused(cmd.CountCredit("C1", {"10000": 1_000}), DEE, "7.A")  # more than the tray holds
    floor.do(cmd.LeavePost(), FLO)
    floor.do(cmd.TakePost(), Account("flo", "dealer"))
    floor.refused(cmd.CountCredit("C1", {"10000": 10}), Account("flo", "dealer"), CREDITS)
    floor.do(cmd.TakePost(), DEE)
    floor.do(cmd.CountCredit("C1", {"10000": 10}), DEE)
    floor.refused(cmd.SignSlip("C1"), CAL, CREDITS)
    floor.refused(cmd.ConfirmCredit("C1"), MAX, CREDITS)
    floor.do(cmd.SignSlip("C1"), SID)
    floor.do(cmd.ConfirmCredit("C1"), MAX)
    assert CENTS - 100_000 == floor.table.book.tray
    steps = [s for s in floor.table.next_steps(floor.at) if s.kind == "sign_slip"]
    assert [("due", ("cage",))] == [(step.due, step.open_to) for step in steps]
    floor.refused(cmd.SignSlip("C1"), SID, CREDITS)
    floor.refused(cmd.SignSlip("C1"), Account("dee", "cage"), CREDITS)
    floor.do(cmd.SignSlip("C1"), CAL)
    floor.refused(cmd.SignSlip("C1"), CAL, "COMAR 36.05.03.04")


@pytest.mark.parametrize(("kind", "law"), [("fill", FILLS), ("credit", CREDITS)])
def test_a_count_that_is_not_what_was_requested_is_not_confirmed(kind: str, law: str) -> None:
    """A count that differs from the request must be recounted or canceled."""
    floor = opened(by_chip())
    fill = kind == "fill"
    request = cmd.RequestFill if fill else cmd.RequestCredit
    count, by = (cmd.CountFill, CAL) if fill else (cmd.CountCredit, DEE)
    confirm = cmd.ConfirmFill if fill else cmd.ConfirmCredit
    signers = (SID, DEE) if fill else (SID,)
    floor.do(request("S1", {"100": 10}), FLO)
    for wrong in ({"100": 9}, {"500": 2}):
        if floor.table.chips.waiting["S1"].count is None:
            floor.do(count("S1", wrong), by)
        else:
            floor.do(cmd.RecountSlip("S1", wrong, "counted again"), by)
        for person in signers:
            floor.do(cmd.SignSlip("S1"), person)
        floor.refused(confirm("S1"), FLO, law, match="recount or cancel it")
        assert "confirm_" + kind not in {s.kind for s in floor.table.next_steps(floor.at)}
    floor.do(cmd.RecountSlip("S1", {"100": 10, "500": 0}, "counted again"), by)
    for person in signers:
        floor.do(cmd.SignSlip("S1"), person)
    tray = floor.table.book.tray
    floor.do(confirm("S1"), FLO)
    assert (1_000 if fill else -1_000) == floor.table.book.tray - tray


@pytest.mark.parametrize(("kind", "law"), [("fill", FILLS), ("credit", CREDITS)])
def test_a_slip_is_recounted_or_cancelled_before_it_is_confirmed(kind: str, law: str) -> None:
    """A recount and a cancellation need a reason; a recount voids the signatures."""
    floor = opened(by_chip())
    fill = kind == "fill"
    request = cmd.RequestFill if fill else cmd.RequestCredit
    confirm = cmd.ConfirmFill if fill else cmd.ConfirmCredit
    floor.refused(cmd.RecountSlip("S1", {"100": 1}, "why"), DEE, "COMAR 36.05.03.04")
    floor.do(request("S1", {"100": 10}), FLO)
    floor.refused(cmd.RecountSlip("S1", {"100": 9}, "one fell"), DEE, law)  # not counted yet
    count, by = (cmd.CountFill, CAL) if fill else (cmd.CountCredit, DEE)
    floor.do(count("S1", {"100": 9}), by)
    floor.do(cmd.SignSlip("S1"), SID)
    floor.refused(cmd.RecountSlip("S1", {"100": 10}, ""), DEE, law)
    floor.refused(cmd.RecountSlip("S1", {"100": 10}, "one lay aside"), FLO, law)
    if not fill:  # the cashier cannot count a credit
        floor.refused(cmd.RecountSlip("S1", {"100": 10}, "one lay aside"), CAL, law)
    floor.refused(cmd.RecountSlip("S1", {"100": 10}, "mine"), Account("flo", "cage"), law)
    (again,) = floor.do(cmd.RecountSlip("S1", {"100": 10}, "one lay aside"), DEE)
    assert isinstance(again, ev.SlipRecounted) and 1_000 == again.chips
    floor.refused(confirm("S1"), FLO, law)  # signed for nine, not for ten
    floor.refused(cmd.CancelSlip("S1", " "), FLO, law)
    floor.refused(cmd.CancelSlip("S1", "wrong table"), DEE, law)
    floor.remove_decks()
    floor.refused(cmd.CloseTable(), FLO, CLOSING)  # a slip is open
    tray = floor.table.book.tray
    (cancelled,) = floor.do(cmd.CancelSlip("S1", "wrong table"), FLO)
    assert isinstance(cancelled, ev.SlipCancelled) and tray == floor.table.book.tray
    floor.refused(confirm("S1"), FLO, law)
    floor.refused(request("S1", {"100": 10}), FLO, law)
    floor.do(request("S2", {"100": 10}), FLO)
    floor.do(cmd.CancelSlip("S2", "not needed"), FLO)  # before the count
    assert replayed(floor.house, floor.events) == floor.table


# Tips.


@proving(TFR="2.C.1", UJ="2.D.1")
def test_tips_go_into_the_tip_box(game: str) -> None:
    """A tip moves from the player's rack into the tip box; the tray does not change."""
    floor = Floor(house(game, table=ONE)).ready()
    tray = floor.table.book.tray
    floor.refused(cmd.Tip(1, 500), DEE, floor.house.cite("table.equipment")[0])
    floor.refused(cmd.Tip(1, 500), BOB, at(game, TUJ="7.C", FR="7.B.1"))
    floor.refused(cmd.Tip(1, 1_000_001), ANN, "7.A")
    floor.refused(cmd.Tip(1, 0), ANN, "7.A")
    (tipped,) = floor.do(cmd.Tip(1, 500), ANN)
    assert isinstance(tipped, ev.Tipped)
    assert (999_500, tray) == (floor.rack("ann"), floor.table.book.tray)
    assert 500 == floor.table.book.balance("tips")


# The lowest chip.


@pytest.mark.upholds("A24")
def test_the_lowest_chip_governs_what_is_bought_and_wagered() -> None:
    """Buy-ins and wagers are in whole chips (A24)."""
    floor = opened(by_chip())
    floor.do(cmd.SitDown(1), ANN)
    floor.refused(cmd.BuyIn(1, 10_050), DEE, "A24")
    floor.refused(cmd.AddChips(1, 10_050), DEE, "A24")
    floor.do(cmd.BuyIn(1, 10_000), DEE)
    floor.refused(cmd.PlaceWagers(1, {"ante": 550}), ANN, "A24")
    floor.refused(cmd.Tip(1, 50), ANN, "A24")
    floor.do(cmd.PlaceWagers(1, {"ante": 500}), ANN)


@pytest.mark.upholds("A24")
def test_winnings_that_are_no_whole_chips_are_rounded_or_the_wager_is_refused() -> None:
    """3 to 2 on $5 is $7.50: refused if paid exactly, rounded up to a chip if submitted so."""
    exact, up = by_chip(UTH), house(UTH, table=ONE, chip_rounding="up_to_chip", lowest_chip=1)
    floor = opened(exact)
    floor.seat(cash=100_000)
    floor.refused(cmd.PlaceWagers(1, opening_wagers(exact, ante=500)), ANN, "A24")
    (step,) = [s for s in floor.table.next_steps(floor.at) if s.kind == "place_wagers"]
    assert not step.fields["wagers"].admits(opening_wagers(exact, ante=500))
    assert step.fields["wagers"].admits(opening_wagers(exact, ante=600))
    floor.do(cmd.PlaceWagers(1, opening_wagers(exact, ante=600)), ANN)
    rounded = Floor(up).ready()
    rounded.deck = stacked_deck(up, {1: "As Ts", COMMUNITY: "2s 5s 9s 3d Kd"}, (1,))
    rounded.bet(ante=500)
    rounded.close_bets()
    rounded.play_until_settlement(["4x"])
    rounded.stub()
    rounded.settle()
    (blind,) = [e for e in rounded.of(ev.WagerSettled) if e.wager == "blind"]
    assert ("3 to 2", 500 + 800) == (blind.pays, blind.returned)


# Corrections.


def moved(source: str, target: str, amount: int = 500) -> cmd.Correct:
    """A correction by two people."""
    second = Account("cleo", "cage")
    return cmd.Correct(
        source=source, target=target, amount=amount, reason="miscounted", second=second
    )


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize(
    "account", ["rack:", "held:", "rack:bob", "held:bob", "rack:Ann", "rack:ann ", "tips", "tray:5"]
)
def test_a_correction_needs_an_account_of_somebody_here(game: str, account: str) -> None:
    """A rack belongs to a seated player, held money to one who was here; ids are as spelled."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.refused(moved("cage", account), MAX, BALANCE)
    floor.refused(moved(account, "cage"), MAX, BALANCE)
    floor.do(moved("cage", "rack:ann"), MAX)
    floor.do(cmd.Leave(1), ANN)
    floor.refused(moved("cage", "rack:ann", 700), MAX, BALANCE)
    floor.do(moved("cage", "held:ann", 700), MAX)
    assert {"ann": 700} == floor.table.book.held()
    floor.wait(73)
    floor.do(moved("held:ann", "cage", 700), MAX)
    floor.refused(moved("cage", "held:ann", 900), MAX, BALANCE)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_correction_leaves_every_balance_possible(game: str) -> None:
    """No rack, tray, drop box or slip holds less than nothing, and no refusal says how much."""
    floor = Floor(house(game, table=ONE)).ready()  # Ann bought in for $10,000
    floor.fill("F1", 40_000)
    for source, target, most in (
        ("rack:ann", "cage", 1_000_000),
        ("drop", "cash", 1_000_000),
        ("cage", "fills", 40_000),
        ("tray", "cage", floor.table.book.tray),
        ("credits", "cage", 0),
        ("held:ann", "cage", 0),
        ("cage", "checks", 0),
    ):
        refused = floor.refused(moved(source, target, most + 1), MAX, BALANCE)
        assert dollars(most) not in str(refused)
        if most:
            floor.do(moved(source, target, most), MAX)
            floor.refused(moved(source, target, 1), MAX, BALANCE)
            floor.do(moved(target, source, most), MAX)
    assert replayed(floor.house, floor.events) == floor.table


@pytest.mark.upholds("A24")
@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("tray", "rack:ann"),
        ("rack:ann", "tray"),
        ("cage", "tray"),
        ("tray", "cage"),
        ("cage", "rack:ann"),
        ("rack:ann", "pocket"),
        ("cage", "held:ann"),
        ("cage", "fills"),
        ("credits", "cage"),
    ],
)
def test_a_correction_moves_whole_chips(game: str, source: str, target: str) -> None:
    """What comes out of a rack is paid in chips, so no correction leaves cents in one."""
    floor = opened(by_chip(game))  # the lowest chip is $1
    floor.seat(cash=100_000)
    floor.fill("F1", {"100": 10})
    for amount in (37, 137):
        refused = floor.refused(moved(source, target, amount), MAX, "A24")
        assert str(refused).startswith(f"{dollars(amount)} is not a multiple of the lowest chip")
    floor.do(moved("cage", "drop", 37), MAX)  # cash may have cents
    if source != "credits":  # of which the table had none
        floor.do(moved(source, target, 100), MAX)


def test_a_correction_at_a_table_with_credits_may_have_cents() -> None:
    """Credits are not chips."""
    rules = house(
        UTH,
        table=ONE,
        electronic_version=True,
        without=["six_card_bonus"],
        chip_set=CHIPS,
        wagering_instruments=["credits"],
    )
    floor = opened(rules)
    floor.do(cmd.SitDown(1), ANN)
    floor.do(moved("cage", "tray", 37), MAX)
    floor.do(moved("tray", "rack:ann", 37), MAX)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_drop_of_an_earlier_shift_is_not_corrected(game: str) -> None:
    """The drop box was emptied when the table was closed."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.do(cmd.Leave(1), ANN)
    floor.do(cmd.CountInventory(floor.table.book.tray), DEE)
    floor.remove_decks()
    floor.do(cmd.CloseTable(), FLO)
    assert 0 == floor.table.drop < floor.table.book.balance("drop")
    floor.refused(moved("drop", "cash"), MAX, BALANCE)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_no_table_pays_out_cash(game: str) -> None:
    """A correction may take back what players paid in, or what was a check, but no more."""
    floor = Floor(house(game, table=ONE)).ready()  # Ann bought in for $10,000
    floor.refused(moved("cage", "cash", 1_000_001), MAX, BALANCE, "no cash")
    floor.do(moved("cage", "cash", 1_000_000), MAX)
    floor.refused(moved("tray", "cash", 1), MAX, BALANCE, "no cash")
    floor.do(moved("checks", "cash", 500), MAX)
    floor.refused(moved("cage", "checks", 500), MAX, BALANCE, "no cash")
    floor.do(moved("cash", "checks", 500), MAX)


@pytest.mark.upholds("COMAR 36.03.10.10E")
@pytest.mark.parametrize("game", EVERY_GAME)
def test_nobody_corrects_the_own_money(game: str) -> None:
    """Neither of the two people, in any role."""
    floor = Floor(house(game, table=ONE)).ready()
    law = "COMAR 36.03.10.10E"
    floor.refused(moved("cage", "rack:ann"), Account("ann", "cage"), law)
    floor.refused(moved("rack:ann", "held:cleo"), MAX, law)
    floor.do(cmd.Leave(1), ANN)
    floor.refused(moved("held:ann", "cage"), Account("ann", "cage"), law)
    floor.do(moved("cage", "held:ann"), MAX)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_correction_is_entered_once_however_its_reason_is_spelled(game: str) -> None:
    """The same accounts, amount and reason are the same correction."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.do(moved("cage", "tray"), MAX)
    for reason in ("miscounted", "Miscounted", " miscounted "):
        again = msgspec.structs.replace(moved("cage", "tray"), reason=reason)
        floor.refused(again, MAX, BALANCE, "already made")


def adjusted(amount: int | str, approval: str, meter: str) -> cmd.AdjustMeter:
    """A meter set right by two people."""
    return cmd.AdjustMeter(
        meter=meter,
        amount=amount,
        reason="a power failure",
        approval=approval,
        second=Account("cleo", "cage"),
    )


@pytest.mark.upholds("COMAR 36.05.03.24J")
@pytest.mark.parametrize("game", WITH_PROGRESSIVE)
def test_an_approval_adjusts_a_meter_once_however_it_is_spelled(game: str) -> None:
    """An approval is another one only if it has another name."""
    floor = Floor(house(game, table=ONE)).ready()
    meter = next(iter(floor.table.meters))
    floor.do(adjusted(100, "Letter 7", meter), MAX)
    for approval in ("Letter 7", "letter 7", " LETTER  7 "):
        floor.refused(adjusted(100, approval, meter), MAX, BALANCE, "already used")
    snapshot = Table.from_snapshot(floor.table.to_snapshot(), floor.table.find_house)
    assert snapshot.corrections == floor.table.corrections


@pytest.mark.upholds("COMAR 36.05.03.24J")
@pytest.mark.parametrize("game", WITH_PROGRESSIVE)
def test_a_void_leaves_no_meter_below_zero(game: str) -> None:
    """An adjustment leaves what a void takes out of the meter again."""
    floor = Floor(house(game, table=ONE)).ready()
    assert floor.house.progressive is not None
    meter, before = next(iter(floor.table.meters.items()))
    floor.bet(progressive=floor.house.progressive.stake)
    floor.close_bets()
    fed = floor.table.meters[meter] - before
    assert fed > 0
    floor.refused(adjusted(meter_text(-before - fed), "L 1", meter), MAX, BALANCE, "below zero")
    floor.do(adjusted(meter_text(-before), "L 1", meter), MAX)
    floor.void()
    floor.settle()
    assert 0 == floor.table.meters[meter]


# Whole chips, and names of slips.


@pytest.mark.upholds("A24")
@pytest.mark.parametrize("game", EVERY_GAME)
def test_chips_are_cashed_out_whole(game: str) -> None:
    """With $1 chips nobody takes $10.37 off the table."""
    floor = opened(by_chip(game))
    floor.seat()
    floor.refused(cmd.CashOut(1, 10_37), ANN, "A24")
    floor.do(cmd.CashOut(1, 10_00), ANN)
    (step,) = [s for s in floor.table.next_steps(floor.at) if s.kind == "cash_out"]
    assert not step.admits(cmd.CashOut(1, 10_37), ANN)


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("slip", ["F1", "f1", " F1", "f1 "])
def test_a_slip_number_is_used_once_however_it_is_spelled(game: str, slip: str) -> None:
    """For fills and credits."""
    floor = opened(by_chip(game))
    floor.do(cmd.RequestFill("F1", {"100": 5}), FLO)
    floor.refused(cmd.RequestFill(slip, {"100": 5}), FLO, FILLS)
    floor.refused(cmd.RequestCredit(slip, {"100": 5}), FLO, CREDITS)
    step = next(s for s in floor.table.next_steps(floor.at) if s.kind == "request_fill")
    assert not step.fields["slip"].admits(slip)
