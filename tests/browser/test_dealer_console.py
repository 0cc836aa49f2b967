"""The dealer's console in real Chromium: whole rounds with typed cards, unseen ones, a reader."""

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
from tests.browser.chromium import still
from tests.browser.test_player_page import Player, broken
from tests.support.floor_server import World, serving
from tests.support.server_shift import bet, make_ready, serve_house

pytestmark = pytest.mark.xdist_group(__name__)
TABLE = "T4"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[World]:
    """A server with one table that people serve: nobody has two posts."""
    with serving(tmp_path) as world:
        world.open(TABLE, "ultimate_texas_holdem", service="attended")
        make_ready(world, TABLE)
        bet(world, TABLE)
        yield world


class Dealing:
    """A dealer at the keyboard, and the deck that lies before her."""

    def __init__(self, world: World, browser: Browser, seed: int) -> None:
        self.world, self.table = world, TABLE
        self.context = still(browser)
        self.player = Player(world, self.context, "dana")
        self.page: Page = self.player.page
        deck = list(DECK)
        Random(seed).shuffle(deck)
        self.deck = iter(names(deck))
        self.reasons: list[str] = []  # of what is paid, as the console tells them
        self.told: set[str] = set()  # cards of the board that were turned
        self.lies: dict[str, list[str]] = {}  # what lies where face down, by the name of the place
        self.page.goto(f"{world.address}/console/{TABLE}?role=dealer")
        expect(self.page.get_by_text("Next steps")).to_be_visible()

    def look(self) -> Table:
        """The table itself."""

        async def found(floor: Floor) -> Table:
            return floor.desk(self.table).table

        return self.world.within(found)

    def primary(self) -> str:
        """The kind of the first step."""
        first = self.page.locator(".step.primary")
        return first.get_attribute("data-kind") or "" if first.count() else ""

    def type_cards(self, cards: list[str]) -> None:
        """Two keys a card, one for an unseen one, Enter when all are there."""
        for card in cards:
            for key in "?" if card == UNSEEN else card:
                self.page.keyboard.press(key)
        self.page.keyboard.press("Enter")

    def pad_places(self) -> list[str]:
        """Where the cards of the pad go."""
        return [each.inner_text().strip() for each in self.page.locator(".card-slots small").all()]

    def deal(self, unseen: bool) -> None:
        """The cards that the pad asks for; unseen ones are noted by the test alone."""
        places = self.pad_places()
        if self.primary() == "deal_cards":
            cards = [next(self.deck) for _ in places]
            for place, card in zip(places, cards, strict=True):
                self.lies.setdefault(place, []).append(card)
            self.type_cards([UNSEEN] * len(cards) if unseen else cards)
            return
        lying = self.lies[places[0]]
        if self.primary() == "show_street":  # those of the board that nobody has seen yet
            shown = [card for card in lying if card in self.told]
            lying = [card for card in lying if card not in shown][: len(places)]
        self.told |= set(lying)
        self.type_cards(lying)

    def play(self, *, unseen: bool = False, reader: bool = False) -> list[str]:
        """One round, key by key; the kinds of the steps that were taken. A reader may deal."""
        taken: list[str] = []
        for _ in range(200):
            serve_house(self.world, self.table, ("dana", "ann"))
            table = self.look()
            if table.round is not None and table.round.closed:
                return taken
            if reader and table.due().kind == "deal":
                self.page.wait_for_timeout(50)
                continue
            sequence = self.sequence()
            kind = self.settled_kind()
            taken.append(kind)
            if kind == "settle_seat":
                self.reasons = self.page.locator(".payment .reason").all_inner_texts()
            if self.page.locator(".step.primary .card-entry").count():
                self.deal(unseen)
            elif kind in ("count_progressive", "count_stub"):
                right = (
                    sum("progressive" in box.stakes for box in table.in_progress().boxes.values())
                    if kind == "count_progressive"
                    else 52 - len(table.in_progress().left_deck)
                )
                self.page.locator(".step.primary input").first.fill(str(right))
                self.page.keyboard.press("Enter")
            else:
                self.page.keyboard.press("Enter")
            self.moved(sequence)
        raise AssertionError(f"the round does not end: {taken}")

    def sequence(self) -> int:
        """The last entry of the table."""

        async def found(floor: Floor) -> int:
            return floor.desk(self.table).sequence

        return self.world.within(found)

    def settled_kind(self) -> str:
        """The first step, once the page shows what the record says."""
        sequence = self.sequence()
        self.page.wait_for_function(
            "n => document.querySelector('croupier-dealer-console').feed.lastSequence >= n", arg=sequence
        )
        expect(self.page.locator(".step.primary")).to_be_attached()
        return self.primary()

    def moved(self, sequence: int) -> None:
        """Wait until the record has an entry more; what the page complains of is said."""
        for _ in range(100):
            if self.sequence() > sequence:
                return
            self.page.wait_for_timeout(50)
        problem = self.page.locator(".panel .problem").all_inner_texts()
        raise AssertionError(f"nothing happened at {self.primary()}: {problem}")


@pytest.mark.parametrize("unseen", [False, True], ids=["seen", "unseen"])
def test_a_dealer_deals_a_whole_round_with_keys(
    house: World, browser: Browser, unseen: bool
) -> None:
    """Close bets, cards with two keys each, decisions, hands turned, the seat paid."""
    dana = Dealing(house, browser, seed=5)
    taken = dana.play(unseen=unseen)
    assert {"no_more_bets", "deal_cards", "decide", "settle_seat", "settle"} <= set(taken)
    assert ("turn_hand" in taken) == unseen
    assert len(dana.reasons) > 2 and all("“" in each for each in dana.reasons)
    assert [] == broken(dana.page)
    assert [] == dana.player.complaints
    dana.context.close()


@pytest.mark.parametrize(
    "game", ["texas_holdem_bonus", "top_five", "jackpot_holdem", "run_em_twice"]
)
def test_a_dealer_deals_a_round_of_the_other_games(
    tmp_path: Path, browser: Browser, game: str
) -> None:
    """The same keys, whatever is dealt: every card typed, every seat paid, the round closed."""
    with serving(tmp_path) as world:
        world.open(TABLE, game, service="attended")
        make_ready(world, TABLE)
        bet(world, TABLE, progressive=True)
        dana = Dealing(world, browser, seed=5)
        taken = dana.play()
        assert {"no_more_bets", "deal_cards", "show_street", "settle_seat", "settle"} <= set(taken)
        played = dana.look().round
        assert played is not None and played.closed
        staked = "progressive" in played.boxes[1].stakes
        assert staked == (game in ("jackpot_holdem", "run_em_twice"))
        assert staked == ("count_progressive" in taken)
        assert [] == dana.player.complaints
        dana.context.close()


def test_a_reader_deals_and_the_dealer_only_confirms(house: World, browser: Browser) -> None:
    """The shoe sends what leaves it when it is due; no card is typed."""
    dana = Dealing(house, browser, seed=5)
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


def test_a_typed_card_is_taken_back_and_none_is_there_twice(house: World, browser: Browser) -> None:
    """Backspace takes back a rank, then a card; the same card again is said at once."""
    dana = Dealing(house, browser, seed=5)
    page = dana.page
    page.keyboard.press("Enter")
    pad = page.locator(".card-slots .playing-card")
    expect(page.locator(".card-entry")).to_be_visible()
    for key in "asas":
        page.keyboard.press(key)
    expect(pad).to_have_count(1)
    expect(page.get_by_text("The ace of spades is already entered.")).to_be_visible()
    page.keyboard.press("k")
    page.keyboard.press("Backspace")
    expect(page.locator(".next-slot .empty-slot")).to_have_text("")
    page.keyboard.press("Backspace")
    expect(pad).to_have_count(0)
    page.keyboard.press("*")
    expect(page.get_by_role("button", name="Deal cards")).to_be_enabled()
    page.keyboard.press("Backspace")
    assert dana.look().in_progress().left_deck == []
    dana.context.close()


def test_an_irregularity_is_declared_from_the_menu(house: World, browser: Browser) -> None:
    """Only what can apply is in it; a card face up in the deck voids the round, as 13 says."""
    dana = Dealing(house, browser, seed=5)
    page = dana.page
    assert page.locator("[data-group=irregular] [data-kind=find_card_face_up]").count() == 0
    page.keyboard.press("Enter")
    expect(page.locator(".card-entry")).to_be_visible()
    page.keyboard.press("i")
    menu = page.locator("[data-group=irregular] [data-kind=find_card_face_up]")
    menu.get_by_label("card").fill("Qh")
    menu.get_by_role("button", name="Find card face up").click()
    noted = page.locator("[role=log] p", has_text="Irregularity: card face up: queen of hearts.")
    expect(noted).to_be_visible()
    assert names(dana.look().in_progress().face_up) == ["Qh"]
    dana.context.close()


def test_a_dealer_reads_what_the_next_step_waits_for(tmp_path: Path, browser: Browser) -> None:
    """A count of progressive chips that differs is for the floor, and the console says so."""
    with serving(tmp_path) as world:
        world.open(TABLE, "ultimate_texas_holdem", service="attended")
        make_ready(world, TABLE)
        bet(world, TABLE, progressive=True)
        dana = Dealing(world, browser, seed=5)
        page = dana.page
        expect(page.locator(".primary[data-kind=no_more_bets]")).to_be_visible()
        page.keyboard.press("Enter")
        page.locator(".primary[data-kind=count_progressive] input").fill("2")
        page.keyboard.press("Enter")
        waits = page.get_by_text("Count progressive is on hold: a floorperson settles the difference")
        expect(waits).to_be_visible()
        differed = "Progressive count differed: counted 2, accepted 1."
        expect(page.locator("[role=log] p", has_text=differed)).to_be_visible()
        dana.context.close()
