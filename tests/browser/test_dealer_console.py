"""Dealer console: rounds with typed cards, face-down cards and a card reader."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from contextlib import aclosing, contextmanager
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.cards import DECK, UNSEEN, names
from croupier.server import Floor
from croupier.server.card_reader import CardReader, simulated
from croupier.table import Table
from tests.browser.browser_user import (
    BrowserUser,
    axe_violations,
    check_redrawing,
    press_decision,
    press_repeatedly,
)
from tests.support.floor_server import ServerThread, serving
from tests.support.server_shift import bet, decide, make_ready, seat_bob, serve_house

pytestmark = pytest.mark.xdist_group(__name__)
TABLE = "T4"
ENTRY_SECONDS, ROUND_SECONDS = 20, 120


@pytest.fixture
def house(tmp_path: Path) -> Iterator[ServerThread]:
    """A server with one staffed table; every person has one post."""
    with serving(tmp_path) as world:
        world.open(TABLE, "ultimate_texas_holdem", service="attended")
        make_ready(world, TABLE)
        bet(world, TABLE)
        yield world


class ConsoleDealer:
    """A dealer at the keyboard, with a shuffled deck."""

    def __init__(self, world: ServerThread, browser: Browser, seed: int, **options: Any) -> None:
        self.world, self.table = world, TABLE
        self.player = BrowserUser(world, browser, "dana", **options)
        self.page: Page = self.player.page
        self.keys = 0  # pressed
        deck = list(DECK)
        Random(seed).shuffle(deck)
        self.deck = iter(names(deck))
        self.results: list[str] = []  # of the last payment, as shown
        self.reasons: list[str] = []
        self.shown: set[str] = set()  # cards of the board that were turned
        self.dealt: dict[str, list[str]] = {}  # cards by place
        self.page.goto(f"{world.address}/console/{TABLE}?role=dealer")
        expect(self.page.locator(".act")).to_be_visible()

    def press(self, key: str) -> None:
        """Press a key, and count it."""
        self.keys += 1
        self.page.keyboard.press(key)

    def decide(self) -> None:
        """Enter the first decision of a player, and count the key."""
        self.keys += 1
        press_decision(self.page, "1")

    def get_table(self) -> Table:
        """The table on the server."""

        async def read(floor: Floor) -> Table:
            return floor.table_host(self.table).table

        return self.world.within(read)

    def primary_kind(self) -> str:
        """The kind of what the console asks for; "" while it waits."""
        if self.page.locator(".act [data-decision]").count():
            return "decide"
        first = self.page.locator(".step.primary")
        return first.get_attribute("data-kind") or "" if first.count() else ""

    def type_cards(self, cards: list[str]) -> None:
        """Two keys per card, one for a face-down card; the last card confirms."""
        for card in cards:
            for key in "?" if card == UNSEEN else card:
                self.press(key)

    def slot_places(self) -> list[str]:
        """The destinations of the cards to enter."""
        labels = self.page.locator(".card-slots small").all_inner_texts()
        return [label.strip() for label in labels]

    def deal(self, unseen: bool) -> None:
        """Enter the cards of the step; face-down cards are known only to the test."""
        places = self.slot_places()
        if self.primary_kind() == "deal_cards":
            cards = [next(self.deck) for _ in places]
            for place, card in zip(places, cards, strict=True):
                self.dealt.setdefault(place, []).append(card)
            if set(places) == {"burn", "board"}:  # dealt face up from the hand
                self.type_cards(
                    [c for c, place in zip(cards, places, strict=True) if place != "burn"]
                )
                self.shown |= set(cards)
            elif unseen:
                self.press("Enter")
            else:
                self.type_cards(cards)
            return
        cards = self.dealt[places[0]]
        if self.primary_kind() == "show_street":  # the next face-down cards of the board
            cards = [card for card in cards if card not in self.shown][: len(places)]
        self.shown |= set(cards)
        self.type_cards(cards)

    def play(
        self, *, unseen: bool = False, reader: bool = False, phones: Sequence[str] = ()
    ) -> list[str]:
        """Play one round by keyboard; returns the kinds of the steps taken.

        The players with `phones` check or make their lowest bet themselves; the dealer enters
        the decisions of the others.
        """
        taken: list[str] = []
        self.dealt, self.shown = {}, set()
        until = monotonic() + ROUND_SECONDS
        while monotonic() < until:
            serve_house(self.world, self.table, ("dana", "ann", "bob"))
            table = self.get_table()
            if table.round is not None and table.round.closed:
                return taken
            if reader and table.due().kind == "deal":
                self.page.wait_for_timeout(50)
                continue
            if table.due().kind == "decide" and phones and self.current_kind() == "decide":
                decide(self.world, self.table)
                continue
            sequence = self.sequence()
            kind = self.current_kind()
            taken.append(kind)
            if kind in ("settle_seat", "settle") and self.page.locator(".payment dt").count():
                self.results = self.page.locator(".payment dt").all_inner_texts()
                self.reasons = self.page.locator(".payment .reason").all_inner_texts()
            if kind == "decide":
                self.decide()
            elif kind == "settle_seat" and unseen:
                self.type_cards(self.dealt["seat 1"])  # the next hand: the payment was made
            elif self.page.locator(".step.primary .card-entry").count():
                self.deal(unseen)
            elif kind in ("count_progressive", "count_stub"):
                count = (
                    sum("progressive" in box.stakes for box in table.in_progress().boxes.values())
                    if kind == "count_progressive"
                    else 52 - len(table.in_progress().left_deck)
                )
                expect(self.page.locator(".step.primary input").first).to_be_focused()
                for key in str(count):
                    self.press(key)
                self.press("Enter")
            else:
                self.press("Enter")
            self.wait_for_entry(sequence)
            self.settle_down()
        raise AssertionError(f"the round does not end: {taken}")

    def settle_down(self) -> None:
        """Wait until the console has sent everything that one key press records."""
        self.page.wait_for_function(
            "() => document.querySelector('croupier-dealer-console').sending === 0"
            " && !document.querySelector('croupier-dealer-console').acting"
        )

    def sequence(self) -> int:
        """The sequence number of the last entry."""

        async def read(floor: Floor) -> int:
            return floor.table_host(self.table).sequence

        return self.world.within(read)

    def current_kind(self) -> str:
        """The kind of the first step, once the page shows the last entry."""
        sequence = self.sequence()
        self.page.wait_for_function(
            "n => document.querySelector('croupier-dealer-console').feed.lastSequence >= n",
            arg=sequence,
        )
        expect(self.page.locator(".step.primary, [data-decision]").first).to_be_attached()
        return self.primary_kind()

    def wait_for_entry(self, sequence: int) -> None:
        """Wait for an entry after this one; fails with the problem that the page shows."""
        until = monotonic() + ENTRY_SECONDS
        while self.sequence() <= sequence:
            problem = self.page.locator(".panel .problem").all_inner_texts()
            assert monotonic() < until, f"nothing happened at {self.primary_kind()}: {problem}"
            self.page.wait_for_timeout(50)


@pytest.mark.parametrize("unseen", [False, True], ids=["seen", "unseen"])
def test_round_with_keys(house: ServerThread, browser: Browser, unseen: bool) -> None:
    """Close bets, enter cards and decisions, turn hands, pay the seat."""
    dana = ConsoleDealer(house, browser, seed=5)
    taken = dana.play(unseen=unseen)
    assert {"no_more_bets", "deal_cards", "decide", "settle"} <= set(taken)
    assert "turn_hand" in taken
    assert len(dana.reasons) > 2 and all("“" in each for each in dana.reasons)
    assert all(re.search(" (wins .+|pushes|loses)$", each) for each in dana.results)
    assert [] == axe_violations(dana.page)
    check_redrawing(dana.page)  # with steps for several people, such as a dispute
    assert [] == dana.player.page_errors


@pytest.mark.parametrize(
    "game", ["texas_holdem_bonus", "top_five", "jackpot_holdem", "run_em_twice"]
)
def test_round_of_the_other_games(tmp_path: Path, browser: Browser, game: str) -> None:
    """The same keys for every game: cards are typed, seats are paid, the round is closed."""
    with serving(tmp_path) as world:
        world.open(TABLE, game, service="attended")
        make_ready(world, TABLE)
        bet(world, TABLE, progressive=True)
        dana = ConsoleDealer(world, browser, seed=5)
        taken = dana.play()
        assert {"no_more_bets", "deal_cards", "settle"} <= set(taken)
        played = dana.get_table().round
        assert played is not None and played.closed
        staked = "progressive" in played.boxes[1].stakes
        assert staked == (game in ("jackpot_holdem", "run_em_twice"))
        assert staked == ("count_progressive" in taken)
        assert [] == dana.player.page_errors
        dana.page.close()


@contextmanager
def reading(world: ServerThread) -> Iterator[None]:
    """A shoe that reports the cards as they are dealt."""
    running: list[asyncio.Task[None]] = []

    async def read() -> None:
        async with (
            await world.client("shoe 4") as shoe,
            aclosing(simulated(shoe, TABLE, seed=7)) as lines,
        ):
            await CardReader(shoe, TABLE, lines).run()

    async def start(floor: Floor) -> None:
        running.append(asyncio.get_running_loop().create_task(read()))

    async def stop(floor: Floor) -> None:
        running[0].cancel()
        await asyncio.gather(*running, return_exceptions=True)

    world.within(start)
    try:
        yield
    finally:
        world.within(stop)


def test_card_reader_deals(house: ServerThread, browser: Browser) -> None:
    """The shoe reports the cards as they are dealt; no card is typed."""
    dana = ConsoleDealer(house, browser, seed=5)
    with reading(house):
        taken = dana.play(reader=True)
    assert "deal_cards" not in taken
    assert {"no_more_bets", "show_street", "settle"} <= set(taken)


def test_card_entry_undo_and_duplicates(house: ServerThread, browser: Browser) -> None:
    """Backspace removes a rank, then a card; a duplicate card is refused at once."""
    dana = ConsoleDealer(house, browser, seed=5)
    page = dana.page
    page.keyboard.press("Enter")
    cards = page.locator(".card-slots .playing-card")
    expect(page.locator(".card-entry")).to_be_visible()
    for key in "asas":
        page.keyboard.press(key)
    expect(cards).to_have_count(1)
    expect(page.get_by_text("The ace of spades is already entered.")).to_be_visible()
    page.keyboard.press("k")
    page.keyboard.press("Backspace")
    expect(page.locator(".next-slot .empty-slot")).to_have_text("")
    page.keyboard.press("Backspace")
    expect(cards).to_have_count(0)
    page.keyboard.press("*")
    expect(cards).to_have_count(13)
    page.keyboard.press("Escape")
    expect(cards).to_have_count(0)
    expect(page.get_by_role("button", name="Deal the cards face down")).to_be_enabled()
    assert dana.get_table().in_progress().left_deck == []


def test_irregularity_is_reported_from_the_menu(house: ServerThread, browser: Browser) -> None:
    """A finding is listed only if it can apply; its consequence comes before the second key."""
    dana = ConsoleDealer(house, browser, seed=5)
    page = dana.page
    page.keyboard.press("i")
    expect(page.locator(".act-title")).to_have_text("Irregularity")
    assert page.locator(".menu [data-kind=find_card_face_up]").count() == 0
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(page.locator(".card-entry")).to_be_visible()
    page.keyboard.press("i")
    page.get_by_role("button", name="Card face up in the deck").click()
    expect(page.locator(".consequence")).to_have_text("The card is set aside; the round continues.")
    expect(page.get_by_label("card")).to_be_focused()
    page.keyboard.type("Qh")
    page.keyboard.press("Enter")
    sentence = page.locator("[role=log] p", has_text="Irregularity: card face up: queen of hearts.")
    expect(sentence).to_be_visible()
    assert names(dana.get_table().in_progress().face_up) == ["Qh"]
    expect(page.locator(".card-entry")).to_be_visible()


def test_void_is_confirmed_with_the_second_key(house: ServerThread, browser: Browser) -> None:
    """ "Shoe jammed" says what it returns; Esc leaves without a report, Enter confirms."""
    dana = ConsoleDealer(house, browser, seed=5)
    page = dana.page
    page.keyboard.press("Enter")
    expect(page.locator(".card-entry")).to_be_visible()
    stakes = sum(dana.get_table().in_progress().boxes[1].stakes.values())
    page.keyboard.press("i")
    jammed = page.get_by_role("button", name="Shoe jammed")
    digit = jammed.locator("kbd").inner_text()
    page.keyboard.press(digit)
    returns = f"Void the round: returns ${stakes // 100} to 1 player."
    expect(page.locator(".consequence")).to_have_text(returns)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert dana.get_table().in_progress().void is None
    page.keyboard.press("i")
    page.keyboard.press(digit)
    expect(page.locator("[data-kind=jam_shoe] button[type=submit]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[role=log] p", has_text="The round is void: shoe jam.")).to_be_visible()


def test_waiting_dealer_sees_for_whom(tmp_path: Path, browser: Browser) -> None:
    """Before the table opens, the dealer reads who does what next."""
    with serving(tmp_path) as world:
        world.open(TABLE, "ultimate_texas_holdem", service="attended")
        make_ready(world, TABLE, until="verify")
        dana = ConsoleDealer(world, browser, seed=5)
        verifies = "Waiting: Frank or Petra verifies the red deck"
        expect(dana.page.locator(".waits-for").first).to_have_text(verifies)
        dana.press("Enter")  # the other deck
        expect(dana.page.locator(".act-title")).to_have_text(verifies)
        expect(dana.page.locator(".waits-for")).to_contain_text("verifies the blue deck")
        dana.page.close()


def test_decision_is_marked_in_the_players_log(house: ServerThread, browser: Browser) -> None:
    """What the dealer enters for Ann says so in her log; Enter decides nothing."""
    ann = BrowserUser(house, browser, "ann")
    ann.page.goto(f"{house.address}/play/{TABLE}")
    dana = ConsoleDealer(house, browser, seed=5)
    while dana.current_kind() != "decide":
        sequence = dana.sequence()
        dana.press("Enter")
        dana.wait_for_entry(sequence)
        dana.settle_down()
    expect(dana.page.locator(".act-title")).to_have_text("Ann decides")
    sequence = dana.sequence()
    for _ in range(3):
        dana.press("Enter")
    button = dana.page.locator("[data-decision] button").first
    button.focus()
    dana.press("Enter")
    dana.page.wait_for_timeout(300)
    assert dana.sequence() == sequence
    dana.decide()
    dana.wait_for_entry(sequence)
    marked = ann.page.locator("[role=log] p", has_text="You check. Entered by Dana.")
    expect(marked).to_be_attached()


def test_console_says_why_a_step_is_on_hold(tmp_path: Path, browser: Browser) -> None:
    """A progressive count that differs must be resolved by the floor."""
    with serving(tmp_path) as world:
        world.open(TABLE, "ultimate_texas_holdem", service="attended")
        make_ready(world, TABLE)
        bet(world, TABLE, progressive=True)
        dana = ConsoleDealer(world, browser, seed=5)
        page = dana.page
        expect(page.locator(".primary[data-kind=no_more_bets]")).to_be_visible()
        page.keyboard.press("Enter")
        page.locator(".primary[data-kind=count_progressive] input").fill("2")
        page.keyboard.press("Enter")
        reason = page.get_by_text(
            "Count the progressive chips is on hold: a floorperson must resolve the difference"
        )
        expect(reason).to_be_visible()
        differed = "Progressive count differed: counted 2, accepted 1."
        expect(page.locator("[role=log] p", has_text=differed)).to_be_visible()
        dana.page.close()


# Key presses of a round with two players: today's limits, and why a game may need more.
TYPED = {
    "run_em_twice": 25,
    "jackpot_holdem": 25,
    "texas_holdem_bonus": 25,
    "ultimate_texas_holdem": 33,  # its Six Card box is four more cards to type
    "top_five": 45,  # seven cards for each hand
}
READ = 10


@pytest.mark.parametrize("game", TYPED)
def test_key_presses_of_a_round(
    tmp_path: Path, browser: Browser, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two players who bet and decide on their phones; the dealer types every card."""
    with serving(tmp_path) as world:
        dana = two_players(world, browser, game)
        dana.play(unseen=True, phones=("ann", "bob"))
        with capsys.disabled():
            print(f"\n{game}: {dana.keys} key presses with typed cards")
        assert dana.keys <= TYPED[game]
        dana.page.close()


@pytest.mark.parametrize("game", TYPED)
def test_key_presses_with_a_card_reader(
    tmp_path: Path, browser: Browser, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The shoe reads every card."""
    with serving(tmp_path) as world:
        dana = two_players(world, browser, game)
        with reading(world):
            dana.play(reader=True, phones=("ann", "bob"))
        with capsys.disabled():
            print(f"\n{game}: {dana.keys} key presses with a card reader")
        assert dana.keys <= READ
        dana.page.close()


def two_players(world: ServerThread, browser: Browser, game: str) -> ConsoleDealer:
    """A dealer at a table where Ann and Bob have bet."""
    world.open(TABLE, game, service="attended")
    make_ready(world, TABLE)
    seat_bob(world, TABLE)
    for player in ("ann", "bob"):
        bet(world, TABLE, player=player)
    return ConsoleDealer(world, browser, seed=5)


def test_player_without_a_phone(tmp_path: Path, browser: Browser) -> None:
    """Taps on the felt: buy-in, chips on a spot, tip, cash-out; all marked as entered by Dana."""
    with serving(tmp_path) as world:
        world.open(TABLE, "ultimate_texas_holdem", service="attended")
        make_ready(world, TABLE)
        dana = ConsoleDealer(world, browser, seed=5)
        page = dana.page
        rack = dana.get_table().book.rack("ann")
        page.get_by_role("button", name="Seat 1, Ann").click()
        expect(page.locator(".act-title")).to_contain_text("Seat 1: Ann")
        for kind, label, amount in (
            ("add_chips", "chips in dollars", 100),
            ("tip", "chips in dollars", 5),
            ("cash_out", "chips in dollars", 50),
        ):
            page.locator(f".menu [data-kind={kind}]").click()
            expect(page.locator(".chosen").get_by_label(label)).to_be_focused()
            page.keyboard.type(str(amount))
            page.keyboard.press("Enter")
            expect(page.locator(".chosen")).to_have_count(0)
            page.get_by_role("button", name="Seat 1, Ann").click()
        assert dana.get_table().book.rack("ann") == rack + (100 - 5 - 50) * 100
        tips = page.locator("[role=log] p", has_text="Entered by Dana.")
        expect(tips).to_have_count(2)
        page.get_by_role("radio", name="$25", exact=True).click()
        page.locator(".bet-spot").first.click()  # on the felt
        page.keyboard.press("Enter")
        expect(page.locator(".primary[data-kind=no_more_bets]")).to_be_visible()
        assert 2500 == dana.get_table().round.boxes[1].stakes["ante"]  # type: ignore[union-attr]
        dana.press("Escape")
        assert [] == axe_violations(page)
        assert [] == dana.player.page_errors
        dana.page.close()


def test_digit_decides_for_the_player_who_was_read(tmp_path: Path, browser: Browser) -> None:
    """A digit pressed twice does not decide for the next player as well."""
    with serving(tmp_path) as world:
        dana = two_players(world, browser, "ultimate_texas_holdem")
        while dana.current_kind() != "decide":
            sequence = dana.sequence()
            dana.press("Enter")
            dana.wait_for_entry(sequence)
            dana.settle_down()
        page = dana.page
        expect(page.locator(".act-title")).to_have_text("Ann decides")
        expect(page.locator("[data-decision] button").first).to_be_enabled()
        press_repeatedly(page, "Digit1", "[data-decision] button", "Bob decides")
        expect(page.locator(".act-title")).to_have_text("Bob decides")
        expect(page.locator("[role=log] p", has_text="Entered by Dana.")).to_have_count(1)
        dana.page.close()


HEAP_EVERY = 20  # rounds; after these the log is full
HEAP_GROWTH_MAX = 1_000_000  # bytes


def used_heap(page: Page) -> int:
    """The bytes of JavaScript objects in use, after a garbage collection."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    used = int(session.send("Runtime.getHeapUsage")["usedSize"])
    session.detach()
    return used


def play_shift(world: ServerThread, browser: Browser, rounds: int) -> None:
    """Rounds without a phone at the table; the page keeps its size, and the heap too."""
    dana = two_players(world, browser, "run_em_twice")
    sizes, pressed, heaps = [], [], []
    for number in range(rounds):
        if number:
            make_ready(world, TABLE)
            dana.keys = 0
            expect(dana.page.get_by_role("button", name="Same again for the table")).to_be_visible()
            dana.press("r")  # same again for the table
            expect(dana.page.locator(".primary[data-kind=no_more_bets]")).to_be_visible()
            dana.settle_down()
        deck = list(DECK)
        Random(number).shuffle(deck)
        dana.deck = iter(names(deck))
        dana.play(unseen=True)
        pressed.append(dana.keys)
        sizes.append(dana.page.evaluate("document.querySelectorAll('*').length"))
        if number % HEAP_EVERY == HEAP_EVERY - 1:
            heaps.append(used_heap(dana.page))
    print(f"{rounds} rounds, key presses {pressed}, elements {sizes}, heap {heaps}")
    assert max(heaps, default=0) - min(heaps, default=0) < HEAP_GROWTH_MAX
    # The log grows to 200 sentences; nothing else does.
    logged = dana.page.locator("[role=log] *").count()
    assert max(sizes) - logged < sizes[0] + 200
    assert [] == dana.player.page_errors
    dana.page.close()


def test_rounds_without_phones_keep_the_page_small(tmp_path: Path, browser: Browser) -> None:
    """Same again for the table, decisions by digit, for a few rounds."""
    with serving(tmp_path) as world:
        play_shift(world, browser, 3)


@pytest.mark.slow
def test_shift_keeps_the_page_small(tmp_path: Path, browser: Browser) -> None:
    """200 rounds at one console."""
    with serving(tmp_path) as world:
        play_shift(world, browser, 200)
