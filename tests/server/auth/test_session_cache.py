"""Sessions in use are asked for again together, in time; one that has ended ends everywhere."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from croupier.server import Accounts
from croupier.server.auth import accounts as acc
from croupier.server.auth import session_cache
from croupier.server.auth.accounts import EVERY_TABLE, NotAdmitted, token_digest
from croupier.server.auth.session_cache import SessionCache
from tests.support.floor_server import PASSWORD, WEAK, run


class Counted(Accounts):
    """Accounts that note what they are asked."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, hasher=WEAK)
        self.asked: list[int] = []

    def authenticate_many(self, tokens: object, *, used: bool = True) -> dict[str, acc.Person]:
        """How many at once."""
        given = list(tokens)  # type: ignore[call-overload]
        self.asked.append(len(given))
        return super().authenticate_many(given, used=used)


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Counted]:
    """Three people, signed in."""
    found = Counted(tmp_path / "floor.db")
    for name in ("ann", "bob", "cid"):
        found.add(name, PASSWORD, [("player", EVERY_TABLE)])
    yield found
    found.close()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything a tenth as long."""
    for name in ("CACHE_SECONDS", "RENEW_BEFORE_SECONDS", "BATCH_SECONDS"):
        monkeypatch.setattr(session_cache, name, getattr(session_cache, name) / 10)


def test_many_are_found_at_once(people: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with the roles of its person; those that have ended, or never were, are left out."""
    monkeypatch.setattr(acc, "TOKENS_PER_QUERY", 2)
    tokens = [people.begin(name) for name in ("ann", "bob", "cid", "ann")]
    people.end(tokens[1])
    found = people.authenticate_many([*tokens, "none"])

    assert {tokens[0]: "ann", tokens[2]: "cid", tokens[3]: "ann"} == {
        token: person.id for token, person in found.items()
    }
    assert all(("player",) == person.roles_at("T") for person in found.values())


def test_those_in_use_are_renewed_together(people: Counted) -> None:
    """Nobody waits for it: after the first time each is asked for with the others."""
    tokens = [people.begin(name) for name in ("ann", "bob", "cid")]

    async def using() -> None:
        known = SessionCache(people)
        for _ in range(60):
            for token in tokens:
                await known.person(token, token_digest(token))
            await asyncio.sleep(0.02)

    run(using())
    alone, together = people.asked[:3], people.asked[3:]

    assert [1, 1, 1] == alone
    assert {3} == set(together)
    assert 2 <= len(together) <= 6


def test_one_that_ended_elsewhere_ends_here(people: Counted) -> None:
    """Though it is in use all the time; another one is not touched."""
    ends, goes_on = people.begin("ann"), people.begin("bob")

    async def until_refused(known: SessionCache) -> None:
        while True:
            await known.person(goes_on, token_digest(goes_on))
            await known.person(ends, token_digest(ends))
            await asyncio.sleep(0.01)

    async def using() -> None:
        known = SessionCache(people)
        await known.person(ends, token_digest(ends))
        await asyncio.to_thread(people.end, ends)
        with pytest.raises(NotAdmitted):
            await until_refused(known)
        assert not known.is_valid(token_digest(ends))
        assert known.is_valid(token_digest(goes_on))

    run(using())


def test_who_signs_out_while_it_is_asked_stays_out(
    people: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the database said before counts no more."""
    token, asked = people.begin("ann"), people.authenticate_many

    def slowly(tokens: object, *, used: bool = True) -> dict[str, acc.Person]:
        found = asked(tokens, used=used)
        time.sleep(0.2)
        return found

    async def leaving() -> bool:
        known = SessionCache(people)
        await known.person(token, token_digest(token))
        monkeypatch.setattr(people, "authenticate_many", slowly)
        await asyncio.sleep(0.3)
        await known.person(token, token_digest(token))  # to be renewed
        await asyncio.sleep(0.1)
        known.forget(token_digest(token))
        await asyncio.sleep(0.3)
        assert [1, 1] == people.asked
        return known.is_valid(token_digest(token))

    assert not run(leaving())


def test_a_database_that_is_away_ends_no_session_early(
    people: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It counts for as long as it was remembered; then the failure is told."""
    token = people.begin("ann")

    def away(tokens: object, *, used: bool = True) -> dict[str, acc.Person]:
        raise sa.exc.OperationalError("away", {}, Exception())

    async def using() -> None:
        known = SessionCache(people)
        await known.person(token, token_digest(token))
        monkeypatch.setattr(people, "authenticate_many", away)
        await asyncio.sleep(0.3)
        assert "ann" == (await known.person(token, token_digest(token))).id
        await asyncio.sleep(0.1)
        assert known.is_valid(token_digest(token))
        await asyncio.sleep(0.2)
        with pytest.raises(sa.exc.OperationalError):
            await known.person(token, token_digest(token))

    run(using())
