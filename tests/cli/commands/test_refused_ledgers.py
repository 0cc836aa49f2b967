"""Every command refuses a ledger that lost entries, and one of version 0.1, and changes nothing."""

from __future__ import annotations

import inspect
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from typer import Typer

from croupier.cli.main import app
from croupier.ledger import Ledger, backup_and_export
from croupier.ledger.log.transparency.signing_keys import new_key
from tests.support import killed_ledger
from tests.support.cli import invoke
from tests.support.killed_ledger import copy_ledger, flip, frames, record_files
from tests.support.postgres import PostgresServer
from tests.support.run_python import run_python

# Every command that opens a ledger; {db} is the ledger, {folder} a folder for other files.
COMMANDS = (
    "audit verify {db}",
    "audit fairness {db}",
    "audit hand A 1 --database {db}",
    "audit find --database {db}",
    "audit refused --database {db}",
    "audit decisions --database {db}",
    "audit players --database {db}",
    "audit close-day 2026-01-05 --database {db} --key {folder}/signing.pem",
    "audit accept-clock --by audit:olga --second cage:carl --reason x --database {db}",
    "report wagers --database {db}",
    "report chips --database {db}",
    "export {folder}/log.jsonl --database {db}",
    "export {folder}/log.jsonl --database {db} --last 2026-01-05",
    "backup {folder}/copy.db --database {db}",
    "restore {db} --database {folder}/restored.db",
    "restore {folder}/intact.db --database {db}",
    "import {folder}/intact.jsonl --database {db}",
    "found --live --founder olga --founder otto --database {db}",
    "admit eve --role player --database {db}",
    "dismiss eve --database {db}",
    "lock eve --database {db}",
    "unlock eve --database {db}",
    "people --database {db}",
    "enable eve --database {db}",
    "key eve --database {db}",
    "factor eve --database {db}",
    "exclude eve --database {db}",
    "gaming disable --database {db}",
    "gaming --database {db}",
    "play ultimate --seed 3 --answers --record {db}",
)
OTHERS = ("serve",)  # a process of its own below


def commands_with_a_ledger(typer: Typer, prefix: str = "") -> Iterator[str]:
    """The names of the commands with a parameter for a ledger."""
    for command in typer.registered_commands:
        assert command.callback is not None
        if {"database", "record"} & inspect.signature(command.callback).parameters.keys():
            yield prefix + (command.name or command.callback.__name__.replace("_", "-"))
    for group in typer.registered_groups:
        assert group.typer_instance is not None
        name = group.name if isinstance(group.name, str) else ""
        yield from commands_with_a_ledger(group.typer_instance, f"{name} " if name else "")


def test_every_command_that_opens_a_ledger_is_tried() -> None:
    """A new command has to be added above."""
    tried = [*COMMANDS, *OTHERS]
    for name in commands_with_a_ledger(app):
        assert any(f"{command} ".startswith(f"{name} ") for command in tried), name


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """A ledger as a killed process left it, and the number of its entries."""
    path = tmp_path_factory.mktemp("killed") / "casino.db"
    return path, killed_ledger.killed_ledger(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An intact backup and export, and a signing key."""
    folder = tmp_path_factory.mktemp("other")
    new_key(folder / "signing.pem")
    with Ledger(folder / "source.db") as ledger:
        backup_and_export.export_file(ledger, folder / "intact.jsonl")
        backup_and_export.backup_to(folder / "source.db", folder / "intact.db")
    return folder


def names(folder: Path) -> list[str]:
    """The files of a folder, without those that SQLite makes to read a ledger."""
    return sorted(path.name for path in folder.iterdir() if path.suffix[3:] not in ("-wal", "-shm"))


def flip_middle(path: Path) -> None:
    starts = frames(path)
    flip(Path(f"{path}-wal"), starts[len(starts) // 2] + 100)


def cut_log(path: Path) -> None:
    starts = frames(path)
    log = Path(f"{path}-wal")
    log.write_bytes(log.read_bytes()[: starts[len(starts) // 2]])


def remove_log(path: Path) -> None:
    Path(f"{path}-wal").unlink()


def remove_ledger(path: Path) -> None:
    for part in ("", "-wal", "-shm"):
        Path(f"{path}{part}").unlink()


def older_copy(path: Path) -> None:
    """Another ledger with one entry, and no log."""
    Path(f"{path}-wal").unlink()
    path.unlink()
    with Ledger(path.with_name("older.db")):
        pass
    shutil.move(path.with_name("older.db"), path)


DAMAGES: tuple[Callable[[Path], None], ...] = (
    flip_middle,
    cut_log,
    remove_log,
    remove_ledger,
    older_copy,
)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_ledger_that_lost_entries_is_refused_by_every_command(
    killed: tuple[Path, int],
    folder: Path,
    tmp_path: Path,
    damage: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With its size on the seal; no file changes, and none is created."""
    monkeypatch.setenv("CROUPIER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "500")
    source, size = killed
    path = copy_ledger(source, tmp_path / "casino.db")
    damage(path)
    before, others = record_files(path), names(folder)
    for command in COMMANDS:
        done = invoke(command.format(db=path, folder=folder).split(), input="\n")
        output = " ".join(done.output.split())
        assert done.exit_code in (1, 2), (command, output)
        if not command.startswith("import"):  # which accepts no existing file at all
            assert f"once had {size}" in output, (command, output)
        assert before == record_files(path), command
        assert others == names(folder), command


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_server_refuses_a_ledger_that_lost_entries(
    killed: tuple[Path, int], tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    """Before it accepts a connection."""
    pytest.importorskip("croupier.server.run", exc_type=ImportError)
    source, size = killed
    path = copy_ledger(source, tmp_path / "casino.db")
    damage(path)
    before = record_files(path)
    done = run_python("-m", "croupier.cli", "serve", "--port", "0", "--database", path, timeout=120)
    assert 2 == done.returncode, done.stdout + done.stderr
    assert f"it once had {size}" in " ".join(done.stderr.split())
    assert before == record_files(path)


def test_an_undamaged_copy_is_accepted(killed: tuple[Path, int], tmp_path: Path) -> None:
    """With every acknowledged entry, read and then written."""
    source, size = killed
    path = copy_ledger(source, tmp_path / "casino.db")
    with Ledger(path, readonly=True) as ledger:
        assert size == ledger.store.head().size
    assert record_files(source) == record_files(path), "reading changes nothing"
    done = invoke(["audit", "verify", path])
    assert 0 == done.exit_code, done.output
    with Ledger(path) as ledger:
        assert size == ledger.store.head().size


# Version 0.1


def downgrade_sqlite(path: Path) -> None:
    """The schema of 0.1: entries have no commit time, and there is no seal."""
    with Ledger(path):
        pass
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("ALTER TABLE entry DROP COLUMN time")
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    Path(f"{path}-seal").unlink()


def downgrade_postgresql(url: str) -> None:
    with Ledger(url):
        pass
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER TABLE entry DROP COLUMN time")
        connection.execute("UPDATE alembic_version SET version_num = '0001'")


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_a_ledger_of_version_0_1_is_refused_by_every_command(
    store: str,
    folder: Path,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With instructions; it is never read as if it were of this version."""
    monkeypatch.setenv("CROUPIER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "500")
    path = tmp_path / "casino.db"
    if store == "sqlite":
        database = str(path)
        downgrade_sqlite(path)
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        database = server.new_database()
        downgrade_postgresql(database)
    before, others = record_files(path), names(folder)
    for command in COMMANDS:
        if store == "postgresql" and command.startswith(("restore {db}", "play")):
            continue  # they take files only
        done = invoke(command.format(db=database, folder=folder).split(), input="\n")
        output = " ".join(done.output.split())
        assert done.exit_code in (1, 2), (command, output)
        if "intact" not in command:
            assert "was written by Croupier 0.1" in output, (command, output)
            assert "start a new ledger" in output, (command, output)
        assert others == names(folder), command
    assert before == record_files(path)
