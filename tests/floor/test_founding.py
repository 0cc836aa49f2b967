"""A floor from nothing, by its commands: founded live, people let in and dismissed, a table."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from croupier.errors import BadInput
from croupier.floor import Accounts, Client
from croupier.floor.accounts import NotAdmitted, beside
from croupier.table.committed import VIRTUAL
from tests.commands import invoke
from tests.floor.servers import Process
from tests.floor.test_manage import APPROVAL, asked, refused
from tests.floor.world import PASSWORD, run


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where nothing is yet; everybody gets the same password."""
    found = str(tmp_path / "harbor.db")
    monkeypatch.setenv("CROUPIER_DATABASE", found)
    monkeypatch.setenv("CROUPIER_PASSWORD", PASSWORD)
    return found


def said(*words: str) -> str:
    """What a command prints that is carried out."""
    done = invoke([*words])
    assert 0 == done.exit_code, done.output
    return done.output


def wrong(*words: str) -> str:
    """What a command prints that is not."""
    done = invoke([*words])
    assert 2 == done.exit_code, done.output
    return done.output


def test_a_ledger_is_founded_once(database: str) -> None:
    """What it is for, and how its days are counted, cannot be said twice."""
    assert "'Mars' is no time zone" in wrong("found", "--live", "--timezone", "Mars")
    told = f"{database}: a live ledger; days begin at 05:00, America/Chicago"
    words = ("found", "--live", "--timezone", "America/Chicago", "--day-starts", "05:00")
    assert f"{told}\n" == said(*words)
    assert f"error: {told}: it is founded, and stays what it is\n" == wrong("found", "--practice")
    assert "a demonstration needs one for practice" in wrong("serve", "--demo", "--port", "0")


def test_people_are_let_in_listed_and_dismissed(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Offices beside roles; who is dismissed has nothing left, not even a session."""
    assert "nobody yet" in said("people")
    assert "olga: operator\n" == said("admit", "Olga", "--role", "operator")
    nowhere = "trainee is an office of the property, at no table; got 'T'"
    assert nowhere in wrong("admit", "olga", "--role", "trainee", "--table", "T")
    assert "expected one of dealer" in wrong("admit", "dana", "--role", "king")
    roles = ("--role", "dealer", "--role", "floorperson")
    said("admit", "dana", *roles, "--table", "T1", "--table", "T2")
    monkeypatch.delenv("CROUPIER_PASSWORD")
    assert "dana: player at *\n" == said("admit", "dana", "--role", "player")  # none is asked for
    with closing(Accounts(beside(database))) as accounts:
        _, token = accounts.sign_in("dana", PASSWORD)
        listed = (
            "dana: player at *, dealer at T1, floorperson at T1, dealer at T2, floorperson at T2"
        )
        assert f"{listed}, 1 signed in\nolga: operator\n" == said("people")
        left = said("dismiss", "dana", *roles, "--table", "T1")
        assert "dana: player at *, dealer at T2, floorperson at T2\n" == left
        assert accounts.admitted(token).roles_at("T1") == ("player",)
        assert "goes with a --role" in wrong("dismiss", "dana", "--table", "T2")
        assert "dana: nothing any more\n" == said("dismiss", "dana")
        with pytest.raises(NotAdmitted):
            accounts.admitted(token)
        with pytest.raises(NotAdmitted):
            accounts.sign_in("dana", PASSWORD)
        with pytest.raises(BadInput, match="nobody is called 'eve' here"):
            accounts.dismiss("eve")
    people = json.loads(said("people", "--json"))
    assert [("dana", {}, 0), ("olga", {}, 0)] == [
        (each["person"]["id"], each["person"]["roles"], each["sessions"]) for each in people
    ]
    assert ["operator"] == people[1]["person"]["offices"]
    assert "nobody is called 'eve' here" in wrong("dismiss", "eve", "--role", "player")


async def opened(address: str) -> None:
    """Two operators open a table of people; no machine deals it, nobody is advised or taught."""
    async with Client(address) as olga, Client(address) as otto, Client(address) as ann:
        for client, name in ((olga, "olga"), (otto, "otto"), (ann, "ann")):
            await client.sign_in(name, PASSWORD)
        draft = await asked(olga, "/submissions", {"game": "top_five", "operator": "Pier"})
        path = f"/submissions/{draft['id']}"
        assert draft["live"]
        answers = {**draft["answers"], "choices.layout_approval": APPROVAL}
        draft = await asked(
            olga, f"{path}/answers", {"version": draft["version"], "answers": answers}
        )
        sent = await asked(olga, f"{path}/sending", {"version": draft["version"]})
        decision = {"digest": sent["sent_digest"], "approved": True}
        await asked(otto, f"{path}/decision", decision)
        by_machine = {"table": "Pier 1", "service": "practice"}
        assert (422, VIRTUAL) == await refused(olga, f"{path}/tables", by_machine)
        await asked(olga, f"{path}/tables", {"table": "Pier 1", "service": "attended"})
        (table,) = await ann.tables()
        assert ("Pier 1", True) == (table["id"], table["live"])
        assert (422, "COMAR 36.05.03.13A") == await refused(ann, "/tables/Pier 1/advice", None)
        lesson = {"game": "top_five", "rounds": 1, "irregular": False}
        assert 422 == (await refused(otto, "/school/lessons", lesson))[0]
        assert (await ann.state("Pier 1"))["state"]["view"]["live"]


def test_a_live_floor_from_nothing(database: str) -> None:
    """As docs/installation.md has it, with a server of its own."""
    said("found", "--live")
    for name, role in (("olga", "operator"), ("otto", "operator"), ("ann", "player")):
        said("admit", name, "--role", role)
    said("admit", "otto", "--role", "trainee")
    server = Process(database, "--port", "0")
    try:
        run(opened(server.address))
    finally:
        server.stop()
    said("audit", "verify", database)
