"""Dealer console: rounds with typed cards, face-down cards and a card reader."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.cards import DECK, UNSEEN, names
from croupier.server import Floor
from croupier.server.card_reader import CardReader, simulated
from croupier.table import Table
from tests.browser.browser_user import BrowserUser, axe_violations
from tests.browser.chromium import open_context
from tests.support.floor_server import ServerThread, serving
from tests.support.server_shift import bet, make_ready, serve_house

pytestmark = pytest.mark.xdist_group(__name__)
TABLE = "T4"


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

    def __init__(self, world: ServerThread, browser: Browser, seed: int) -> None:
        self.world, self.table = world, TABLE
        self.context = open_context(browser)
        self.player = BrowserUser(world, self.context, "dana")
        self.page: Page = self.player.page
        deck = list(DECK)
        Random(seed).shuffle(deck)
        self.deck = iter(names(deck))
        self.reasons: list[str] = []  # of the last payment, as shown
        self.shown: set[str] = set()  # cards of the board that were turned
        self.dealt: dict[str, list[str]] = {}  # cards by place
        self.page.goto(f"{world.address}/console/{TABLE}?role=dealer")
        expect(self.page.get_by_text("Next steps")).to_be_visible()

    def get_table(self) -> Table:
        """The table on the server."""

        async def read(floor: Floor) -> Table:
            return floor.table_host(self.table).table

        return self.world.within(read)

    def primary_kind(self) -> str:
        """The kind of the first step."""
        first = self.page.locator(".step.primary")
        return first.get_attribute("data-kind") or "" if first.count() else ""

    def type_cards(self, cards: list[str]) -> None:
        """Two keys per card, one for a face-down card, then Enter."""
        for card in cards:
            for key in "?" if card == UNSEEN else card:
                self.page.keyboard.press(key)
        self.page.keyboard.press("Enter")

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
            self.type_cards([UNSEEN] * len(cards) if unseen else cards)
            return
        cards = self.dealt[places[0]]
        if self.primary_kind() == "show_street":  # the next face-down cards of the board
            cards = [card for card in cards if card not in self.shown][: len(places)]
        self.shown |= set(cards)
        self.type_cards(cards)

    def play(self, *, unseen: bool = False, reader: bool = False) -> list[str]:
        """Play one round by keyboard; returns the kinds of the steps taken."""
        taken: list[str] = []
        for _ in range(200):
            serve_house(self.world, self.table, ("dana", "ann"))
            table = self.get_table()
            if table.round is not None and table.round.closed:
                return taken
            if reader and table.due().kind == "deal":
                self.page.wait_for_timeout(50)
                continue
            sequence = self.sequence()
            kind = self.current_kind()
            taken.append(kind)
            if kind == "settle_seat":
                self.reasons = self.page.locator(".payment .reason").all_inner_texts()
            if self.page.locator(".step.primary .card-entry").count():
                self.deal(unseen)
            elif kind in ("count_progressive", "count_stub"):
                count = (
                    sum("progressive" in box.stakes for box in table.in_progress().boxes.values())
                    if kind == "count_progressive"
                    else 52 - len(table.in_progress().left_deck)
                )
                self.page.locator(".step.primary input").first.fill(str(count))
                self.page.keyboard.press("Enter")
            else:
                self.page.keyboard.press("Enter")
            self.wait_for_entry(sequence)
        raise AssertionError(f"the round does not end: {taken}")

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
        expect(self.page.locator(".step.primary")).to_be_attached()
        return self.primary_kind()

    def wait_for_entry(self, sequence: int) -> None:
        """Wait for an entry after this one; fails with the problem that the page shows."""
        for _ in range(100):
            if self.sequence() > sequence:
                return
            self.page.wait_for_timeout(50)
        problem = self.page.locator(".panel .problem").all_inner_texts()
        raise AssertionError(f"nothing happened at {self.primary_kind()}: {problem}")


@pytest.mark.parametrize("unseen", [False, True], ids=["seen", "unseen"])
def test_round_with_keys(house: ServerThread, browser: Browser, unseen: bool) -> None:
    """Close bets, enter cards and decisions, turn hands, pay the seat."""
    dana = ConsoleDealer(house, browser, seed=5)
    taken = dana.play(unseen=unseen)
    assert {"no_more_bets", "deal_cards", "decide", "settle_seat", "settle"} <= set(taken)
    assert ("turn_hand" in taken) == unseen
    assert len(dana.reasons) > 2 and all("“" in each for each in dana.reasons)
    assert [] == axe_violations(dana.page)
    assert [] == dana.player.page_errors
    dana.context.close()


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
        assert {"no_more_bets", "deal_cards", "show_street", "settle_seat", "settle"} <= set(taken)
        played = dana.get_table().round
        assert played is not None and played.closed
        staked = "progressive" in played.boxes[1].stakes
        assert staked == (game in ("jackpot_holdem", "run_em_twice"))
        assert staked == ("count_progressive" in taken)
        assert [] == dana.player.page_errors
        dana.context.close()


def test_card_reader_deals(house: ServerThread, browser: Browser) -> None:
    """The shoe reports the cards as they are dealt; no card is typed."""
    dana = ConsoleDealer(house, browser, seed=5)
    running: list[asyncio.Task[None]] = []

    async def read() -> None:
        async with (
            await house.client("shoe 4") as shoe,
            aclosing(simulated(shoe, TABLE, seed=7)) as lines,
        ):
            await CardReader(shoe, TABLE, lines).run()

    async def start(floor: Floor) -> None:
        running.append(asyncio.get_running_loop().create_task(read()))

    async def stop(floor: Floor) -> None:
        running[0].cancel()
        await asyncio.gather(*running, return_exceptions=True)

    house.within(start)
    try:
        taken = dana.play(reader=True)
    finally:
        house.within(stop)
    assert "deal_cards" not in taken
    assert {"no_more_bets", "show_street", "settle_seat", "settle"} <= set(taken)
    dana.context.close()


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
    expect(page.get_by_role("button", name="Deal cards")).to_be_enabled()
    page.keyboard.press("Backspace")
    assert dana.get_table().in_progress().left_deck == []
    dana.context.close()


def test_irregularity_is_reported_from_the_menu(house: ServerThread, browser: Browser) -> None:
    """The menu lists only irregularities that can apply; a face-up card is recorded (13)."""
    dana = ConsoleDealer(house, browser, seed=5)
    page = dana.page
    assert page.locator("[data-group=irregular] [data-kind=find_card_face_up]").count() == 0
    page.keyboard.press("Enter")
    expect(page.locator(".card-entry")).to_be_visible()
    page.keyboard.press("i")
    menu = page.locator("[data-group=irregular] [data-kind=find_card_face_up]")
    menu.get_by_label("card").fill("Qh")
    menu.get_by_role("button", name="Find card face up").click()
    sentence = page.locator("[role=log] p", has_text="Irregularity: card face up: queen of hearts.")
    expect(sentence).to_be_visible()
    assert names(dana.get_table().in_progress().face_up) == ["Qh"]
    dana.context.close()


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
            "Count progressive is on hold: a floorperson must resolve the difference"
        )
        expect(reason).to_be_visible()
        differed = "Progressive count differed: counted 2, accepted 1."
        expect(page.locator("[role=log] p", has_text=differed)).to_be_visible()
        dana.context.close()
