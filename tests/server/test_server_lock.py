"""The lock of the active server on PostgreSQL: cut off, regained, lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import psycopg
import pytest

from croupier.server import server_lock as lock_module
from croupier.server.server_lock import SERVER_LOCK, is_served, server_lock
from tests.support.postgres import PostgresServer


def wait_until(condition: Callable[[], bool]) -> None:
    """Poll a condition that becomes true by itself."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def take_over(other: psycopg.Connection) -> None:
    """End the session that has the lock, and take the lock in another one."""
    holder = """SELECT pid FROM pg_locks JOIN pg_database ON oid = database
        WHERE datname = current_database() AND locktype = 'advisory' AND granted AND objid = %s"""
    ((pid,),) = other.execute(holder, (SERVER_LOCK,)).fetchall()
    other.execute("SELECT pg_terminate_backend(%s)", (pid,))
    other.execute("SELECT pg_advisory_lock(%s)", (SERVER_LOCK,))


def test_a_lock_that_is_free_again_is_not_lost(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a short outage a session of its own may still have it for seconds; then it is held."""
    monkeypatch.setattr(lock_module, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(lock_module, "CONFIRMED_SECONDS", 0.2)
    database, lost = postgres.new_database(), threading.Event()
    lock = server_lock(database)
    lock.acquire(lambda: None, lost.set)
    assert lock.held and is_served(database)
    with psycopg.connect(database, autocommit=True) as cut_off:
        take_over(cut_off)
        wait_until(lambda: not lock.held)
        time.sleep(0.5)
    wait_until(lambda: lock.held)
    assert not lost.is_set()
    lock.release()
    assert not lock.held and not is_served(database)


def test_a_lock_that_another_server_keeps_is_lost(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server that had it stops."""
    monkeypatch.setattr(lock_module, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(lock_module, "CONFIRMED_SECONDS", 0.2)
    monkeypatch.setattr(lock_module, "LOST_SECONDS", 0.5)
    database, lost = postgres.new_database(), threading.Event()
    lock = server_lock(database)
    lock.acquire(lambda: None, lost.set)
    with psycopg.connect(database, autocommit=True) as other:
        take_over(other)
        assert lost.wait(60)
        assert not lock.held
    lock.release()
