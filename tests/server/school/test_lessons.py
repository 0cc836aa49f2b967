"""The dealer school: graded acts with their clauses, timed payouts, signed table tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec
import pypdfium2
import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.ledger.audit.verify import verify
from croupier.server import Client, Floor
from croupier.server.client import ResponseError
from croupier.server.school.grading import paying_seat, winnings
from croupier.server.school.lessons import School
from croupier.server.school.simulated_people import TROUBLES, SimulatedPeople
from croupier.table import commands as cmd
from croupier.table import kind_of
from croupier.table.core import codec
from croupier.table.drivers.simulated_staff import fill_step
from tests.browser.browser_user import BrowserUser, axe_violations
from tests.server.api.test_submission_endpoints import refusal_of, request_json
from tests.support.floor_server import ServerThread, edit_accounts, run, serving

pytestmark = pytest.mark.xdist_group(__name__)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A server with no tables."""
    with serving(Path(tmp_path_factory.mktemp("school"))) as world:
        yield world


def right_act(world: ServerThread, table: str) -> dict[str, Any]:
    """What a perfect trainee does next, as the simulated people know it."""

    async def next_act(floor: Floor) -> dict[str, Any]:
        people = SimulatedPeople(floor.table_host(table), School(floor).find(table))
        trouble = people.lesson.trouble
        pays = None
        if trouble is not None:
            kind = next(kind for kind in TROUBLES if kind_of(kind) == trouble.kind)
            command: Any = kind(trouble.card) if trouble.card else kind()
        elif paying_seat(people) and people.offered(cmd.SettleSeat):  # an award is verified before
            command, (pays, _) = cmd.SettleSeat(paying_seat(people)), winnings(people)
        else:
            step = people.due()[0]
            dealt = step.command is cmd.DealCards
            command = step.filled(cards=people.shoe()) if dealt else fill_step(people.table, step)
        return {"command": msgspec.json.decode(codec.encode(command)), "pays": pays}

    return world.within(next_act)


def entries(world: ServerThread, table: str) -> int:
    """The number of entries of a table."""

    async def sequence(floor: Floor) -> int:
        return floor.table_host(table).sequence

    return world.within(sequence)


async def dealt(client: Client, world: ServerThread, lesson: dict[str, Any]) -> dict[str, Any]:
    """The rest of a lesson, without a mistake."""
    for _ in range(200):
        if lesson["state"] != "running":
            return lesson
        act = right_act(world, lesson["table"])
        lesson = await request_json(client, f"/tables/{lesson['table']}/school", act)
        assert lesson["grades"][-1]["right"], lesson["grades"][-1]
    raise AssertionError("the lesson does not end")


@pytest.mark.parametrize("game", ["top_five", "ultimate_texas_holdem"])
def test_a_lesson_without_a_mistake_has_its_irregularities_and_payouts(
    house: ServerThread, game: str
) -> None:
    """Two rounds without a mistake: all acts right, each with a clause; payouts are timed."""

    async def learning() -> dict[str, Any]:
        async with await house.client("tina") as tina:
            begun = {"game": game, "rounds": 2, "irregular": True}
            return await dealt(tina, house, await request_json(tina, "/school/lessons", begun))

    lesson = run(learning())
    assert "done" == lesson["state"]
    assert lesson["right"] == len(lesson["grades"]) > 12
    assert all(grade["clause"] for grade in lesson["grades"])
    assert lesson["payouts"] >= 2 and lesson["payout_milliseconds"] >= 0
    assert verify(house.database).ok


def test_a_wrong_act_is_graded_with_its_clause_and_not_executed(house: ServerThread) -> None:
    """Misread cards, a wrong payout, the wrong step; other routes to the table are refused."""

    async def learning() -> dict[str, Any]:
        async with await house.client("tina") as tina, await house.client("petra") as petra:
            begun = {"game": "top_five", "rounds": 3, "irregular": False}
            lesson: dict[str, Any] = await request_json(tina, "/school/lessons", begun)
            table, path = lesson["table"], f"/tables/{lesson['table']}/school"
            with pytest.raises(ResponseError) as error:
                await tina.do(table, {"kind": "no_more_bets"})
            assert 403 == error.value.status
            assert 403 == (await refusal_of(petra, path, right_act(house, table)))[0]
            tried = set()
            while lesson["state"] == "running":
                act = right_act(house, table)
                wrong = spoiled(act)
                before = entries(house, table)
                if wrong is not None and wrong["command"]["kind"] not in tried:
                    tried.add(wrong["command"]["kind"])
                    lesson = await request_json(tina, path, wrong)
                    grade = lesson["grades"][-1]
                    assert not grade["right"] and grade["note"] and grade["clause"], grade
                    assert before == entries(house, table)
                lesson = await request_json(tina, path, act)
            # In three rounds somebody has a wager to be paid or collected.
            assert {"deal_cards", "settle_seat", "settle"} <= tried
            return lesson

    lesson = run(learning())
    assert 3 <= len(lesson["grades"]) - lesson["right"]


def spoiled(act: dict[str, Any]) -> dict[str, Any] | None:
    """A right act made wrong."""
    command = act["command"]
    if command["kind"] == "deal_cards":
        turned = [command["cards"][1], command["cards"][0], *command["cards"][2:]]
        return {**act, "command": {**command, "cards": turned}}
    if command["kind"] == "settle_seat":
        return {**act, "pays": act["pays"] + 100}
    if command["kind"] == "no_more_bets":
        return {"command": {"kind": "settle"}}
    return None


def test_a_pit_manager_signs_the_test_of_another_person(house: ServerThread) -> None:
    """The record names both and the verdict, and cannot be forged (COMAR 36.05.03.18)."""

    async def examining() -> bytes:
        async with AsyncExitStack() as stack:
            tina, petra, frank = [
                await stack.enter_async_context(await house.client(name))
                for name in ("tina", "petra", "frank")
            ]
            return await signed(tina, petra, frank)

    async def signed(tina: Client, petra: Client, frank: Client) -> bytes:
        begun = {"game": "top_five", "rounds": 1, "irregular": False}
        lesson = await request_json(tina, "/school/lessons", begun)
        path = f"/school/lessons/{lesson['id']}"
        verdict = {"passed": True, "remark": "calm and exact"}
        assert (422, "COMAR 36.05.03.18") == await refusal_of(petra, f"{path}/verdict", verdict)
        await dealt(tina, house, lesson)
        assert (422, "COMAR 36.05.03.18") == await refusal_of(tina, f"{path}/verdict", verdict)
        assert 403 == (await refusal_of(frank, f"{path}/verdict", verdict))[0]
        assert None is (await request_json(petra, path))["passed"]
        signed_lesson = await request_json(petra, f"{path}/verdict", verdict)
        assert ("petra", True) == (signed_lesson["examiner"], signed_lesson["passed"])
        assert signed_lesson == await request_json(
            petra, f"{path}/verdict", verdict
        )  # sent twice, signed once
        other = {"passed": False, "remark": "on second thoughts"}
        assert (422, "COMAR 36.05.03.18") == await refusal_of(petra, f"{path}/verdict", other)
        wrong = """replace(content, '"right":true', '"right":false')"""
        edit_accounts(house, f"UPDATE floor_lesson SET content = {wrong}")
        assert signed_lesson == await request_json(petra, path)
        edit_accounts(house, f"DELETE FROM floor_lesson WHERE id = '{lesson['id']}'")
        assert signed_lesson == await request_json(petra, path)
        response = await petra._http.get(
            f"{path}/record.pdf", headers={"authorization": f"Bearer {petra.token}"}
        )
        return response.content

    content = run(examining())
    assert verify(house.database).ok
    pages = pypdfium2.PdfDocument(content)
    text = "\n".join(page.get_textpage().get_text_range() for page in pages)
    for words in ("Table test", "tina", "petra, pit manager", "passed", "calm and exact"):
        assert words in text


def test_a_trainee_is_graded_in_the_browser(house: ServerThread, browser: Browser) -> None:
    """Cards off the shoe, a wrong payout and a right one; the examiner signs what they see."""
    tina = BrowserUser(house, browser, "tina")
    page = tina.page
    page.get_by_role("link", name="Dealer school").click()
    page.get_by_label("Game").select_option("top_five")
    page.get_by_label("Rounds").fill("1")
    page.get_by_label("Include irregularities").uncheck()
    page.get_by_role("button", name="Start lesson").click()
    expect(page.get_by_role("button", name="No more bets")).to_be_visible()
    expect(page.locator("[data-tool=irregularities]")).to_have_count(1)
    expect(page.locator("[data-kind=place_wagers]")).to_have_count(0)  # the players do that
    table = page.locator("croupier-lesson").get_attribute("data-table") or ""
    wrong = False
    for _ in range(60):
        if page.locator(".result-card").is_visible():
            break
        acts = page.evaluate("document.querySelector('croupier-lesson').lesson.grades.length")
        wrong = step(page, right_act(house, table), wrong)
        page.wait_for_function(
            "n => { const found = document.querySelector('croupier-lesson');"
            " return found.lesson.grades.length > n && found.sending === 0; }",
            arg=acts,
        )
    expect(page.get_by_text("Lesson complete")).to_be_visible()
    expect(page.locator(".grades tr.incorrect")).to_have_count(1)
    assert [] == axe_violations(page)
    assert [] == tina.page_errors
    petra = BrowserUser(house, browser, "petra")
    petra.page.goto(f"{house.address}/school")
    waiting = petra.page.locator(".lesson", has_text="waiting for an examiner").first
    waiting.get_by_role("button", name="Passed", exact=True).click()
    expect(petra.page.locator(".lesson").first).to_contain_text("passed, examined by petra")
    assert [] == axe_violations(petra.page)
    assert [] == petra.page_errors


def step(page: Page, act: dict[str, Any], wrong: bool) -> bool:
    """One act with the mouse; the first payout is wrong by a dollar."""
    kind = act["command"]["kind"]
    if kind == "settle_seat":
        owed = act["pays"] + (0 if wrong else 100)
        page.get_by_label("Winnings paid to seat").fill(str(owed / 100))
        page.locator(".step.primary").get_by_role("button").click()
        if not wrong:
            expect(page.get_by_text("Incorrect.")).to_be_visible()
        return True
    if kind == "deal_cards":
        page.get_by_role("button", name="Enter these cards").click()
        page.get_by_role("button", name="Deal the cards").click()
        return wrong
    primary = page.locator(f".step.primary[data-kind={kind}]")
    if kind == "turn_hand":  # the page may still show the hand before
        place = act["command"]["place"]
        where = f"seat {place}" if isinstance(place, int) else f"the {place}"
        expect(primary).to_contain_text(f"{where} is turned up next", ignore_case=True)
    if kind == "shuffle":
        primary.get_by_label("count").fill(str(act["command"]["count"]))
    primary.locator("[data-act], form button, .deal").last.click()
    return wrong
