"""Backup and restore: one drill over ledger, seal, accounts and keys, recorded in the ledger."""

from __future__ import annotations

import random
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from croupier.errors import Refusal
from croupier.ledger import Ledger, LedgerError, StoreFailed, backup_and_export
from croupier.ledger.aggregates.administration import LedgerRestored, RestoreLedger
from croupier.ledger.audit.verify import verify
from croupier.ledger.log import Store
from croupier.ledger.log.database.seal import read_seal
from croupier.ledger.log.transparency.signing_keys import load_key, new_key
from croupier.server.auth.accounts_database import accounts_url
from croupier.table import Account
from tests.support.cli import fail, succeed
from tests.support.manual_clock import ManualClock
from tests.support.postgres import PostgresServer
from tests.support.recorded_rounds import SYSTEM, example_house, random_round

AUDITOR = Account("olga", "audit")
PARTS = ("", "-wal", "-shm", "-seal")


def play(ledger: Ledger, rounds: int) -> None:
    table, rng = ledger.open_table("A", example_house(), by=SYSTEM), random.Random(rounds)
    for _ in range(rounds):
        random_round(table, rng)


def add_account(ledger: Path, name: str) -> None:
    """A stand-in for the accounts database, in use while it is copied."""
    with closing(sqlite3.connect(f"{ledger}.people", isolation_level=None)) as accounts:
        accounts.execute("PRAGMA journal_mode=WAL")
        accounts.execute("CREATE TABLE IF NOT EXISTS account (name TEXT)")
        accounts.execute("INSERT INTO account VALUES (?)", (name,))


def account_names(ledger: Path) -> list[str]:
    with closing(sqlite3.connect(f"{ledger}.people")) as accounts:
        return [name for (name,) in accounts.execute("SELECT name FROM account")]


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder, without the index and the empty log that SQLite makes to read."""
    files = (path for path in folder.rglob("*") if path.is_file())
    data = {path.name: path.read_bytes() for path in files if not path.name.endswith("-shm")}
    return {name: content for name, content in data.items() if content}


@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_a_restored_ledger_says_so_and_plays_on(
    ledger: Ledger, target: str, tmp_path: Path, postgres: PostgresServer
) -> None:
    """From either store into either store, while the original is in use."""
    play(ledger, 2)
    copy = tmp_path / "backup.db"
    place = str(tmp_path / "restored.db") if target == "sqlite" else postgres.new_database()
    head = backup_and_export.backup_to(ledger.store.address, copy)
    restored_head = backup_and_export.restore_from(copy, place, by=AUDITOR)

    assert head == ledger.store.head()
    assert head.size + 1 == restored_head.size
    with Ledger(place, create=False) as restored:
        (event,) = restored.administration.restores
        assert ("backup.db", head.size, head.root.hex(), 0) == (
            event.backup,
            event.size,
            event.root,
            event.sealed,
        )
        recorded = restored.store.at(head.size).entry
        assert ("office", "olga") == (recorded.stream, recorded.value["by"]["id"])
        assert ledger.open_table("A").table == restored.open_table("A").table
        play(restored, 1)
        verdict = verify(restored.store)
    assert verdict.ok, str(verdict)


def test_accounts_and_keys_are_part_of_the_drill(tmp_path: Path) -> None:
    """By the commands, as the installation guide describes it."""
    live, copy, other = (tmp_path / name for name in ("casino.db", "copy.db", "other.db"))
    new_key(tmp_path / "signing.pem")
    with Ledger(live) as ledger:
        play(ledger, 1)
        add_account(live, "ann")
        key = str(tmp_path / "signing.pem")
        output = succeed("backup", str(copy), "--database", str(live), "--key", key)
        assert [f"{copy}.people", f"{copy}.keys"] == output.splitlines()[1:]
        add_account(live, "later")
        size = ledger.store.head().size
    output = succeed("restore", str(copy), "--database", str(other), "--by", "audit:olga")

    assert f"{size + 1} entries" in output
    assert [f"{other}.people", f"{other}.keys"] == output.splitlines()[1:]
    assert ["ann"] == account_names(other)
    load_key(f"{other}.keys/signing.pem")
    for private in (f"{copy}.people", f"{other}.people", f"{other}.keys/signing.pem"):
        assert 0o600 == stat.S_IMODE(Path(private).stat().st_mode), private
    assert (sealed := read_seal(other)) is not None
    assert size + 1 == sealed.size
    assert succeed("audit", "verify", str(other)).startswith("verified")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_the_server_keeps_its_accounts_there(tmp_path: Path) -> None:
    """The ledger does not import the server."""
    path = tmp_path / "casino.db"
    assert f"{path}{backup_and_export.ACCOUNTS}" == accounts_url(path).database


def test_a_ledger_that_lost_entries_is_restored_on_record(tmp_path: Path) -> None:
    """Deliberately, with both sizes; the files of the damaged ledger are kept."""
    live, copy = tmp_path / "casino.db", tmp_path / "copy.db"
    with Ledger(live) as ledger:
        play(ledger, 1)
        backed_up = backup_and_export.backup_to(live, copy).size
        add_account(live, "ann")
        play(ledger, 2)
        size = ledger.store.head().size
        for part in PARTS:
            shutil.copy(f"{live}{part}", f"{tmp_path}/crashed{part}")
    for part in PARTS:
        Path(f"{tmp_path}/crashed{part}").replace(f"{live}{part}")
    log = Path(f"{live}-wal")
    log.write_bytes(log.read_bytes()[: log.stat().st_size // 2])
    damaged = contents(tmp_path)
    with pytest.raises(StoreFailed, match=rf"has \d+ entries; it once had {size}\b.*--replace"):
        Ledger(live)

    refused = fail("restore", str(copy), "--database", str(live))
    assert f"once had {size} entries, the backup has {backed_up}" in " ".join(refused.split())
    assert damaged == contents(tmp_path)
    succeed("restore", str(copy), "--database", str(live), "--replace")

    with Ledger(live) as ledger:
        (event,) = ledger.administration.restores
        assert (backed_up, size) == (event.size, event.sealed)
        play(ledger, 1)
        verdict = verify(ledger.store)
    assert verdict.ok, str(verdict)
    (kept,) = (path for path in tmp_path.glob("casino.db.replaced-*Z"))
    for part in ("", "-wal", "-seal"):
        assert damaged[f"casino.db{part}"] == Path(f"{kept}{part}").read_bytes()
    with pytest.raises(StoreFailed, match=f"it once had {size}"):
        Ledger(kept)
    assert ["ann"] == account_names(live), "the backup has no accounts, so these stay"


def test_a_failed_backup_or_restore_leaves_nothing(tmp_path: Path) -> None:
    """Nor does it change what is there."""
    live, copy = tmp_path / "casino.db", tmp_path / "copy.db"
    with Ledger(live) as ledger:
        play(ledger, 1)
    add_account(live, "ann")
    before = contents(tmp_path)
    with pytest.raises(LedgerError, match=r"no\.pem: No such file"):
        backup_and_export.backup_to(live, copy, keys=[tmp_path / "no.pem"])
    assert before == contents(tmp_path)

    backup_and_export.backup_to(live, copy)
    content = copy.read_bytes()
    third = len(content) // 3
    copy.write_bytes(content[:third] + bytes(third) + content[2 * third :])
    before = contents(tmp_path)
    for place in (live, tmp_path / "new.db"):
        with pytest.raises(LedgerError):
            backup_and_export.restore_from(copy, place, by=AUDITOR, replace=True)
    assert before == contents(tmp_path)


def test_a_truncated_backup_is_refused(tmp_path: Path) -> None:
    """A backup has a seal too; an older copy in its place is noticed."""
    live, copy = tmp_path / "casino.db", tmp_path / "copy.db"
    with Ledger(live) as ledger:
        backup_and_export.backup_to(live, tmp_path / "older.db")
        play(ledger, 1)
        size = backup_and_export.backup_to(live, copy).size
    shutil.copy(tmp_path / "older.db", copy)
    with pytest.raises(StoreFailed, match=f"has 1 entries; it once had {size}"):
        backup_and_export.restore_from(copy, tmp_path / "new.db", by=AUDITOR)


def test_the_remains_of_a_ledger_are_not_mixed_with_a_new_one(tmp_path: Path) -> None:
    """SQLite would apply an old write-ahead log to a new file."""
    with Ledger(tmp_path / "casino.db") as ledger:
        backup_and_export.export_file(ledger, tmp_path / "log.jsonl")
        backup_and_export.backup_to(tmp_path / "casino.db", tmp_path / "copy.db")
    for suffix in ("-wal", "-seal"):
        Path(f"{tmp_path}/new.db{suffix}").write_bytes(b"")
        for command in ("import log.jsonl", "restore copy.db"):
            name, source = command.split()
            output = fail(name, str(tmp_path / source), "--database", str(tmp_path / "new.db"))
            assert f"new.db{suffix}" in output.replace("\n", "")
        output = fail("backup", f"{tmp_path}/new.db", "--database", f"{tmp_path}/casino.db")
        assert f"new.db{suffix}" in output.replace("\n", "")
        Path(f"{tmp_path}/new.db{suffix}").unlink()


def test_a_restoration_that_never_happened_does_not_verify(ledger: Ledger) -> None:
    """The audit compares size and root with the log."""
    play(ledger, 1)
    head = ledger.store.head()
    for size, root in (
        (head.size, "00" * 32),
        (head.size - 1, ledger.store.tree.root(head.size - 1).hex()),
    ):
        ledger.administer(RestoreLedger(backup="x.db", size=size, root=root), AUDITOR)
    problems = [str(problem) for problem in verify(ledger.store).problems]

    assert [f"restored from a backup of {head.size} entries: they have another root"] == [
        problem.removeprefix("office: ") for problem in problems if f"of {head.size} " in problem
    ]
    assert any("it is not recorded after them" in problem for problem in problems)


@pytest.mark.parametrize("by", [Account("dan", "dealer"), Account("pat", "player")])
def test_only_an_administrator_restores(ledger: Ledger, tmp_path: Path, by: Account) -> None:
    """A refusal creates nothing."""
    backup_and_export.backup_to(ledger.store.address, tmp_path / "copy.db")
    with pytest.raises(Refusal, match="may not do this"):
        backup_and_export.restore_from(tmp_path / "copy.db", tmp_path / "new.db", by=by)
    assert not (tmp_path / "new.db").exists()
    with pytest.raises(Refusal, match="expected at least one entry"):
        ledger.administer(RestoreLedger(backup="copy.db", size=0, root=""), AUDITOR)


def test_a_restored_ledger_is_restored_again(tmp_path: Path) -> None:
    """A backup of a restored ledger keeps the record of the first restoration."""
    with Ledger(tmp_path / "first.db"):
        pass
    for source, target in (("first", "second"), ("second", "third")):
        backup_and_export.backup_to(tmp_path / f"{source}.db", tmp_path / f"{source}.backup")
        backup_and_export.restore_from(
            tmp_path / f"{source}.backup", tmp_path / f"{target}.db", by=AUDITOR
        )
    with Store(tmp_path / "third.db", readonly=True) as store:
        assert 3 == store.head().size
    with Ledger(tmp_path / "third.db") as ledger:
        restores = ledger.administration.restores
        assert all(isinstance(event, LedgerRestored) for event in restores)
        assert ["first.backup", "second.backup"] == [event.backup for event in restores]
    assert verify(tmp_path / "third.db").ok


@pytest.mark.usefixtures("live_limits")
def test_an_old_backup_does_not_decide_that_the_clock_is_right(
    now: ManualClock, tmp_path: Path
) -> None:
    """After a long time two people do, as for any other ledger."""
    with Ledger(tmp_path / "ledger.db") as ledger:
        play(ledger, 1)
        backup_and_export.backup_to(tmp_path / "ledger.db", tmp_path / "copy.db")
    now.hours(24 * 90)
    backup_and_export.restore_from(tmp_path / "copy.db", tmp_path / "new.db", by=AUDITOR, at=now.at)
    assert verify(tmp_path / "new.db").ok
    with Ledger(tmp_path / "new.db") as ledger:
        (event,) = ledger.administration.restores
        assert now.at == event.at
        with pytest.raises(StoreFailed, match="accept-clock"):
            play(ledger, 1)
        ledger.accept_clock(by=AUDITOR, second=Account("carl", "cage"), reason="restored")
        play(ledger, 1)
        verdict = verify(ledger.store)
    assert verdict.ok, str(verdict)
