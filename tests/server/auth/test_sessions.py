"""The sessions in use: one query checks all of them, sign-out, database failures."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import sqlalchemy as sa

from croupier.ledger import Ledger
from croupier.server import Accounts
from croupier.server.auth import sessions
from croupier.server.auth.person import EVERY_TABLE, Person
from croupier.server.auth.sessions import NotAdmitted, SessionCache, token_digest
from tests.support.floor_server import PASSWORD, WEAK_HASHER, run

ANSWERS = threading.Event()
ANSWERS.set()


class Counted(Accounts):
    """Accounts that count the sessions of each query, and that may be held up or unreachable."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger, hasher=WEAK_HASHER)
        self.queries: list[int] = []
        self.error: Exception | None = None
        self.reached = threading.Event()  # a query has been made
        self.answers = ANSWERS  # set when the answer may come

    def authenticate_many(self, digests: Iterable[str], *, used: bool = True) -> dict[str, Person]:
        """Count the sessions."""
        asked = list(digests)
        self.queries.append(len(asked))
        if self.error is not None:
            raise self.error
        people = super().authenticate_many(asked, used=used)
        self.reached.set()
        assert self.answers.wait(20)
        return people


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Counted]:
    """Three accounts."""
    ledger = Ledger(tmp_path / "floor.db")
    accounts = Counted(ledger)
    for name in ("ann", "bob", "cid"):
        accounts.add(name, PASSWORD, [("player", EVERY_TABLE)])
    yield accounts
    accounts.close()
    ledger.close()


@pytest.fixture(autouse=True)
def cache(people: Counted, monkeypatch: pytest.MonkeyPatch) -> SessionCache:
    """Checked by the tests only."""
    monkeypatch.setattr(sessions, "CHECK_SECONDS", 3_600.0)
    return SessionCache(people)


async def use(cache: SessionCache, *tokens: str) -> list[str]:
    """The accounts of sessions, each used once."""
    return [(await cache.person(token, token_digest(token))).id for token in tokens]


def test_many_sessions_are_read_by_one_query(people: Counted) -> None:
    """Each with its roles; ended and unknown sessions are left out."""
    tokens = [people.begin(name) for name in ("ann", "bob", "cid", "ann")]
    people.end(tokens[1])
    persons = people.authenticate_many([*map(token_digest, tokens), "unknown"])

    assert {tokens[0]: "ann", tokens[2]: "cid", tokens[3]: "ann"} == {
        token: persons[token_digest(token)].id for token in tokens if token_digest(token) in persons
    }
    assert 3 == len(persons)
    assert all(("player",) == person.roles_at("T") for person in persons.values())


def test_one_query_checks_all_sessions_in_use(people: Counted, cache: SessionCache) -> None:
    """Requests wait for none of the checks; a session that is not used is dropped."""
    tokens = [people.begin(name) for name in ("ann", "bob", "cid")]

    async def using() -> None:
        for _ in range(3):
            assert ["ann", "bob", "cid"] * 2 == await use(cache, *tokens, *tokens)
            await cache.check()
        assert [1, 1, 1, 3, 3, 3] == people.queries
        await use(cache, *tokens[:2])
        await cache.check()
        assert [True, True, False] == [cache.is_valid(token_digest(token)) for token in tokens]
        await use(cache, *tokens)
        assert [1, 1, 1, 3, 3, 3, 2, 1] == people.queries

    run(using())


def test_checks_go_on_while_sessions_are_used(
    people: Counted, cache: SessionCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And begin again with the next session after a pause."""
    monkeypatch.setattr(sessions, "CHECK_SECONDS", 0.0)
    token = people.begin("ann")

    async def until_dropped() -> None:
        while cache.is_valid(token_digest(token)):
            await asyncio.sleep(0)

    async def using() -> None:
        for _ in range(2):
            await use(cache, token)
            await asyncio.wait_for(until_dropped(), 20)

    run(using())
    assert len(people.queries) >= 4


def test_a_session_that_ended_elsewhere_ends_here(people: Counted, cache: SessionCache) -> None:
    """Even if it is in use; other sessions go on, with their new roles."""
    ends, goes_on = people.begin("ann"), people.begin("bob")

    async def using() -> None:
        await use(cache, ends, goes_on)
        people.end(ends)
        people.grant("bob", "dealer", "T")
        await use(cache, ends, goes_on)
        await cache.check()
        with pytest.raises(NotAdmitted):
            await use(cache, ends)
        assert not cache.is_valid(token_digest(ends))
        assert ("dealer", "player") == (await cache.person("", token_digest(goes_on))).roles_at("T")

    run(using())


@pytest.mark.parametrize("again", [False, True], ids=["signed out", "read again"])
def test_a_session_that_changes_during_a_check(
    people: Counted, cache: SessionCache, again: bool
) -> None:
    """The result of a query that began before does not count."""
    token = people.begin("ann")
    digest = token_digest(token)

    async def using() -> None:
        await use(cache, token)
        people.reached.clear()
        held = people.answers = threading.Event()
        checking = asyncio.ensure_future(cache.check())
        assert await asyncio.to_thread(people.reached.wait, 20)
        await use(cache, token)  # does not wait for the check
        assert [1, 1] == people.queries
        people.grant("ann", "dealer", "T")
        cache.forget(digest)
        people.answers = ANSWERS
        if again:
            await use(cache, token)
        held.set()
        await checking
        assert again == cache.is_valid(digest)
        assert ("dealer", "player") == (await cache.person(token, digest)).roles_at("T")

    run(using())


@pytest.mark.parametrize(
    "error", [sa.exc.OperationalError("away", {}, Exception()), RuntimeError("away")]
)
def test_without_the_database_sessions_end_with_the_next_check(
    people: Counted, cache: SessionCache, error: Exception
) -> None:
    """Until then they are valid; afterwards the request gets the error."""
    token = people.begin("ann")

    async def using() -> None:
        await use(cache, token)
        people.error = error
        await use(cache, token)
        with suppress(RuntimeError):
            await cache.check()
        assert not cache.is_valid(token_digest(token))
        with pytest.raises(type(error)):
            await use(cache, token)
        people.error = None
        assert ["ann"] == await use(cache, token)

    run(using())
