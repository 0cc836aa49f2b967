"""The pages in real Chromium: whole rounds of every game, two players, a broken line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import APIResponse, Browser, BrowserContext, Page, Route, expect

from croupier.games import CATALOGUE
from croupier.server import Floor
from tests.support.floor_server import PASSWORD, World, serving

GAMES = [game.key for game in CATALOGUE]
pytestmark = pytest.mark.xdist_group(__name__)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A server with a practice table of every game."""
    with serving(Path(tmp_path_factory.mktemp("browser"))) as world:
        for number, game in enumerate(GAMES):
            world.open(game, game, seed=40 + number)
        yield world


class Player:
    """Somebody with a browser; whatever their page complains about fails the test."""

    def __init__(self, world: World, context: BrowserContext, name: str) -> None:
        self.world = world
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._console)
        self.page.goto(f"{world.address}/sign-in")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url("**/lobby")

    def _console(self, message: object) -> None:
        kind, text = getattr(message, "type", ""), getattr(message, "text", "")
        # A line that is down is reported by the browser itself, and shown by the page.
        if kind == "error" and "WebSocket" not in text and "ERR_" not in text:
            self.complaints.append(text)

    def sit(self, game: str, seat: int) -> None:
        """From the lobby to a seat with chips."""
        title = next(each.title for each in CATALOGUE if each.key == game)
        self.page.get_by_role("link", name=f"Play {title}").click()
        self.page.get_by_role("button", name=f"Seat {seat}", exact=True).click()
        expect(self.page.get_by_text("Place your bets")).to_be_visible()
        expect(self.page.locator(".status .chips")).to_have_text("$500")

    def answer_all(self) -> None:
        """The first answer to every question, until the round is settled."""
        settled = self.page.locator(".settlement h2", has_text="Round")
        answers = self.page.locator("[aria-label='Your turn'] .choices button:has(kbd)")
        for _ in range(12):
            asked = self.page.get_by_text("Your decision")
            expect(settled.or_(asked).first).to_be_visible()
            if settled.is_visible():
                return
            before = self.page.locator("[role=log] p").count()
            answers.first.click()
            expect(self.page.locator("[role=log] p").nth(before)).to_be_attached()
        raise AssertionError("the round does not end")


def broken(page: Page) -> list[str]:
    """What axe finds, with the first place of each."""
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:160]}" for each in found]


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that nobody has used."""
    found = browser.new_context(viewport={"width": 1280, "height": 800})
    yield found
    found.close()


def came_to(net: str) -> str:
    """The sentence about a round that came to this, as the settlement writes it."""
    words = {"+": "You win {} this round.", "\N{MINUS SIGN}": "You lose {} this round."}
    return words.get(net[0], "You break even this round.").format(net[1:])


def said(page: Page) -> str:
    """What the log says that the last round came to."""
    sums = re.compile("^You (win|lose|break even)")
    return page.locator("[role=log] p", has_text=sums).last.inner_text()


@pytest.mark.parametrize("game", GAMES)
def test_a_round_of_every_game_is_played_in_the_browser(
    house: World, context: BrowserContext, game: str
) -> None:
    """Seat, bets, decisions, settlement with clauses, the deck verified in the page."""
    player = Player(house, context, "ann")
    player.sit(game, 4)
    page = player.page
    for spot in page.locator(".spot").all():
        spot.click()
    page.get_by_role("button", name="Deal").click()
    expect(page.locator(".own-hand .playing-card").first).to_be_visible()
    player.answer_all()

    assert came_to(page.locator(".settlement h2 b").inner_text()) == said(page)
    wagers = page.locator(".settlement dl > div")
    assert wagers.count() >= page.locator(".spots li").count()
    for reason in page.locator(".settlement .reason cite").all():
        assert reason.inner_text().strip()
    page.locator(".more > summary").click()
    page.get_by_role("button", name="Verify").first.click()
    expect(page.get_by_text("Verified: the SHA-256 matches.")).to_be_visible()
    assert [] == broken(page)
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_text("Choose a seat")).to_be_visible()
    assert [] == player.complaints


def test_a_round_is_played_with_keys_alone_and_again_with_one(
    house: World, context: BrowserContext
) -> None:
    """Digits lay chips and answer, D deals; one key bets the same again and deals."""
    player = Player(house, context, "ann")
    player.sit("top_five", 2)
    keys = player.page.keyboard
    keys.press("1")
    keys.press("d")
    for number in (1, 2):
        expect(player.page.get_by_text("Your decision")).to_be_visible()
        keys.press("1")
        settled = player.page.locator(".settlement h2", has_text="Round")
        expect(settled).to_be_visible()
        said = player.page.locator("[role=log] p", has_text="The round is over")
        expect(said).to_have_count(number)
        expect(player.page.get_by_role("button", name="Rebet and deal")).to_be_enabled()
        if number == 1:
            keys.press("d")
    player.page.locator(".more > summary").click()
    player.page.get_by_role("button", name="Leave").click()
    assert [] == player.complaints


def test_a_key_counts_while_an_earlier_answer_is_on_its_way(
    house: World, context: BrowserContext
) -> None:
    """The feed may be faster than the answer to "deal": one answers the question that one sees."""
    player = Player(house, context, "ann")
    player.sit("top_five", 3)
    held: list[tuple[Route, APIResponse]] = []
    decided: list[str] = []

    def late(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
            return
        held.append((route, route.fetch()))
        if '"decide"' in (route.request.post_data or ""):
            decided.append(route.request.url)

    keys = player.page.keyboard
    keys.press("1")
    expect(player.page.get_by_role("button", name=re.compile("^Deal"))).to_be_enabled()
    player.page.route("**/tables/**", late)
    keys.press("d")
    expect(player.page.get_by_text("Your decision")).to_be_visible()
    keys.press("1")
    keys.press("1")  # a question is answered once
    expect(player.page.locator(".settlement h2", has_text="Round")).to_be_visible()
    for route, answer in held:
        route.fulfill(response=answer)
    player.page.unroute("**/tables/**")
    expect(player.page.get_by_role("button", name="Rebet and deal")).to_be_enabled()
    player.page.locator(".more > summary").click()
    player.page.get_by_role("button", name="Leave").click()
    assert 1 == len(decided)
    assert [] == player.complaints


def test_an_answer_that_was_refused_is_given_again(house: World, context: BrowserContext) -> None:
    """The question stands, and so do its keys."""
    player = Player(house, context, "ann")
    player.sit("top_five", 4)
    refused: list[Route] = []

    def refuse_once(route: Route) -> None:
        if '"decide"' in (route.request.post_data or "") and not refused:
            refused.append(route)
            problem = '{"problem": "The house is counting.", "clause": "10.B.1"}'
            route.fulfill(status=422, content_type="application/json", body=problem)
        else:
            route.continue_()

    player.page.route("**/tables/**", refuse_once)
    keys = player.page.keyboard
    keys.press("1")
    keys.press("d")
    expect(player.page.get_by_text("Your decision")).to_be_visible()
    keys.press("1")
    expect(player.page.get_by_text("The house is counting.")).to_be_visible()
    expect(player.page.get_by_role("button", name=re.compile("^Play 1x"))).to_be_enabled()
    keys.press("1")
    expect(player.page.locator(".settlement h2", has_text="Round")).to_be_visible()
    player.page.unroute("**/tables/**")
    player.page.locator(".more > summary").click()
    player.page.get_by_role("button", name="Leave").click()
    assert 1 == len(refused)


def test_a_coach_tells_what_mattered_and_plays_a_hand_again(
    house: World, context: BrowserContext
) -> None:
    """Worths on request, a lesson after the round, the same hand with another word."""
    player = Player(house, context, "ann")
    player.sit("top_five", 5)
    page = player.page
    coach = page.get_by_role("region", name="Coach")
    coach.get_by_role("button", name="Start coaching").click()
    expect(coach.get_by_text("0 rounds, 0 decisions, 0 mistakes")).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("d")
    expect(page.get_by_text("Your decision")).to_be_visible()
    page.keyboard.press("h")
    worths = coach.locator(".option-values tr")
    expect(worths.first).to_be_visible()
    assert worths.count() == page.locator(".panel .choices button").count()
    player.answer_all()
    expect(coach.get_by_text("1 round, 1 decision")).to_be_visible()
    coach.get_by_role("button", name="Replay this hand").click()
    coach.locator(".choices button").last.click()
    expect(coach.get_by_text("Result:")).to_be_visible()
    assert [] == broken(page)
    page.reload()
    expect(coach.get_by_text("1 round, 1 decision")).to_be_visible()
    coach.get_by_role("button", name="Stop coaching").click()
    expect(coach.get_by_text("1 round, 1 decision")).to_have_count(0)
    expect(coach.get_by_role("button", name="Start coaching")).to_be_visible()
    page.locator(".more > summary").click()
    page.get_by_role("button", name="Leave").click()
    assert [] == player.complaints


def test_two_browsers_at_one_table_see_only_their_own_cards(house: World, browser: Browser) -> None:
    """Until the showdown each sees two cards, the other's are backs; both must be ready."""
    contexts = [browser.new_context(), browser.new_context()]
    ann, bob = (Player(house, each, name) for each, name in zip(contexts, ("ann", "bob")))
    ann.sit("ultimate_texas_holdem", 2)
    bob.sit("ultimate_texas_holdem", 5)
    for player in (ann, bob):
        player.page.keyboard.press("1")
        player.page.keyboard.press("d")
    expect(ann.page.get_by_text("Your decision")).to_be_visible()
    seen = {}
    for player in (ann, bob):
        cards = player.page.locator(".felt .playing-card:not(.back)")
        expect(cards).to_have_count(2)
        seen[player] = [card.get_attribute("aria-label") for card in cards.all()]
    assert set(seen[ann]).isdisjoint(seen[bob])
    for player in (ann, bob, ann, bob, ann, bob):
        if player.page.get_by_text("Your decision").is_visible():
            player.page.keyboard.press("1")
            player.page.wait_for_timeout(300)
    for each in contexts:
        each.close()


def test_a_line_that_breaks_in_the_middle_is_taken_up_again(
    house: World, context: BrowserContext
) -> None:
    """The server cuts every feed in the middle of a round; nothing is missed, the round goes on."""
    player = Player(house, context, "bob")
    player.sit("jackpot_holdem", 1)
    player.page.keyboard.press("1")
    player.page.keyboard.press("d")
    expect(player.page.get_by_text("Your decision")).to_be_visible()

    async def cut(floor: Floor) -> None:
        for feed in tuple(floor.desk("jackpot_holdem").feeds):
            feed.close()

    house.within(cut)
    player.page.wait_for_timeout(500)
    player.answer_all()
    said = player.page.locator("[role=log] p")
    sentences = [each.inner_text() for each in said.all()]
    assert 1 == sum(sentence.startswith("No more bets") for sentence in sentences)
    assert 1 == sum(sentence.startswith("The round is over") for sentence in sentences)


def test_a_dealer_opens_a_table_from_the_console(house: World, browser: Browser) -> None:
    """What comes next stands there as forms; a step taken makes room for others."""
    house.open("attended", "top_five", service="attended")
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    dana = Player(house, context, "dana")
    page = dana.page
    page.goto(f"{house.address}/console/attended?role=dealer")
    expect(page.get_by_text("Next steps")).to_be_visible()
    page.get_by_role("button", name="Take post").first.click()
    expect(page.get_by_role("button", name="Attest equipment").first).to_be_visible()
    page.get_by_role("button", name="Attest equipment").first.click()
    expect(page.locator("[role=log] p", has_text="Equipment attested")).to_be_visible()
    assert [] == broken(page)
    assert [] == dana.complaints
    page.goto(f"{house.address}/console/attended?role=surveillance")
    expect(page.get_by_text("You do not serve here.")).to_be_visible()
    context.close()


def test_the_lobby_and_the_door_are_accessible(house: World, context: BrowserContext) -> None:
    """Axe finds nothing, in light and dark, on a desk and on a phone."""
    player = Player(house, context, "ann")
    page = player.page
    expect(page.locator(".table-card").nth(len(GAMES) - 1)).to_be_visible()
    for size in ({"width": 1280, "height": 800}, {"width": 390, "height": 844}):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert [] == broken(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.emulate_media(color_scheme="dark")
    assert [] == broken(page)
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in")
    assert [] == broken(page)
    assert [] == player.complaints
