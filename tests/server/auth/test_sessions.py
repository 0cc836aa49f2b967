"""The session cache: batched renewal, sign-out, database failures."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from croupier.server import Accounts
from croupier.server.auth import sessions
from croupier.server.auth.person import EVERY_TABLE, Person
from croupier.server.auth.sessions import NotAdmitted, SessionCache, token_digest
from tests.support.floor_server import PASSWORD, WEAK_HASHER, run


class Counted(Accounts):
    """Accounts that count the tokens of each query."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, hasher=WEAK_HASHER)
        self.batches: list[int] = []

    def authenticate_many(self, tokens: object, *, used: bool = True) -> dict[str, Person]:
        """Count the tokens."""
        batch = list(tokens)  # type: ignore[call-overload]
        self.batches.append(len(batch))
        return super().authenticate_many(batch, used=used)


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Counted]:
    """Three accounts."""
    accounts = Counted(tmp_path / "floor.db")
    for name in ("ann", "bob", "cid"):
        accounts.add(name, PASSWORD, [("player", EVERY_TABLE)])
    yield accounts
    accounts.close()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten every interval to a tenth."""
    for name in ("CACHE_SECONDS", "RENEW_BEFORE_SECONDS", "BATCH_SECONDS"):
        monkeypatch.setattr(sessions, name, getattr(sessions, name) / 10)


def test_many_sessions_are_authenticated_together(
    people: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each with its roles; ended and unknown sessions are left out."""
    monkeypatch.setattr(sessions, "TOKENS_PER_QUERY", 2)
    tokens = [people.begin(name) for name in ("ann", "bob", "cid", "ann")]
    people.end(tokens[1])
    persons = people.authenticate_many([*tokens, "none"])

    assert {tokens[0]: "ann", tokens[2]: "cid", tokens[3]: "ann"} == {
        token: person.id for token, person in persons.items()
    }
    assert all(("player",) == person.roles_at("T") for person in persons.values())


def test_sessions_in_use_are_renewed_in_batches(people: Counted) -> None:
    """After the first lookup of each, one query renews all."""
    tokens = [people.begin(name) for name in ("ann", "bob", "cid")]

    async def using() -> None:
        cache = SessionCache(people)
        for _ in range(60):
            for token in tokens:
                await cache.person(token, token_digest(token))
            await asyncio.sleep(0.02)

    run(using())
    alone, together = people.batches[:3], people.batches[3:]

    assert [1, 1, 1] == alone
    assert {3} == set(together)
    assert 2 <= len(together) <= 6


def test_a_session_that_ended_elsewhere_ends_here(people: Counted) -> None:
    """Even if it is in use; other sessions go on."""
    ends, goes_on = people.begin("ann"), people.begin("bob")

    async def until_refused(cache: SessionCache) -> None:
        while True:
            await cache.person(goes_on, token_digest(goes_on))
            await cache.person(ends, token_digest(ends))
            await asyncio.sleep(0.01)

    async def using() -> None:
        cache = SessionCache(people)
        await cache.person(ends, token_digest(ends))
        await asyncio.to_thread(people.end, ends)
        with pytest.raises(NotAdmitted):
            await until_refused(cache)
        assert not cache.is_valid(token_digest(ends))
        assert cache.is_valid(token_digest(goes_on))

    run(using())


def test_signing_out_during_a_renewal(people: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result of a query that began before does not count."""
    token, original = people.begin("ann"), people.authenticate_many

    def slowly(tokens: object, *, used: bool = True) -> dict[str, Person]:
        persons = original(tokens, used=used)
        time.sleep(0.2)
        return persons

    async def leaving() -> bool:
        cache = SessionCache(people)
        await cache.person(token, token_digest(token))
        monkeypatch.setattr(people, "authenticate_many", slowly)
        await asyncio.sleep(0.3)
        await cache.person(token, token_digest(token))  # to be renewed
        await asyncio.sleep(0.1)
        cache.forget(token_digest(token))
        await asyncio.sleep(0.3)
        assert [1, 1] == people.batches
        return cache.is_valid(token_digest(token))

    assert not run(leaving())


def test_a_database_failure_ends_no_cached_session(
    people: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The session is valid until it expires from the cache; then the error is raised."""
    token = people.begin("ann")

    def away(tokens: object, *, used: bool = True) -> dict[str, Person]:
        raise sa.exc.OperationalError("away", {}, Exception())

    async def using() -> None:
        cache = SessionCache(people)
        await cache.person(token, token_digest(token))
        monkeypatch.setattr(people, "authenticate_many", away)
        await asyncio.sleep(0.3)
        assert "ann" == (await cache.person(token, token_digest(token))).id
        await asyncio.sleep(0.1)
        assert cache.is_valid(token_digest(token))
        await asyncio.sleep(0.2)
        with pytest.raises(sa.exc.OperationalError):
            await cache.person(token, token_digest(token))

    run(using())
