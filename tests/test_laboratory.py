"""A laboratory's first morning, from the wheel to the audit, each step as it is documented."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pyotp
import pytest

from croupier.cards import Card
from croupier.clock import now_ms
from croupier.ledger import Ledger
from croupier.server import Client
from croupier.server.client import ResponseError
from croupier.table import Account, Command, Role, Step, Table, next_dealer_command
from croupier.table import commands as cmd
from croupier.table.drivers.shuffler import Shuffler
from croupier.table.drivers.simulated_staff import fill_step, opening_steps, staff_steps
from tests.server.api.test_submission_endpoints import request_json
from tests.support.approved_submission import approve_submission
from tests.support.floor_server import PASSWORD
from tests.support.paths import ROOT
from tests.support.server_processes import Process

TABLE = "Pier 1"
PEOPLE: dict[str, Role] = {
    "dana": "dealer",
    "dora": "dealer",
    "frank": "floorperson",
    "petra": "pit_manager",
    "ann": "player",
    "paul": "player",
    "cal": "cage",
    "sid": "security",
}


class Laboratory:
    """An installation, its ledger and the recovery codes of its founders."""

    def __init__(self, folder: Path) -> None:
        self.site, self.database = folder / "site", str(folder / "live.db")
        self.codes: dict[str, Iterator[str]] = {}
        self.environment = {
            **{
                name: value for name, value in os.environ.items() if not name.startswith("CROUPIER")
            },
            "PYTHONPATH": str(self.site),
            "CROUPIER_DATABASE": self.database,
        }

    def install(self, folder: Path) -> None:
        """Build the wheel and install it."""
        python = [sys.executable, "-m"]
        build = [*python, "hatchling", "build", "-t", "wheel", "-d", str(folder)]
        subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
        (wheel,) = folder.glob("*.whl")
        target = ["--no-deps", "--no-index", "-q", "--target", str(self.site), str(wheel)]
        subprocess.run([*python, "pip", "install", *target], check=True, capture_output=True)

    def croupier(self, *arguments: str, typed: str = "", status: int = 0) -> str:
        """The output of a command, which ends with this status."""
        done = subprocess.run(
            [sys.executable, "-m", "croupier.cli", *arguments],
            cwd=self.site,
            env=self.environment,
            input=typed,
            capture_output=True,
            text=True,
            check=False,
            start_new_session=True,  # without a terminal, passwords are read from the input
        )
        assert status == done.returncode, done.stdout + done.stderr
        return done.stdout + done.stderr

    def by(self, name: str) -> tuple[str, ...]:
        """The options of a change by an operator."""
        return "--by", name, "--reason", "first morning"

    def signs(self, *names: str) -> str:
        """What these people type: their password and a code."""
        return "".join(f"{PASSWORD}\n{next(self.codes[name])}\n" for name in names)

    def enroll(self, name: str) -> None:
        """Add an authenticator app, with the code that it shows, and keep the recovery codes."""
        with subprocess.Popen(
            [sys.executable, "-m", "croupier.cli", "factor", name],
            cwd=self.site,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(f"{PASSWORD}\n")
            process.stdin.flush()
            secret = process.stdout.readline().split()[-1]
            process.stdin.write(f"{pyotp.TOTP(secret).now()}\n")
            process.stdin.close()
            self.codes[name] = iter(re.findall(r"^\S+$", process.stdout.read(), re.MULTILINE)[1:])


class LiveTable:
    """The table as its people play it over the wire; the ledger is only read."""

    def __init__(self, laboratory: Laboratory, clients: dict[str, Client]) -> None:
        self.database, self.clients = laboratory.database, clients
        self.deck = Shuffler(7).deck().cards

    @property
    def table(self) -> Table:
        """The table as it is on record."""
        with Ledger(self.database, readonly=True) as ledger:
            return ledger.open_table(TABLE).table

    async def do(self, command: Command, by: Account) -> None:
        """Give a command in a person's own session."""
        await self.clients[by.id].do(TABLE, command, role=by.role)

    async def take(self, table: Table, steps: Sequence[Step]) -> None:
        """Take the first step that one of the people can take."""
        step, by = next((step, by) for step in steps if (by := person(step)) is not None)
        await self.do(fill_step(table, step), by)

    async def open(self) -> None:
        """Staff prepares the table until a round may start."""
        while steps := opening_steps(table := self.table, now_ms()):
            await self.take(table, steps)

    async def bet(self) -> None:
        """Ann bets the minimum."""
        steps = self.table.next_steps(now_ms())
        step = next(step for step in steps if step.kind == "place_wagers")
        wagers = step.fields["wagers"].example()
        await self.do(step.filled(wagers=wagers), Account("ann", "player"))

    async def play(self) -> None:
        """Staff and Ann finish the round."""
        await self.do(cmd.NoMoreBets(), Account("dana", "dealer"))
        while (table := self.table).open_round is not None:
            steps = staff_steps(table, now_ms())
            decisions = [step for step in table.next_steps(now_ms()) if step.kind == "decide"]
            if steps or decisions:
                await self.take(table, [*steps, *decisions])
                continue
            drawn = table.in_progress().drawn
            left = [card for card in self.deck if card not in drawn]
            command = next_dealer_command(table.due(), partial(first, left))
            assert command is not None, table
            await self.do(command, Account("dana", "dealer"))


def first(cards: list[Card], count: int) -> list[Card]:
    """The first cards of these."""
    return cards[:count]


def person(step: Step) -> Account | None:
    """Who takes a step, if one of these people can."""
    if step.who:
        return step.who[0]
    free = (Account(name, role) for name, role in PEOPLE.items() if name not in step.except_for)
    return next((account for account in free if account.role in step.open_to), None)


@pytest.mark.crash
def test_the_first_morning(tmp_path: Path) -> None:
    """Install, self-check, found, second factor, exclude, open, play, disable, verify."""
    laboratory = Laboratory(tmp_path)
    laboratory.install(tmp_path / "dist")
    croupier = laboratory.croupier

    # The software is the release, and a changed file is noticed.
    assert "verified: every file agrees" in croupier("self-check")
    odds = laboratory.site / "croupier" / "games" / "top_five" / "paytables.toml"
    released = odds.read_bytes()
    odds.write_bytes(released.replace(b"50", b"51", 1))
    assert "top_five/paytables.toml was changed" in croupier("self-check", status=1)
    odds.write_bytes(released)

    # Two people found the ledger, each with a second factor.
    founders = ("--founder", "olga", "--founder", "otto")
    croupier("found", "--live", *founders, typed=f"{PASSWORD}\n" * 4)
    alone = croupier("admit", "ann", "--role", "player", typed=f"{PASSWORD}\n" * 2, status=2)
    assert "a live ledger needs --by NAME" in alone
    without = croupier("people", "olga") + croupier(
        "admit", "ann", "--role", "player", *laboratory.by("olga"), typed=f"{PASSWORD}\n", status=2
    )
    assert "founder" in without and "needs a second factor first" in without
    for name in ("olga", "otto"):
        laboratory.enroll(name)
    for name, role in PEOPLE.items():
        second = ("olga", "otto") if role == "pit_manager" else ("olga",)
        options = (*laboratory.by("olga"), *(("--second", "operator:otto") * (len(second) - 1)))
        typed = laboratory.signs(*second) + f"{PASSWORD}\n" * 2
        croupier("admit", name, "--role", role, *options, typed=typed)
    laboratory.enroll("petra")
    excluded = croupier("exclude", "paul", *laboratory.by("otto"), typed=laboratory.signs("otto"))
    assert "a passkey needs a browser" in excluded

    server = Process(laboratory.database, "--port", "0", site=laboratory.site).serving()
    try:
        asyncio.run(morning(laboratory, server.address))
    finally:
        server.stop()

    # The record is what happened, under the release that was checked.
    assert "all gaming is disabled" not in croupier("gaming")
    croupier("audit", "verify", laboratory.database)
    assert "fire drill" in croupier("audit", "decisions")


async def morning(laboratory: Laboratory, address: str) -> None:
    """Submit, approve, open, play, disable and enable, over the wire."""
    clients = {name: Client(address) for name in ("olga", "otto", *PEOPLE)}
    for name in clients.keys() - {"paul"}:
        codes = laboratory.codes.get(name)
        await clients[name].sign_in(name, PASSWORD, next(codes) if codes else "")
    with pytest.raises(ResponseError, match=r"36\.03\.10\.34C"):
        await clients["paul"].sign_in("paul", PASSWORD)
    olga, otto = clients["olga"], clients["otto"]
    software = await request_json(olga, "/version")
    assert software["verified"] and software["commit"]

    path = f"/submissions/{(await approve_submission(olga, otto))['id']}"
    await request_json(olga, f"{path}/tables", {"table": TABLE, "service": "attended"})

    table = LiveTable(laboratory, clients)
    await table.open()
    await table.bet()
    disable = {"change": {"kind": "disable_gaming", "reason": "fire drill"}}
    await request_json(olga, "/gaming/changes", disable)
    await table.play()  # the round is finished
    assert 1 == table.table.rounds_played
    with pytest.raises(ResponseError, match="no new round starts") as refused:
        await table.do(cmd.PlaceWagers(1, {"ante": 500}), Account("ann", "player"))
    assert (422, "GLI-19 2.4.1") == (refused.value.status, refused.value.clause)

    enable = {"kind": "enable_gaming", "reason": "drill over"}
    with pytest.raises(ResponseError, match="second person"):
        await request_json(olga, "/gaming/changes", {"change": enable})
    enable["second"] = {"id": "otto", "role": "operator"}  # type: ignore[assignment]
    asked = await request_json(olga, "/gaming/changes", {"change": enable})
    await otto.answer(asked["pending"], agreed=True)
    await table.open()
    await table.bet()
    await table.play()
    assert 2 == table.table.rounds_played
