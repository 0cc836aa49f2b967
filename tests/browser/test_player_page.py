"""The player page: rounds of every game, two players, a lost connection, the coach."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from croupier.games import CATALOGUE
from croupier.server import Floor
from tests.browser.browser_user import (
    BrowserUser,
    ReceivedBytes,
    axe_violations,
    press_decision,
)
from tests.support.floor_server import ServerThread, serving

GAMES = [game.key for game in CATALOGUE]
pytestmark = pytest.mark.xdist_group(__name__)
ANIMATED = {"reduced_motion": "no-preference"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A server with a practice table of every game."""
    with serving(Path(tmp_path_factory.mktemp("browser"))) as world:
        for number, game in enumerate(GAMES):
            world.open(game, game, seed=40 + number)
        yield world


def net_sentence(net: str) -> str:
    """The log sentence for the net result that the settlement shows."""
    sentences = {"+": "You win {} this round.", "\N{MINUS SIGN}": "You lose {} this round."}
    return sentences.get(net[0], "You break even this round.").format(net[1:])


def last_net_sentence(page: Page) -> str:
    """The last net result in the event log."""
    pattern = re.compile("^You (win|lose|break even)")
    return page.locator("[role=log] p", has_text=pattern).last.inner_text()


@pytest.mark.parametrize("game", GAMES)
def test_round_of_every_game(house: ServerThread, browser: Browser, game: str) -> None:
    """Seat, bets, decisions, settlement with clauses, deck verification."""
    player = BrowserUser(house, browser, "ann", **ANIMATED)
    player.sit(game, 4)
    page = player.page
    for spot in page.locator(".spot").all():
        spot.click()
    page.get_by_role("button", name="Deal").click()
    expect(page.locator(".own-hand .playing-card").first).to_be_visible()
    player.decide_all()

    assert net_sentence(page.locator(".headline b").inner_text()) == last_net_sentence(page)
    wagers = page.locator(".settlement dl > div")
    assert wagers.count() >= page.locator(".spots li").count()
    for reason in page.locator(".settlement .reason cite").all():
        assert reason.inner_text().strip()
    page.locator(".more > summary").click()
    page.get_by_role("button", name="Verify").first.click()
    expect(page.get_by_text("Verified: the SHA-256 matches.")).to_be_visible()
    assert [] == axe_violations(page)
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_text("Choose a seat")).to_be_visible()
    assert [] == player.page_errors


FIRST_TABLE_BYTES = 100_000  # compressed
FIRST_TABLE_RESPONSES = 6  # that a browser fetches at the same time


@pytest.mark.parametrize("game", GAMES)
def test_first_table_is_light(house: ServerThread, browser: Browser, game: str) -> None:
    """A table is drawn from its page, one script and one style sheet, compressed."""
    page = BrowserUser(house, browser, "ann").page
    received = ReceivedBytes(page)
    received.session.send("Network.clearBrowserCache")
    page.goto(f"{house.address}/play/{game}")
    page.wait_for_load_state("networkidle")
    assert received.http < FIRST_TABLE_BYTES
    assert received.responses <= FIRST_TABLE_RESPONSES
    page.context.close()


# A button of the accessibility tree by the start of its name; the keys in the name are for eyes.
BUTTON = re.compile(r"""- '?button "([^"]+)"'?(?! \[disabled\])(?::|$)""", re.M)


def press_in_tree(page: Page, start: str, after: str = 'region "Your turn"') -> None:
    """Press the first button after a place in the tree whose name starts so."""
    for _ in range(400):  # a decision can be made after the time to read it
        section = page.locator("main").aria_snapshot().partition(after)[2].partition("- region")[0]
        names = [name for name in BUTTON.findall(section) if not name.startswith("Fold")]
        if name := next((name for name in names if name.startswith(start)), ""):
            page.get_by_role("button", name=name, exact=True).press("Enter")
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"no button {start} after {after}")


@pytest.mark.parametrize("game", GAMES)
def test_round_from_the_accessibility_tree(
    house: ServerThread, browser: Browser, game: str
) -> None:
    """Names and roles alone tell the cards, the decisions and their cost, and the result."""
    player = BrowserUser(house, browser, "bob")
    page = player.page
    page.goto(f"{house.address}/play/{game}")
    press_in_tree(page, "Seat 2")
    expect(page.get_by_role("heading", name="Place your bets")).to_be_visible()
    press_in_tree(page, "Minimum bet and deal")
    due = page.get_by_role("heading", name=re.compile("^Your decision|: your decision"))
    result = page.get_by_role("heading", name=re.compile("Round [0-9]+$"))
    for _ in range(8):
        expect(due.or_(result).first).to_be_visible()
        tree = page.locator("main").aria_snapshot()
        own_cards = re.findall('- img "([a-z]+ of [a-z]+)"', tree.partition("Your hand")[2])
        assert own_cards
        if result.is_visible():
            break
        sentences = page.get_by_role("log").get_by_role("paragraph")
        before = sentences.count()
        press_in_tree(page, "", after=f'heading "{due.inner_text()}"')  # the cheapest way to go on
        expect(sentences.nth(before)).to_be_attached()
    assert re.search(r'heading "[+\u2212]?\$[0-9.]+', tree), "the result comes first"
    settlement = tree.partition('region "Settlement"')[2]
    assert re.search(r"term: .+\n +- definition: [+\u2212]?\$", settlement)
    log = page.get_by_role("log").inner_text()
    assert all(card.lower() in log for card in own_cards)
    press_in_tree(page, "Leave table", after="Your chips")
    expect(page.get_by_text("Choose a seat")).to_be_visible()
    assert [] == player.page_errors


def test_round_with_keys_only(house: ServerThread, browser: Browser) -> None:
    """Digits bet and decide, D deals; for the next round one key rebets and deals."""
    player = BrowserUser(house, browser, "ann", **ANIMATED)
    player.sit("top_five", 2)
    keys = player.page.keyboard
    keys.press("1")
    keys.press("d")
    for number in (1, 2):
        press_decision(player.page, "1")
        settled = player.page.locator(".headline", has_text="Round")
        expect(settled).to_be_visible()
        sentences = player.page.locator("[role=log] p", has_text="The round is over")
        expect(sentences).to_have_count(number)
        expect(player.page.get_by_role("button", name="Rebet and deal")).to_be_enabled()
        if number == 1:
            keys.press("d")
    player.page.get_by_role("button", name="Leave").click()
    assert [] == player.page_errors


def test_decision_is_sent_while_an_earlier_response_is_pending(
    house: ServerThread, browser: Browser
) -> None:
    """The feed may be faster than the response to "deal": the decision on screen can be made."""
    player = BrowserUser(house, browser, "ann", **ANIMATED)
    player.sit("top_five", 3)
    held: list[tuple[Route, APIResponse]] = []
    decided: list[str] = []

    def delay(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
            return
        held.append((route, route.fetch()))
        if '"decide"' in (route.request.post_data or ""):
            decided.append(route.request.url)

    keys = player.page.keyboard
    keys.press("1")
    expect(player.page.get_by_role("button", name=re.compile("^Deal"))).to_be_enabled()
    player.page.route("**/tables/**", delay)
    keys.press("d")
    press_decision(player.page, "1")
    keys.press("1")  # a decision is sent once
    expect(player.page.locator(".headline", has_text="Round")).to_be_visible()
    for route, response in held:
        route.fulfill(response=response)
    player.page.unroute("**/tables/**")
    expect(player.page.get_by_role("button", name="Rebet and deal")).to_be_enabled()
    player.page.get_by_role("button", name="Leave").click()
    assert 1 == len(decided)
    assert [] == player.page_errors


def test_refused_decision_can_be_repeated(house: ServerThread, browser: Browser) -> None:
    """The decision stays open, and so do its keys."""
    player = BrowserUser(house, browser, "ann", **ANIMATED)
    player.sit("top_five", 4)
    refused: list[Route] = []

    def refuse_once(route: Route) -> None:
        if '"decide"' in (route.request.post_data or "") and not refused:
            refused.append(route)
            problem = '{"detail": "The dealer is counting.", "clause": "10.B.1"}'
            route.fulfill(status=422, content_type="application/problem+json", body=problem)
        else:
            route.continue_()

    player.page.route("**/tables/**", refuse_once)
    keys = player.page.keyboard
    keys.press("1")
    keys.press("d")
    press_decision(player.page, "1")
    expect(player.page.get_by_text("The dealer is counting.")).to_be_visible()
    press_decision(player.page, "1")
    expect(player.page.locator(".headline", has_text="Round")).to_be_visible()
    player.page.unroute("**/tables/**")
    player.page.get_by_role("button", name="Leave").click()
    assert 1 == len(refused)


def test_coach_reviews_a_round_and_replays_a_hand(house: ServerThread, browser: Browser) -> None:
    """Option values on request, a review after the round, a replay with other decisions."""
    player = BrowserUser(house, browser, "ann", **ANIMATED)
    player.sit("top_five", 5)
    page = player.page
    coach = page.get_by_role("region", name="Coach")
    coach.get_by_role("button", name="Start coaching").click()
    expect(coach.get_by_text("0 rounds, 0 decisions, 0 mistakes")).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("d")
    expect(page.get_by_text("Your decision")).to_be_visible()
    page.keyboard.press("h")
    options = coach.locator(".option-values tr")
    expect(options.first).to_be_visible()
    assert options.count() == page.locator(".actions [data-word]").count()
    player.decide_all()
    expect(coach.get_by_text("1 round, 1 decision")).to_be_visible()
    coach.get_by_role("button", name="Replay this hand").click()
    coach.locator(".choices button").last.click()
    expect(coach.get_by_text("Result:")).to_be_visible()
    assert [] == axe_violations(page)
    page.reload()
    expect(coach.get_by_text("1 round, 1 decision")).to_be_visible()
    coach.get_by_text("Practice history").click()
    expect(coach.locator(".history li")).to_contain_text("Top Five Poker1 round, 1 decision")
    coach.get_by_role("button", name="Delete my history").click()
    coach.get_by_role("button", name="Delete", exact=True).click()
    expect(coach.get_by_text("No rounds yet.")).to_be_visible()
    coach.get_by_role("button", name="Stop coaching").click()
    expect(coach.get_by_text("1 round, 1 decision")).to_have_count(0)
    expect(coach.get_by_role("button", name="Start coaching")).to_be_visible()
    page.get_by_role("button", name="Leave").click()
    assert [] == player.page_errors


def test_two_players_see_only_their_own_cards(house: ServerThread, browser: Browser) -> None:
    """Until the showdown each sees two cards; the deal waits for both."""
    ann, bob = (BrowserUser(house, browser, each, **ANIMATED) for each in ("ann", "bob"))
    ann.sit("ultimate_texas_holdem", 2)
    bob.sit("ultimate_texas_holdem", 5)
    for player in (ann, bob):
        player.page.keyboard.press("1")
        player.page.keyboard.press("d")
    expect(ann.page.get_by_text("Your decision")).to_be_visible()
    cards_seen = {}
    for player in (ann, bob):
        cards = player.page.locator(".felt .playing-card:not(.back)")
        expect(cards).to_have_count(2)
        cards_seen[player] = [card.get_attribute("aria-label") for card in cards.all()]
    assert set(cards_seen[ann]).isdisjoint(cards_seen[bob])


def test_an_outage_of_the_ledger_is_shown(
    house: ServerThread, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it lasts, and no longer."""
    player = BrowserUser(house, browser, "bob", **ANIMATED)
    player.page.goto(f"{house.address}/play/{GAMES[0]}")
    status = player.page.get_by_text("The record cannot be written.")
    expect(player.page.get_by_text("Choose a seat")).to_be_visible()
    assert house.server is not None
    with monkeypatch.context() as patch:
        patch.setattr(house.server.floor.ledger.store, "health", lambda: "disk full")
        expect(status).to_be_visible()
    expect(status).to_be_hidden()
    assert [] == player.page_errors


def test_lost_connection_is_resumed(house: ServerThread, browser: Browser) -> None:
    """The server closes every feed during a round; no event is lost or repeated."""
    player = BrowserUser(house, browser, "bob", **ANIMATED)
    player.sit("jackpot_holdem", 1)
    player.page.keyboard.press("1")
    player.page.keyboard.press("d")
    expect(player.page.get_by_text("Your decision")).to_be_visible()

    async def close_feeds(floor: Floor) -> None:
        for feed in tuple(floor.table_host("jackpot_holdem").subscriptions):
            feed.close()

    house.within(close_feeds)
    player.page.wait_for_timeout(500)
    player.decide_all()
    sentences = player.page.locator("[role=log] p").all_inner_texts()
    assert 1 == sum(sentence.startswith("No more bets") for sentence in sentences)
    assert 1 == sum(sentence.startswith("The round is over") for sentence in sentences)


def test_dealer_opens_a_table_from_the_console(house: ServerThread, browser: Browser) -> None:
    """The next steps are forms; a completed step makes others available."""
    house.open("attended", "top_five", service="attended")
    dana = BrowserUser(house, browser, "dana")
    page = dana.page
    page.goto(f"{house.address}/console/attended?role=dealer")
    expect(page.locator(".act")).to_be_visible()
    page.get_by_role("button", name="Sign on at this table").first.click()
    expect(page.get_by_role("button", name="Attest the equipment").first).to_be_visible()
    page.get_by_role("button", name="Attest the equipment").first.click()
    expect(page.locator("[role=log] p", has_text="Equipment attested")).to_be_visible()
    assert [] == axe_violations(page)
    assert [] == dana.page_errors
    page.goto(f"{house.address}/console/attended?role=surveillance")
    expect(page.get_by_text("You have no staff role at this table.")).to_be_visible()


def test_lobby_and_sign_in_are_accessible(house: ServerThread, browser: Browser) -> None:
    """No axe violations in light and dark, on a desktop and on a phone."""
    player = BrowserUser(house, browser, "ann", **ANIMATED)
    page = player.page
    expect(page.locator(".table-card").nth(len(GAMES) - 1)).to_be_visible()
    for size in ({"width": 1280, "height": 800}, {"width": 390, "height": 844}):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert [] == axe_violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.emulate_media(color_scheme="dark")
    assert [] == axe_violations(page)
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in")
    assert [] == axe_violations(page)
    assert [] == player.page_errors


def test_a_silent_connection_is_noticed(house: ServerThread, browser: Browser) -> None:
    """The server does not answer, and nothing closes the connection: the page says so in time."""
    player = BrowserUser(house, browser, "bob")
    player.page.goto(f"{house.address}/play/{GAMES[0]}")
    seats = player.page.get_by_role("button", name="Seat 3", exact=True)
    expect(seats).to_be_visible()
    lost = player.page.get_by_text("Connection lost. Reconnecting")
    assert house._loop is not None
    released = threading.Event()
    house._loop.call_soon_threadsafe(released.wait, 30)
    try:
        expect(lost).to_be_visible(timeout=15_000)
    finally:
        released.set()
    expect(lost).to_be_hidden()
    expect(seats).to_be_visible()
    assert [] == player.page_errors
