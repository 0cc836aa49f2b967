"""Pit: the queue with its evidence, disputes, short fills, voids, the board, closed rounds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from croupier.server.client import ResponseError
from croupier.table import commands as cmd
from tests.browser.browser_user import BrowserUser, axe_violations, prefilled_fields
from tests.support.floor_server import ServerThread, serving
from tests.support.server_shift import act, bet, make_ready, play_round

pytestmark = pytest.mark.xdist_group(__name__)
TABLE = "T4"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[ServerThread]:
    """A server with one staffed table, Ann at seat 1."""
    with serving(tmp_path) as world:
        world.open(TABLE, "ultimate_texas_holdem", service="attended")
        make_ready(world, TABLE)
        yield world


def visit(world: ServerThread, browser: Browser, name: str, path: str = "/") -> BrowserUser:
    """A person at a page."""
    user = BrowserUser(world, browser, name)
    user.page.goto(f"{world.address}{path}")
    return user


def task(page: Page, kind: str) -> Locator:
    """A task of the queue."""
    return page.locator(f".queue [data-kind={kind}]")


def press(place: Locator, name: str) -> None:
    """Press the button with a name."""
    place.get_by_role("button", name=name).click()


def test_dispute_from_complaint_to_decision(house: ServerThread, browser: Browser) -> None:
    """The player gets a receipt; the floor sees the words and the replay, the player the result."""
    bet(house, TABLE)
    play_round(house, TABLE)
    ann = visit(house, browser, "ann", f"/play/{TABLE}")
    ann.page.locator("details.more > summary", has_text="Table and chips").click()
    form = ann.page.locator("form", has=ann.page.get_by_role("button", name="Open a dispute"))
    form.get_by_label("round").fill("1")
    form.get_by_label("in the player's own words").fill("my straight was read as a pair")
    press(form, "Open a dispute")
    receipt = ann.page.get_by_role("region", name="Your disputes")
    expect(receipt).to_contain_text("Dispute 1, round 1 received")
    expect(receipt).to_contain_text("my straight was read as a pair")
    expect(receipt).to_contain_text("A floorperson decides by")
    expect(ann.page.locator("[role=log]")).to_contain_text("You dispute round 1")
    assert [] == axe_violations(ann.page)

    frank = visit(house, browser, "frank")
    dispute = task(frank.page, "decide_dispute")
    expect(dispute).to_contain_text("my straight was read as a pair")
    expect(dispute).to_contain_text("Waiting: Ann")
    assert [] == prefilled_fields(frank.page)
    assert [] == axe_violations(frank.page)
    with frank.page.context.expect_page() as opened:
        dispute.get_by_role("link", name="Replay round 1").click(modifiers=["Control"])
    replay = opened.value
    expect(replay.get_by_role("heading", name="Round 1 step")).to_be_visible()
    expect(replay.get_by_label("Table layout")).to_be_visible()
    replay.close()
    dispute.get_by_label("decision").fill("the pair was right")
    dispute.get_by_label("reason").fill("the board had no ten")
    press(dispute, "Decide dispute 1")
    expect(dispute).to_have_count(0)

    decision = "Decided: the pair was right. Reason: the board had no ten."
    expect(receipt).to_contain_text(decision)
    ann.page.reload()
    expect(receipt).to_contain_text(decision)
    assert [] == ann.page_errors + frank.page_errors


def test_short_fill_has_a_way_out(house: ServerThread, browser: Browser) -> None:
    """The floor reads how much is missing and may cancel; the cage counts again."""
    act(house, TABLE, "frank", cmd.RequestFill("12", 50_000))
    cal, frank = visit(house, browser, "cal"), visit(house, browser, "frank")
    expect(cal.page).to_have_url(re.compile("/queue$"))
    count = task(cal.page, "count_fill")
    expect(count).to_contain_text("$500.00 requested")
    count.get_by_label("chips in dollars").fill("400")
    press(count, "Count fill 12")
    short = task(frank.page, "confirm_fill")
    expect(short).to_contain_text("Fill 12 is $100 short")
    expect(short).to_contain_text("recount or cancel it")
    expect(short).to_contain_text("counted by Cal")
    expect(short.get_by_role("button", name="Cancel slip 12")).to_be_visible()
    expect(short).to_contain_text("Or: A cashier recounts slip 12")
    assert [] == axe_violations(frank.page)
    again = task(cal.page, "recount_slip")
    expect(again).to_contain_text("Fill 12 is $100 short")
    again.get_by_label("chips in dollars").fill("500")
    again.get_by_label("reason").fill("one chip lay behind the others")
    press(again, "Recount slip 12")
    expect(again).to_have_count(0)
    assert [] == axe_violations(cal.page)
    sid = visit(house, browser, "sid")
    press(task(sid.page, "sign_slip"), "Sign slip 12")
    expect(task(sid.page, "sign_slip")).to_have_count(0)
    act(house, TABLE, "dana", cmd.SignSlip("12"))
    press(short, "Confirm fill 12")
    expect(short).to_have_count(0)
    assert [] == cal.page_errors + frank.page_errors + sid.page_errors


def test_canceled_fill_leaves_the_queues(house: ServerThread, browser: Browser) -> None:
    """The other way out of a short fill."""
    act(house, TABLE, "frank", cmd.RequestFill("12", 50_000))
    act(house, TABLE, "cal", cmd.CountFill("12", 40_000))
    frank = visit(house, browser, "frank")
    short = task(frank.page, "confirm_fill")
    cancel = short.locator("form", has=frank.page.get_by_role("button", name="Cancel slip 12"))
    cancel.get_by_label("reason").fill("requested again")
    press(cancel, "Cancel slip 12")
    expect(short).to_have_count(0)
    assert [] == frank.page_errors


def test_void_is_shown_to_the_player(house: ServerThread, browser: Browser) -> None:
    """The headline says why, and what is returned."""
    bet(house, TABLE)
    ann = visit(house, browser, "ann", f"/play/{TABLE}")
    act(house, TABLE, "dana", cmd.NoMoreBets())
    act(house, TABLE, "dana", cmd.DealCards(("??",) * 13))
    act(house, TABLE, "frank", cmd.FindWrongNumber("seat 1", "a card lay under the tray"))
    expect(ann.page.locator(".prompt")).to_contain_text("The round is void (wrong number of cards)")
    play_round(house, TABLE)
    headline = ann.page.locator(".headline")
    expect(headline).to_contain_text("the round is void")
    expect(headline).to_contain_text("$10 is returned to you")
    assert [] == axe_violations(ann.page)
    assert [] == ann.page_errors


def test_board_shows_every_table(house: ServerThread, browser: Browser) -> None:
    """Figures since the opening, the most urgent table first, practice tables separate."""
    for name in ("T1", "T9"):
        house.open(name, "top_five", service="attended")
    house.open("machine", "top_five")
    bet(house, TABLE)
    play_round(house, TABLE)
    act(house, TABLE, "ann", cmd.OpenDispute(1, "paid wrongly"))
    petra, frank = visit(house, browser, "petra"), visit(house, browser, "frank")
    for user in (petra, frank):
        expect(user.page).to_have_url(re.compile("/pit$"))
    board = petra.page.locator(".board").first
    row = board.locator(f"[data-table={TABLE}]")
    expect(row.locator("[data-label='Average bet']")).to_contain_text("$")
    expect(row.locator("[data-label=Win]")).to_contain_text("$")
    expect(row.locator("[data-label=Drop]")).to_have_text("$500")
    expect(row.locator("[data-label=Players]")).to_have_text("1 of 6")
    expect(row.locator("[data-label=Dealer]")).to_have_text("Dana")
    for label in ("Last round", "Waiting"):
        expect(row.locator(f"[data-label='{label}']")).to_contain_text("0:")
    ids = board.locator("tbody tr").evaluate_all("rows => rows.map((row) => row.dataset.table)")
    assert [TABLE, "T1", "T9"] == ids
    expect(board.locator("caption")).to_contain_text("3 tables · 1 open · drop $500 · win")
    expect(petra.page.locator("summary", has_text="Practice tables (1)")).to_be_visible()
    expect(frank.page.locator(".board").first).to_contain_text("Rounds/h")
    expect(frank.page.get_by_role("columnheader", name="Drop")).to_have_count(0)
    assert [] == axe_violations(petra.page)
    row.get_by_role("link", name=TABLE).click()
    expect(petra.page.get_by_role("region", name="Waiting for you")).to_be_visible()
    assert [] == petra.page_errors + frank.page_errors


def test_floor_sees_what_lay_face_up(house: ServerThread, browser: Browser) -> None:
    """A supervisor steps through the rounds of a table, but never with all cards."""
    bet(house, TABLE)
    play_round(house, TABLE)
    frank = visit(house, browser, "frank", f"/console/{TABLE}?role=floorperson")
    frank.page.get_by_role("link", name="Rounds of this table").click()
    listed = frank.page.get_by_role("button", name=re.compile("Round 1: players"))
    expect(listed).to_be_visible()
    expect(frank.page.get_by_role("heading", name="Round 1 step")).to_be_visible()
    frank.page.keyboard.press("ArrowLeft")
    assert [] == axe_violations(frank.page)
    assert [] == frank.page_errors

    async def status(name: str, query: str) -> int:
        async with await house.client(name) as client:
            try:
                await client._request("GET", f"/tables/{TABLE}/rounds/1{query}")
            except ResponseError as error:
                return error.status
        return 200

    def status_of(name: str, query: str = "") -> int:
        return house.within(lambda floor: status(name, query))

    assert 200 == status_of("frank")
    for name, query in (("frank", "?eyes=whole"), ("petra", "?eyes=1"), ("dana", ""), ("ann", "")):
        assert 403 == status_of(name, query), f"{name} {query}"


@pytest.mark.parametrize(
    ("name", "path", "pages"),
    [
        (
            "petra",
            "/pit",
            (
                "Pit",
                "Camera wall",
                "Reports",
                "Gaming days",
                "People",
                "Disable gaming",
                "Dealer school",
            ),
        ),
        ("frank", "/pit", ("Pit", "Camera wall")),
        ("dana", "/deal", ("Deal",)),
        ("cal", "/queue", ("Queue", "Reports", "Gaming days")),
        ("sid", "/queue", ("Queue",)),
        ("sam", "/wall", ("Camera wall", "Rounds", "Gaming days", "People")),
        ("olga", "/manage", ("Submissions", "Reports", "People", "Disable gaming", "Software")),
        ("tina", "/school", ("Dealer school",)),
        ("ann", "/lobby", ()),
    ],
)
def test_every_role_has_a_start_page(
    house: ServerThread, browser: Browser, name: str, path: str, pages: tuple[str, ...]
) -> None:
    """Signing in leads to it, the navigation to the other pages; the lobby is for players."""
    user = BrowserUser(house, browser, name)
    expect(user.page).to_have_url(f"{house.address}{path}")
    navigation = user.page.get_by_role("navigation", name="Pages")
    if pages:
        links = navigation.locator("a:not(croupier-pending-badge a)")
        expect(links).to_have_text(pages)
        expect(navigation.locator("[aria-current=page]").first).to_have_text(pages[0])
        user.page.goto(f"{house.address}/lobby")
        expect(user.page).to_have_url(f"{house.address}{path}")
    else:
        expect(navigation).to_have_count(0)
    assert [] == axe_violations(user.page)
    assert [] == user.page_errors


def test_dealer_starts_at_a_table(house: ServerThread, browser: Browser) -> None:
    """The start page of dealers says where they are on post."""
    dana = visit(house, browser, "dana")
    expect(dana.page.locator(".table-card")).to_contain_text("You are the dealer here.")
    dana.page.get_by_role("link", name=f"Deal at {TABLE}").click()
    expect(dana.page.locator(".act")).to_be_visible()
    assert [] == dana.page_errors
