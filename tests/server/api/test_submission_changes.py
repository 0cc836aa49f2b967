"""What an approver sees: the changes against what is in force and against the last proposal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from croupier.games import find
from croupier.server import Client, Floor
from croupier.server.submissions.form_changes import changed_fields
from tests.browser.browser_user import BrowserUser, axe_violations, check_redrawing
from tests.server.api.test_submission_endpoints import APPROVAL, request_json
from tests.support.floor_server import serving

pytestmark = pytest.mark.xdist_group(__name__)


@pytest.mark.parametrize(
    ("game", "before", "after", "expected"),
    [
        ("top_five", {"limits.ante.min": "10"}, {"limits.ante.min": "$10.00"}, []),
        (
            "top_five",
            {"limits.ante.min": "10"},
            {"limits.ante.min": "1,250.50"},
            [("$10", "$1,250.50")],
        ),
        ("top_five", {"limits.ante.min": "ten"}, {}, [("ten", "not stated")]),
        (
            "ultimate_texas_holdem",
            {},
            {"paytables.trips": "2", "limits.trips.min": "5"},
            [("not offered", "paytable 2"), ("not offered", "$5"), ("not offered", "not stated")],
        ),
        (
            "ultimate_texas_holdem",
            {"choices.void_returns_folded": "true"},
            {"choices.void_returns_folded": "no"},
            [("yes", "no")],
        ),
    ],
)
def test_changes_are_in_the_words_of_the_form(
    game: str, before: dict[str, str], after: dict[str, str], expected: list[tuple[str, str]]
) -> None:
    """Another spelling of the same answer is no change."""
    changes = changed_fields(find(game), before, after)
    assert expected == [(change.before, change.after) for change in changes]


async def send(client: Client, draft: dict[str, Any], **answers: str) -> dict[str, Any]:
    """Save some answers of a draft, and send it for approval."""
    path = f"/submissions/{draft['id']}"
    body = {"version": draft["version"], "answers": {**draft["answers"], **answers}}
    saved = await request_json(client, f"{path}/answers", body)
    sent: dict[str, Any] = await request_json(
        client, f"{path}/sending", {"version": saved["version"]}
    )
    return sent


async def decide(client: Client, sent: dict[str, Any], *, approved: bool) -> dict[str, Any]:
    """Approve a submission, or return it."""
    body = {"digest": sent["sent_digest"], "approved": approved, "remark": "the minimum is $15"}
    decided: dict[str, Any] = await request_json(
        client, f"/submissions/{sent['id']}/decision", body
    )
    return decided


def test_an_approver_sees_the_changes(tmp_path: Path, browser: Browser) -> None:
    """Of an amendment that was returned once: both comparisons, also on the page."""
    with serving(tmp_path) as world:

        async def amend(floor: Floor) -> str:
            async with await world.client("olga") as olga, await world.client("otto") as otto:
                first = await request_json(
                    olga, "/submissions", {"game": "top_five", "operator": "Pier"}
                )
                path = f"/submissions/{first['id']}"
                nothing = (await request_json(olga, f"{path}/changes"))["comparisons"]
                assert [] == nothing
                approval = {"choices.layout_approval": APPROVAL}
                minimum = {"limits.ante.min": "10"}
                await decide(otto, await send(olga, first, **approval, **minimum), approved=True)
                under = {"table": "M1", "service": "practice"}
                await request_json(olga, f"{path}/tables", under)
                body = {"game": "top_five", "based_on": first["id"]}
                second = await request_json(olga, "/submissions", body)
                letter = "A" if first["answers"]["paytables.top_five_bonus"] != "A" else "B"
                paytable = {"paytables.top_five_bonus": letter}
                sent = await send(olga, second, **paytable, **{"limits.ante.min": "25"})
                returned = await decide(otto, sent, approved=False)
                await send(olga, returned, **{"limits.ante.min": "15"})
                path = f"/submissions/{second['id']}/changes"
                in_force, proposal = (await request_json(otto, path))["comparisons"]
                assert ("in_force", first["id"], ["M1"], "otto") == (
                    in_force["kind"],
                    in_force["with"],
                    in_force["tables"],
                    in_force["decided_by"],
                )
                changed = {each["field"]: each for each in in_force["changes"]}
                assert {"limits.ante.min", "paytables.top_five_bonus"} == set(changed)
                assert ("$10", "$15") == (
                    changed["limits.ante.min"]["before"],
                    changed["limits.ante.min"]["after"],
                )
                assert ["top_five_bonus"] == [each["wager"] for each in in_force["edges"]]
                assert ("proposal", "the minimum is $15") == (proposal["kind"], proposal["remark"])
                assert [("$25", "$15")] == [
                    (each["before"], each["after"]) for each in proposal["changes"]
                ]
                assert [] == proposal["edges"]
                return str(second["id"])

        id = world.within(amend)
        otto = BrowserUser(world, browser, "otto")
        page = otto.page
        page.goto(f"{world.address}/manage/{id}")
        changes = page.get_by_role("region", name="Against what is in force", exact=True)
        row = changes.locator("[data-change='limits.ante.min']")
        expect(row.locator("del")).to_have_text("$10")
        expect(row.locator("ins")).to_have_text("$15")
        expect(changes.get_by_text("Tables: M1.")).to_be_visible()
        expect(changes.get_by_text("House edge: Top Five Bonus")).to_be_visible()
        proposal = page.get_by_role("region", name="Against the last proposal", exact=True)
        expect(proposal.locator("del")).to_have_text("$25")
        expect(proposal.get_by_text("Returned by Otto on")).to_be_visible()
        assert [] == axe_violations(page)
        check_redrawing(page)
        assert [] == otto.page_errors
