"""The time of a commit is part of the proof: moving it is reported by everything that verifies."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from croupier.clock import DAY
from croupier.ledger import Ledger, LedgerError
from croupier.ledger.audit.verify import verify
from croupier.ledger.log import Store, StoredEntry, TreeHead
from croupier.ledger.log.canonical_json import encode_canonical
from croupier.ledger.log.transfer.jsonl import export_lines, import_lines, with_end_line
from croupier.ledger.log.transparency import verifier
from croupier.ledger.log.transparency.checkpoint import Checkpoint, sign
from croupier.ledger.log.transparency.signed_note import public_key
from croupier.ledger.log.transparency.stored_tree import Frontier
from tests.ledger.audit.small_casino import KEY, NAME
from tests.ledger.log import log_verdict
from tests.ledger.log.attacked_log import without_protection
from tests.support.manual_clock import ManualClock
from tests.support.recorded_rounds import SYSTEM, example_house, random_round
from tests.support.run_python import run_python

Line = dict[str, Any]


@pytest.fixture
def played(now: ManualClock, ledger: Ledger) -> Ledger:
    """A ledger with a linked table, whose commits have two entries when its meters move."""
    now.tick = 1_000
    random_round(ledger.open_table("A", example_house(), by=SYSTEM, group="g"), random.Random(8))
    return ledger


def middle(store: Store) -> tuple[TreeHead, TreeHead]:
    """A commit of several entries in the middle of the log: the heads before it and of it."""
    return next((a, b) for a, b in pairwise(store.heads()) if a.size > 3 and b.size > a.size + 1)


def add_head(store: Store, time: int) -> tuple[str, tuple[Any, ...]]:
    """A statement that adds a correct head inside a commit."""
    size = middle(store)[0].size + 1
    return "INSERT INTO head VALUES (?, ?, ?)", (size, store.tree.root(size), time)


def recompute(store: Store) -> list[tuple[str, tuple[Any, ...]]]:
    """Statements that move the times of a commit and recompute every hash."""
    before, head = middle(store)
    sizes, frontier, tips = {h.size: h.time for h in store.heads()}, Frontier(), dict[str, bytes]()
    statements: list[tuple[str, tuple[Any, ...]]] = []
    for stored in store.scan():
        moved = before.size <= stored.position < head.size
        time = stored.time + 1 if moved else stored.time
        stream = stored.entry.stream
        line = StoredEntry(stored.entry, 0, time, tips.get(stream, bytes(32)), b"").line
        leaf = tips[stream] = sha256(b"\x00" + line).digest()
        statements.append(
            (
                "UPDATE entry SET time = ?, leaf = ? WHERE position = ?",
                (time, leaf, stored.position),
            )
        )
        frontier.append(leaf)
        if frontier.size in sizes:
            values = (time, frontier.root(), frontier.size)
            statements.append(("UPDATE head SET time = ?, root = ? WHERE size = ?", values))
    return statements


STATEMENTS: dict[str, Callable[[Store], list[tuple[str, tuple[Any, ...]]]]] = {
    "head": lambda store: [
        ("UPDATE head SET time = time + 1 WHERE size = ?", (middle(store)[1].size,))
    ],
    "later heads": lambda store: [
        ("UPDATE head SET time = time + ? WHERE size >= ?", (DAY, middle(store)[1].size))
    ],
    "entry": lambda store: [
        ("UPDATE entry SET time = time + 1 WHERE position = ?", (middle(store)[0].size,))
    ],
    "entries and heads": lambda store: [
        ("UPDATE entry SET time = time + ? WHERE position >= ?", (DAY, middle(store)[0].size)),
        ("UPDATE head SET time = time + ? WHERE size > ?", (DAY, middle(store)[0].size)),
    ],
    "hashes of a stream": lambda store: [
        statement for statement in recompute(store) if "entry" in statement[0]
    ],
    "all hashes": recompute,
    "removed head": lambda store: [("DELETE FROM head WHERE size = ?", (middle(store)[1].size,))],
    "last head removed": lambda store: [
        ("DELETE FROM head WHERE size = ?", (store.head().size,)),
    ],
    "added head": lambda store: [add_head(store, middle(store)[1].time)],
    "added head with another time": lambda store: [add_head(store, middle(store)[0].time + 1)],
}


@pytest.mark.parametrize("how", STATEMENTS)
def test_a_moved_commit_time_is_reported(played: Ledger, how: str) -> None:
    """By `audit verify` with a kept checkpoint; without one too, unless all hashes are new."""
    head = played.store.head()
    with without_protection(played.store) as execute:
        for statement, values in STATEMENTS[how](played.store):
            execute(statement, values)
    Path(f"{played.store.address.file}-seal").unlink(missing_ok=True)
    verdict = verify(played.store, checkpoint=Checkpoint(NAME, head.size, head.root))

    assert not verdict.ok
    if how == "all hashes":
        assert verify(played.store).ok, "the insider's ledger is consistent by itself"
        assert "not the ones that were signed" in str(verdict)
    else:
        assert not verify(played.store).ok
        assert not log_verdict.verify(played.store.address).ok


def lines_of(store: Store) -> list[Line]:
    """The lines of an export, without the end."""
    return [json.loads(line) for line in export_lines(store)]


def commit_in(lines: list[Line]) -> tuple[int, int]:
    """The first line of a commit of several entries, and the line of its head."""
    heads = [index for index, line in enumerate(lines) if line["type"] == "head"]
    before, head = next((a, b) for a, b in pairwise(heads) if lines[a]["size"] > 3 and b > a + 2)
    return before + 1, head


def move(lines: list[Line], start: int, kinds: tuple[str, ...], by: int = 1) -> None:
    """Move the times of a commit, or of all later ones."""
    for line in lines[start:]:
        if line["type"] in kinds:
            line["time"] += by


def rehash(lines: list[Line]) -> None:
    """Compute the hashes of the entries and the roots of the heads again."""
    tips, frontier = dict[str, str](), Frontier()
    for line in lines:
        if line["type"] == "entry":
            line["previous"] = tips.get(line["stream"], verifier.NO_LEAF)
            leaf = sha256(b"\x00" + encode_canonical(line)).digest()
            tips[line["stream"]] = leaf.hex()
            frontier.append(leaf)
        elif line["type"] == "head":
            line["root"] = frontier.root().hex()


def edit_file(lines: list[Line], how: str) -> None:
    """Edit an export in the way that the database is edited."""
    first, head = commit_in(lines)
    match how:
        case "head":
            lines[head]["time"] += 1
        case "later heads":
            move(lines, first, ("head",), DAY)
        case "entry":
            lines[first]["time"] += 1
        case "entries and heads" | "all hashes":
            move(lines, first, ("entry", "head"), DAY)
        case "hashes of a stream":
            lines[first]["time"] += 1
            rehash(lines)
        case "removed head":
            del lines[head]
        case "last head removed":
            del lines[-1]
        case _:
            early = 0 if how == "added head" else 1
            added = {**lines[head], "size": lines[head]["size"] - 1}
            added["time"] -= early
            lines[first]["time"] -= early
            lines.insert(first + 1, added)
            rehash(lines)
    if how == "all hashes":
        rehash(lines)


@pytest.mark.parametrize("how", STATEMENTS)
def test_a_moved_commit_time_in_an_export_is_refused(
    played: Ledger, how: str, tmp_path: Path
) -> None:
    """By the verifier with a kept checkpoint, and by an import; nothing is created."""
    lines = lines_of(played.store)
    note = tmp_path / "kept.txt"
    head = played.store.head()
    note.write_text(str(sign(head, NAME, KEY)), encoding="utf-8")
    edit_file(lines, how)
    content = list(with_end_line((encode_canonical(line) + b"\n" for line in lines), {}))
    (tmp_path / "edited.jsonl").write_bytes(b"".join(content))
    known = ("--checkpoint", note, "--key", public_key(NAME, KEY))
    done = run_python("-I", verifier.__file__, tmp_path / "edited.jsonl", *known)

    assert 1 == done.returncode, done.stdout
    assert done.stderr.startswith("BROKEN: ")
    target = tmp_path / "new.db"
    if how in ("all hashes", "added head with another time"):  # consistent; another log
        import_lines(content, target)
        assert not verify(target, checkpoint=Checkpoint(NAME, head.size, head.root)).ok
    else:
        with pytest.raises(LedgerError):
            import_lines(content, target)
        assert not target.exists()
