"""Modes of a lesson: without prompts, hard payouts, a pass mark; mistakes with their clause."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.games import CATALOGUE
from croupier.server import Floor
from croupier.server.school.grading import ROUTINE
from croupier.server.school.hard_decks import hard_deck, hard_payouts, shuffled
from croupier.submission import example
from croupier.table import kind_of
from tests.browser.browser_user import BrowserUser, axe_violations, check_redrawing
from tests.server.api.test_submission_endpoints import refusal_of, request_json
from tests.server.school.test_lessons import dealt, entries, right_act
from tests.support.floor_server import ServerThread, run, serving

pytestmark = pytest.mark.xdist_group(__name__)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A server with no tables."""
    with serving(Path(tmp_path_factory.mktemp("modes"))) as world:
        yield world


@pytest.mark.parametrize("game", [game.key for game in CATALOGUE])
def test_a_hard_deck_pays_more_than_others(game: str) -> None:
    """More wagers win at unusual odds; equal seeds give equal decks."""
    terms = example(game)
    hard = [hard_payouts(terms, hard_deck(terms, f"{game} {number}")) for number in range(4)]
    usual = [hard_payouts(terms, tuple(shuffled(f"{game} {number}"))) for number in range(40)]

    assert min(hard) >= 1
    assert sum(hard) / len(hard) > 3 * sum(usual) / len(usual)
    assert hard_deck(terms, "a") == hard_deck.__wrapped__(terms, "a")


def test_a_lesson_of_hard_payouts_is_dealt(house: ServerThread) -> None:
    """Its wagers are larger than the minimum, on every optional wager."""

    async def learning() -> dict[str, Any]:
        async with await house.client("tina") as tina:
            begun = {"game": "ultimate_texas_holdem", "rounds": 2, "hard_payouts": True}
            lesson = await request_json(tina, "/school/lessons", begun)
            assert lesson["hard_payouts"] and not lesson["pass_mark"]
            table = lesson["table"]

            async def stakes(floor: Floor) -> dict[str, int]:
                current = floor.table_host(table).table.round
                assert current is not None
                return dict(current.boxes[1].stakes)

            placed = house.within(stakes)
            limits = example("ultimate_texas_holdem").limits
            assert placed["ante"] >= 3 * limits["ante"].minimum
            assert {"trips"} <= set(placed)
            return await dealt(tina, house, lesson)

    assert "done" == run(learning())["state"]


def test_an_act_is_named_before_it_is_taken(house: ServerThread) -> None:
    """A wrong name is a mistake with its clause; a right one is no act; nothing is executed."""

    async def learning() -> None:
        async with await house.client("tina") as tina:
            begun = {"game": "top_five", "rounds": 1, "irregular": False, "prompts": False}
            lesson = await request_json(tina, "/school/lessons", begun)
            path = f"/tables/{lesson['table']}/school"
            kinds = [act["kind"] for act in lesson["acts"]]
            assert list(map(kind_of, ROUTINE)) == kinds and not lesson["prompts"]
            before = entries(house, lesson["table"])
            named = await request_json(tina, path, {"names": "no_more_bets"})
            assert [] == named["grades"]
            wrong = await request_json(tina, path, {"names": "settle"})
            (grade,) = wrong["grades"]
            assert (False, "Pay what is left and close the round") == (
                grade["right"],
                grade["done"],
            )
            assert grade["due"].startswith("No more bets") and grade["clause"]
            helped = await request_json(tina, path, {"names": "unknown"})
            assert "asked what is due" == helped["grades"][-1]["done"]
            assert before == entries(house, lesson["table"])
            assert 400 == (await refusal_of(tina, path, {}))[0]
            while lesson["state"] == "running":
                act = right_act(house, lesson["table"])
                named = await request_json(tina, path, {"names": act["command"]["kind"]})
                assert 2 == sum(not grade["right"] for grade in named["grades"])
                assert 0 == named["paying"]
                lesson = await request_json(tina, path, act)

    run(learning())


def test_a_test_below_its_pass_mark_is_not_passed(house: ServerThread) -> None:
    """The examiner's record has score and mark."""

    async def examining() -> None:
        async with await house.client("tina") as tina, await house.client("petra") as petra:
            wrong = {"game": "top_five", "pass_mark": 30}
            assert 400 == (await refusal_of(tina, "/school/lessons", wrong))[0]
            for mistakes, passes in ((4, False), (0, True)):
                begun = {"game": "top_five", "rounds": 1, "irregular": False, "pass_mark": 80}
                lesson = await request_json(tina, "/school/lessons", begun)
                for _ in range(mistakes):
                    path = f"/tables/{lesson['table']}/school"
                    await request_json(tina, path, {"command": {"kind": "settle"}})
                lesson = await dealt(tina, house, lesson)
                assert (lesson["score"] >= 80) == passes
                path = f"/school/lessons/{lesson['id']}/verdict"
                verdict = {"passed": True, "remark": "steady"}
                if passes:
                    signed = await request_json(petra, path, verdict)
                    assert "steady; score 100%, pass mark 80%" == signed["remark"]
                else:
                    assert "COMAR 36.05.03.18" == (await refusal_of(petra, path, verdict))[1]
                    failed = await request_json(petra, path, {"passed": False})
                    assert not failed["passed"]

    run(examining())


def test_a_wrong_payout_is_explained(house: ServerThread) -> None:
    """The note says how the winnings add up, and which seat comes first."""

    async def learning() -> None:
        async with await house.client("tina") as tina:
            begun = {"game": "ultimate_texas_holdem", "rounds": 3, "hard_payouts": True}
            lesson = await request_json(tina, "/school/lessons", begun | {"irregular": False})
            path = f"/tables/{lesson['table']}/school"
            while lesson["state"] == "running":
                act = right_act(house, lesson["table"])
                if act["command"]["kind"] == "settle_seat" and act["pays"]:
                    wrong = {**act, "pays": act["pays"] + 100}
                    note = (await request_json(tina, path, wrong))["grades"][-1]["note"]
                    assert note.startswith("The payout is $") and " to 1, $" in note
                    seat = 5 - act["command"]["seat"]
                    other = {**act, "command": {"kind": "settle_seat", "seat": seat}}
                    note = (await request_json(tina, path, other))["grades"][-1]["note"]
                    assert f"Seat {act['command']['seat']} is paid next." == note
                    return
                lesson = await request_json(tina, path, act)
        raise AssertionError("no seat wins in a lesson of hard payouts")

    run(learning())


async def assigned(table: str, floor: Floor) -> dict[str, str]:
    """The staff of a table on record."""
    return dict(floor.ledger.open_table(table).table.posts.here)


@pytest.mark.parametrize("acts", [0, 1])
def test_a_lesson_can_be_ended_in_the_middle_of_a_round(house: ServerThread, acts: int) -> None:
    """A simulated dealer relieves the trainee, who starts the next lesson; also before the deal."""

    async def learning() -> None:
        async with await house.client("tina") as tina:
            begun = {"game": "top_five", "rounds": 1, "irregular": False}
            first = await request_json(tina, "/school/lessons", begun)
            for _ in range(acts):
                act = right_act(house, first["table"])
                await request_json(tina, f"/tables/{first['table']}/school", act)
            second = await request_json(tina, "/school/lessons", begun)
            ended = await request_json(tina, f"/school/lessons/{first['id']}")
            assert ("broken off", "running") == (ended["state"], second["state"])
            posts = house.within(partial(assigned, first["table"]))
            assert "tina" not in posts

    run(learning())


def test_a_lesson_without_prompts_in_the_browser(house: ServerThread, browser: Browser) -> None:
    """The screen asks what is next; a mistake shows the text of its clause."""
    tina = BrowserUser(house, browser, "tina")
    page = tina.page
    page.goto(f"{house.address}/school")
    page.get_by_label("Game").select_option("top_five")
    page.get_by_label("Rounds").fill("1")
    page.get_by_label("Include irregularities").uncheck()
    page.get_by_label("Without prompts").check()
    page.get_by_label("Pass mark").fill("90")
    page.get_by_role("button", name="Start lesson").click()
    expect(page.get_by_role("heading", name="What is next?")).to_be_visible()
    expect(page.locator(".shoe")).to_have_count(0)
    assert [] == axe_violations(page)
    check_redrawing(page)
    page.get_by_role("button", name="Shuffle a deck").click()
    expect(page.get_by_text("Incorrect.")).to_be_visible()
    expect(page.locator(".clause-text")).to_have_text(page.evaluate(CLAUSE_TEXT))
    table = page.locator("croupier-lesson").get_attribute("data-table") or ""
    for _ in range(60):
        if page.locator(".result-card").is_visible():
            break
        take(page, right_act(house, table))
    expect(page.get_by_text("Lesson complete")).to_be_visible()
    expect(page.get_by_text("pass mark 90%")).to_be_visible()
    expect(page.locator(".grades tr.incorrect")).to_have_count(1)
    assert [] == axe_violations(page)
    assert [] == tina.page_errors


# The clause of the last mistake with its text, as the House has it.
CLAUSE_TEXT = """
() => {
  const page = document.querySelector("croupier-lesson");
  const { clause } = page.lesson.grades.at(-1);
  return `${clause} ${page.house.clauses[clause]}`;
}
"""
SETTLED = """
count => {
  const page = document.querySelector("croupier-lesson");
  return page.lesson.grades.length > count && page.sending === 0 && !page.acting;
}
"""


def take(page: Page, act: dict[str, Any]) -> None:
    """Name an act and take it, with the mouse."""
    kind, command = act["command"]["kind"], act["command"]
    count = page.evaluate("document.querySelector('croupier-lesson').lesson.grades.length")
    page.locator(f"[data-name={kind}]").click()
    if kind == "settle_seat":
        page.get_by_label("Seat", exact=True).fill(str(command["seat"]))
        page.get_by_label("Winnings").fill(str(act["pays"] / 100))
        page.get_by_role("button", name="Pay", exact=True).click()
    elif kind == "deal_cards":
        expect(page.locator(".shoe")).to_be_visible()
        for card in command["cards"]:
            page.keyboard.press(card[0].lower())
            page.keyboard.press(card[1])
    else:
        primary = page.locator(f".step.primary[data-kind={kind}]")
        if kind == "shuffle":
            primary.get_by_label("count").fill(str(command["count"]))
        primary.locator("[data-act], form button, .deal").last.click()
    page.wait_for_function(SETTLED, arg=count)
