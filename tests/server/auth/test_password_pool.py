"""Password hashing delays only other attempts; attempts cannot pile up; no account is revealed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.server.auth import password_pool
from croupier.server.auth.accounts import Accounts
from croupier.server.auth.password_pool import PasswordPool
from croupier.server.auth.sessions import NotAdmitted
from croupier.server.client import Client, ResponseError
from croupier.server.http.errors import TooManyRequests
from tests.support.floor_server import PASSWORD, WEAK_HASHER, open_accounts, run, serving


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Accounts]:
    """Accounts of a new ledger."""
    with open_accounts(tmp_path / "floor.db") as accounts:
        yield accounts


def test_wrong_sign_ins_hold_up_no_other_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While every hash waits, requests that use other threads are answered."""
    released = threading.Event()

    def slow(*arguments: object) -> bool:
        released.wait(30)
        return False

    async def scenario(address: str) -> None:
        async with Client(address) as guesser, Client(address) as newcomer:
            guesses = [
                asyncio.ensure_future(guesser.sign_in(f"name {number}", PASSWORD))
                for number in range(40)
            ]
            refused = len(guesses) - password_pool.WAITING_PER_ADDRESS_MAX
            while sum(guess.done() for guess in guesses) < refused:
                await asyncio.sleep(0.01)
            newcomer.token = "made up, so that the accounts database is read"
            with pytest.raises(ResponseError) as error:
                await asyncio.wait_for(newcomer.tables(), 10)
            assert 401 == error.value.status
            released.set()
            results = await asyncio.gather(*guesses, return_exceptions=True)
            statuses = [each.status for each in results if isinstance(each, ResponseError)]
            assert {401, 429} == {*statuses}
            assert password_pool.WAITING_PER_ADDRESS_MAX == statuses.count(401)

    with serving(tmp_path) as world:
        monkeypatch.setattr(Accounts, "_matches", slow)
        run(scenario(world.address))


def test_one_address_cannot_use_up_the_pool() -> None:
    """Its further attempts are refused at once, those of another address wait."""
    released = threading.Event()

    async def scenario() -> None:
        pool = PasswordPool()
        first = [
            asyncio.ensure_future(pool.run("192.0.2.1", released.wait, 20))
            for _ in range(password_pool.WAITING_PER_ADDRESS_MAX)
        ]
        await asyncio.sleep(0)
        with pytest.raises(TooManyRequests):
            await pool.run("192.0.2.1", released.wait, 20)
        other = asyncio.ensure_future(pool.run("192.0.2.2", released.wait, 20))
        await asyncio.sleep(0)
        released.set()
        assert [True] * 6 == await asyncio.gather(*first, other)
        await asyncio.sleep(0)
        assert not pool._waiting
        assert await pool.run("192.0.2.1", released.wait, 20)
        pool.close()

    run(scenario())


def test_a_disabled_account_takes_as_long_as_any_other(
    people: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each attempt verifies exactly one real hash, whatever there is to find."""
    for name in ("ann", "bob"):
        people.add(name, PASSWORD, [("player", "*")])
    people.dismiss("bob")
    hashes: list[str] = []

    class WatchedHasher:
        def verify(self, hashed: str, secret: str) -> bool:
            hashes.append(hashed)
            return WEAK_HASHER.verify(hashed, secret)

    monkeypatch.setattr(people, "hasher", WatchedHasher())
    for name in ("ann", "bob", "nobody at all"):
        with pytest.raises(NotAdmitted):
            people.identify(name, "a wrong password")
    assert 3 == len(hashes) and all(each.startswith("$argon2") for each in hashes)
