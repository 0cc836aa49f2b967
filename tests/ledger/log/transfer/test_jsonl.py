"""Export, import, proof, backup and archive files: verifiable, and never overwritten."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from croupier.ledger.backup_and_export import write_round_proof
from croupier.ledger.errors import LedgerError, NotFound
from croupier.ledger.log import Append, Entry, IndexTerm, Snapshot, Store, StoredEntry
from croupier.ledger.log.canonical_json import encode_canonical
from croupier.ledger.log.entry import NO_LEAF
from croupier.ledger.log.transfer import backup, jsonl
from croupier.ledger.log.transparency import checkpoint, proofs, signed_note, verifier
from tests.ledger.log.attacked_log import without_protection
from tests.ledger.log.log_verdict import check_log
from tests.ledger.log.sample_entries import AT, entries, one_entry
from tests.support.postgres import PostgresServer

NAME = "casino.example/ledger"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
VKEY = str(signed_note.public_key(NAME, KEY))
HOUSE = '{"game":"uth","limits":{"ante":[500,"1/3"]}}'
DIGEST = sha256(HOUSE.encode()).hexdigest()


def index_terms(stored: StoredEntry) -> Iterable[tuple[str, int]]:
    """Every fifth entry of a table opens a round."""
    stream, sequence = stored.entry.stream, stored.entry.sequence
    opens = stream.startswith("table:") and sequence % 5 == 0
    return [("round", sequence // 5)] if opens else []


def fill(store: Store, rounds: int = 4) -> None:
    """Fill two tables, in several commits, with index terms and a snapshot."""
    store.add_house(DIGEST, HOUSE)
    for number in range(rounds):
        for stream in ("table:A", "table:♠ B"):
            batch = entries(stream, 5 * number, 5)
            term = IndexTerm(stream, batch[-1].sequence, "round", number + 1)
            snapshots = [Snapshot(stream, batch[-1].sequence, 1, "state")] if number == 2 else []
            store.append(batch, index_terms=[term], snapshots=snapshots)
    value = {"by": "x", "command": '\t\\"\x01é♠', "events": [{"house": DIGEST}], "n": 2**63}
    store.append([Entry.of("table:A", 5 * rounds + 1, "odd", AT, value)])


def exported(store: Store) -> bytes:
    """An export of the whole log."""
    schemas = [{"kind": "decided", "schema": 1, "shape": {}}]
    return b"".join(jsonl.with_end_line(jsonl.export_lines(store, schemas=schemas), {}))


def read_log(
    lines: Iterable[bytes], log: verifier.LogVerifier | None = None
) -> verifier.LogVerifier:
    """Verify all lines of a file."""
    log = log or verifier.LogVerifier()
    for _ in verifier.verified_lines(lines, log):
        pass
    return log


def test_the_lines_of_an_export_are_the_leaves(store: Store) -> None:
    """Each entry's line hashes to its leaf hash; the verifier computes the same root."""
    fill(store)
    lines = exported(store).splitlines(keepends=True)
    log = read_log(lines)
    leaves = [sha256(b"\x00" + line[:-1]).digest() for line in lines if b'"type":"entry"' in line]

    assert [stored.leaf for stored in store.scan()] == leaves
    assert store.head().root == verifier.root_of(log.subtrees)
    assert {"header": 1, "schema": 1, "house": 1, "entry": 43, "head": 9, "end": 1} == log.counts


def test_an_import_is_the_same_log(store: Store, tmp_path: Path) -> None:
    """Entries, tree heads, Houses, index terms; it exports to the same bytes."""
    fill(store)
    content = exported(store)
    (tmp_path / "log.jsonl").write_bytes(content)
    jsonl.import_file(tmp_path / "log.jsonl", tmp_path / "new.db", index_terms=index_terms)
    with Store(tmp_path / "new.db", create=False) as again:
        assert content == exported(again)
        assert list(store.heads()) == list(again.heads())
        assert store.find_positions("round") == again.find_positions("round")
        again.append(one_entry("table:A", 21))
        verdict = check_log(again)
    assert verdict.ok, str(verdict)


def test_an_import_into_postgresql_is_one_transaction(
    postgres: PostgresServer, lite: Store
) -> None:
    """A failed import leaves nothing, not even tables; a valid one succeeds afterwards."""
    fill(lite)
    content, url = exported(lite), postgres.new_database()
    lines = content.splitlines(keepends=True)
    with pytest.raises(LedgerError, match="truncated"):
        jsonl.import_lines(lines[:-1], url)
    with pytest.raises(NotFound, match="no ledger"):
        Store(url, create=False)
    jsonl.import_lines(lines, url)
    with Store(url, create=False) as again:
        assert lite.head() == again.head()
    with pytest.raises(LedgerError, match="empty database"):
        jsonl.import_lines(lines, url)


@pytest.mark.parametrize("how", ["cut", "flip", "reorder", "part"])
def test_a_failed_import_leaves_nothing_behind(lite: Store, tmp_path: Path, how: str) -> None:
    """No database and no temporary file."""
    fill(lite)
    lines = exported(lite).splitlines(keepends=True)
    broken = {
        "cut": lines[:-1],
        "flip": [line.replace(b'"seat":2', b'"seat":3') for line in lines],
        "reorder": [*lines[:4], lines[5], lines[4], *lines[6:]],
        "part": [lines[0].replace(b'"start":0', b'"start":1'), *lines[1:]],
    }[how]
    folder = tmp_path / "into"
    folder.mkdir()
    with pytest.raises(LedgerError):
        jsonl.import_lines(broken, folder / "new.db")
    assert [] == list(folder.iterdir())


def test_nothing_is_overwritten(lite: Store, tmp_path: Path) -> None:
    """Neither a ledger, nor its write-ahead log, nor any other file."""
    fill(lite)
    (tmp_path / "letter.txt").write_text("Dear auditor")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    note = str(checkpoint.sign(lite.head(), NAME, KEY))
    before = lite.head()
    built: Any = SimpleNamespace(positions=[0], house=DIGEST, closed=True)
    operations: list[Callable[[Path], object]] = [
        lambda path: jsonl.export_file(lite, path),
        lambda path: backup.backup(lite.address, path),
        lambda path: backup.archive(lite, path, note),
        lambda path: write_round_proof(lite, built, note, path),
        lambda path: backup.restore(tmp_path / "ledger.db", path),
        lambda path: jsonl.import_file(tmp_path / "letter.txt", path),
    ]
    for operation in operations:
        for name in ("ledger.db", "letter.txt", "link", "new.db-wal", "missing/x"):
            with pytest.raises(LedgerError, match=r"exists already|its own files|not a folder"):
                operation(tmp_path / name)
    assert "Dear auditor" == (tmp_path / "letter.txt").read_text()
    assert before == lite.head()
    assert ["ledger.db", "letter.txt", "link"] == sorted(
        path.name for path in tmp_path.iterdir() if "ledger.db-" not in path.name
    )


def test_an_export_of_a_damaged_log_is_not_written(lite: Store, tmp_path: Path) -> None:
    """The error names the entry, and no file is left behind."""
    fill(lite)
    with lite.write_transaction() as connection:
        connection.execute("DROP TRIGGER entry_no_update")
        connection.execute("UPDATE entry SET at = at + 1 WHERE position = 7")
    with pytest.raises(LedgerError, match="was changed"):
        jsonl.export_file(lite, tmp_path / "log.jsonl")
    with pytest.raises(LedgerError, match="was changed"):
        list(lite.read("table:♠ B"))
    assert not [path for path in tmp_path.iterdir() if "jsonl" in path.name]


def test_a_log_with_a_moved_commit_time_is_not_exported(store: Store) -> None:
    """Neither one of a tree head, nor a removed tree head."""
    fill(store)
    for statement in (
        "DELETE FROM head WHERE size = 20",
        "UPDATE head SET time = time + 1 WHERE size = 10",
    ):
        with without_protection(store) as execute:
            execute(statement, ())
        with pytest.raises(LedgerError, match="has another time"):
            exported(store)


def test_an_archive_that_goes_back_in_time_is_refused(lite: Store, tmp_path: Path) -> None:
    """Its first commit must be later than the last one of the file before it."""
    fill(lite)
    head, frontier = lite.head(), lite.tree.frontier(lite.head().size)
    hashes = [node.hex() for node in frontier.hashes]
    header = {"format": verifier.LOG, "frontier": hashes, "start": head.size, "type": "header"}
    lines = [encode_canonical({**header, "version": verifier.VERSION})]
    stored = StoredEntry(one_entry("table:C", 0)[0], head.size, head.time, NO_LEAF, b"")
    frontier.append(sha256(b"\x00" + stored.line).digest())
    after = {"root": frontier.root().hex(), "size": frontier.size, "time": head.time}
    lines += [stored.line, encode_canonical({**after, "type": "head"})]
    later = list(jsonl.with_end_line((line + b"\n" for line in lines), {}))
    read_log(later)
    with pytest.raises(LedgerError, match="its time is not after"):
        jsonl.import_lines(exported(lite).splitlines(True), tmp_path / "x.db", more=[later])


def test_every_bit_of_an_export_counts(lite: Store) -> None:
    """The verifier refuses every flipped bit with a VerificationError."""
    fill(lite, rounds=2)
    lines = exported(lite).splitlines(keepends=True)
    for number, line in enumerate(lines):
        for position in range(0, len(line), 3):
            broken = bytearray(line)
            broken[position] ^= 1 << position % 8
            with pytest.raises(verifier.VerificationError):
                read_log([*lines[:number], bytes(broken), *lines[number + 1 :]])


@pytest.mark.parametrize("how", ["drop", "duplicate", "swap", "cut"])
def test_an_export_with_lines_moved_is_refused(lite: Store, how: str) -> None:
    """Every line dropped, duplicated, swapped with the next, or the file truncated there."""
    fill(lite, rounds=2)
    lines = exported(lite).splitlines(keepends=True)
    for number, line in enumerate(lines[:-1]):
        before, after = lines[:number], lines[number + 1 :]
        changed = {
            "drop": [*before, *after],
            "duplicate": [*before, line, line, *after],
            "swap": [*before, after[0], line, *after[1:]],
            "cut": [*before, line],
        }[how]
        with pytest.raises(verifier.VerificationError):
            read_log(changed)


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 100_000,
        b'{"type":"entry","x":' + b"9" * 5_000 + b"}",
        b'{"a":1.5,"type":"head"}',
        b'{"a":NaN,"type":"head"}',
        b'{"size":-1,"type":"head"}',
        b'{"root":1,"size":0,"time":0,"type":"head"}',
        b'{"type":"__init__"}',
        b'{"stream":"\\ud800","type":"entry"}',
        b'{"terms":{},"type":"house"}',
        b"\xff\xfe",
        b"null",
        b"",
    ],
    ids=lambda line: repr(line[:30]),
)
def test_malformed_lines_are_refused_with_a_message(line: bytes) -> None:
    """Nested, huge, truncated or of another type, but never a traceback."""
    header = encode_canonical(
        {"format": "croupier-log", "frontier": [], "start": 0, "type": "header", "version": 2}
    )
    with pytest.raises(verifier.VerificationError):
        read_log([header + b"\n", line + b"\n"])


def test_the_verifier_checks_a_kept_checkpoint(
    lite: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The log must extend it, and the signature must be by the key provided."""
    fill(lite)
    saved, log, key = tmp_path / "saved.txt", tmp_path / "log.jsonl", ("--key", VKEY)
    saved.write_text(str(checkpoint.sign(lite.head(), NAME, KEY)))
    lite.append(one_entry("table:A", 21))
    jsonl.export_file(lite, log)
    other = Ed25519PrivateKey.generate()
    wrong = str(signed_note.public_key(NAME, other))

    assert 0 == verifier.main([str(log), "--checkpoint", str(saved), *key])
    assert "extends the saved checkpoint of 43 entries" in capsys.readouterr().out
    assert 1 == verifier.main([str(log), "--checkpoint", str(saved), "--key", wrong])
    assert 1 == verifier.main([str(log), "--checkpoint", str(saved), "--key", "nonsense"])
    with Store(tmp_path / "other.db") as forged:
        forged.append(entries("table:A", 0, 50))
        jsonl.export_file(forged, tmp_path / "forged.jsonl")
    assert 1 == verifier.main([str(tmp_path / "forged.jsonl"), "--checkpoint", str(saved), *key])
    assert "not the ones that were signed" in capsys.readouterr().err
    assert 0 == verifier.main([str(tmp_path / "forged.jsonl")])
    assert "NO KEY WAS GIVEN" in capsys.readouterr().out


def test_a_check_that_would_check_nothing_fails(
    lite: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty checkpoint, a key for a file without a signature, an empty key."""
    fill(lite)
    log, empty = tmp_path / "log.jsonl", tmp_path / "empty.txt"
    jsonl.export_file(lite, log)
    empty.touch()

    assert 1 == verifier.main([str(log), "--checkpoint", str(empty)])
    assert "BROKEN: this is not a signed note" in capsys.readouterr().err
    assert 1 == verifier.main([str(log), "--key", VKEY])
    assert "BROKEN: nothing in this file is signed" in capsys.readouterr().err
    assert 1 == verifier.main([str(log), "--key", ""])
    assert capsys.readouterr().err.startswith("BROKEN: ")


def test_the_proof_of_a_hand(
    lite: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A few kilobytes, verified without the rest of the log; any change is detected."""
    fill(lite, rounds=60)
    note = str(checkpoint.sign(lite.head(), NAME, KEY))
    lite.append(one_entry("table:A", 301))
    positions = [stored.position for stored in lite.read("table:A", after=100, until=110)]
    content = proofs.build_proof(lite, positions, note, houses=[DIGEST])
    (tmp_path / "hand.jsonl").write_bytes(content)
    content = (tmp_path / "hand.jsonl").read_bytes()

    assert 0 == verifier.main([str(tmp_path / "hand.jsonl"), "--key", VKEY])
    assert f"10 of {lite.head().size - 1:,} entries" in capsys.readouterr().out
    assert len(content) < 8_000
    lines = content.splitlines(keepends=True)
    for number, line in enumerate(lines):
        for position in range(0, len(line), 7):
            broken = bytearray(line)
            broken[position] ^= 1 << position % 7
            with pytest.raises(verifier.VerificationError):
                read_log(
                    [*lines[:number], bytes(broken), *lines[number + 1 :]],
                    verifier.LogVerifier([VKEY]),
                )


def test_a_hand_is_not_proved_against_a_checkpoint_of_another_log(
    lite: Store, tmp_path: Path
) -> None:
    """Nor against a checkpoint that is older than the hand."""
    fill(lite)
    early = str(checkpoint.sign(lite.head(), NAME, KEY))
    lite.append(one_entry("table:A", 21))
    with pytest.raises(LedgerError, match="which exclude these"):
        proofs.build_proof(lite, [43], early)
    with Store(tmp_path / "other.db") as other:
        other.append(entries("a", 0, 3))
        with pytest.raises(LedgerError, match="does not extend"):
            proofs.build_proof(lite, [0], str(checkpoint.sign(other.head(), NAME, KEY)))


def test_archives_of_closed_years(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each is verified against its checkpoint and continues the previous one."""
    fill(store)
    first = store.head()
    note = str(checkpoint.sign(first, NAME, KEY, extensions=["year 2025"]))
    backup.archive(store, tmp_path / "2025.jsonl", note)
    store.append(entries("table:A", 21, 300))
    second = str(checkpoint.sign(store.head(), NAME, KEY, extensions=["year 2026"]))
    (tmp_path / "saved.txt").write_text(note)
    backup.archive(store, tmp_path / "2026.jsonl", second, start=first.size)
    saved = ["--checkpoint", str(tmp_path / "saved.txt"), "--key", VKEY]

    assert 0 == verifier.main([str(tmp_path / "2025.jsonl"), "--key", VKEY])
    assert 0 == verifier.main([str(tmp_path / "2026.jsonl"), *saved])
    assert "300 of 343 entries" in capsys.readouterr().out
    with pytest.raises(LedgerError, match="only a part of a log"):
        jsonl.import_file(tmp_path / "2026.jsonl", tmp_path / "x.db")


def test_archives_in_order_restore_the_log(store: Store, tmp_path: Path) -> None:
    """With the same entries and root; a gap or another order is an error."""
    fill(store)
    files, sizes = [], [0]
    for year, count in ((2025, 5), (2026, 300), (2027, 7)):
        store.append(entries(f"table:{year}", 0, count))
        note = str(checkpoint.sign(store.head(), NAME, KEY, extensions=[f"year {year}"]))
        files.append(tmp_path / f"{year}.jsonl")
        backup.archive(store, files[-1], note, start=sizes[-1])
        sizes.append(store.head().size)
    counts = jsonl.import_file(files[0], tmp_path / "again.db", more=files[1:])
    with Store(tmp_path / "again.db", readonly=True) as again:
        assert store.head() == again.head()
        assert [s.entry for s in store.scan()] == [s.entry for s in again.scan()]
        assert store.houses() == again.houses()
    assert sizes[-1] == counts["entry"]
    for wrong in ([files[2]], [files[2], files[1]], [files[0]]):
        with pytest.raises(LedgerError, match="not the file before it"):
            jsonl.import_file(files[0], tmp_path / "x.db", more=wrong)
        assert not (tmp_path / "x.db").exists()
    with pytest.raises(LedgerError, match="cannot be read"):
        jsonl.import_file(files[0], tmp_path / "x.db", more=[tmp_path / "2028.jsonl"])


def test_a_restored_backup_has_the_same_head(
    store: Store, postgres: PostgresServer, tmp_path: Path
) -> None:
    """Backed up during appends, then restored into either database, and writable."""
    fill(store)
    append = Append(entries("busy", 0, 400))
    store.submit([append])
    head = backup.backup(store.address, tmp_path / "backup.db", index_terms=index_terms)
    append.wait()
    for target in (str(tmp_path / "restored.db"), postgres.new_database()):
        assert head == backup.restore(tmp_path / "backup.db", target, index_terms=index_terms)
        with Store(target, create=False) as restored:
            assert [s.entry for s in store.read("table:A")] == [
                s.entry for s in restored.read("table:A")
            ]
            assert store.find_positions("round") == restored.find_positions("round")
            restored.append(one_entry("table:A", 21))
            verdict = check_log(restored)
            assert verdict.ok, str(verdict)
    with Store(tmp_path / "backup.db", create=False, readonly=True) as copy:
        verdict = check_log(copy)
    assert verdict.ok, str(verdict)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), json_values, max_size=5))
def test_both_canonical_encoders_agree(value: dict[str, object]) -> None:
    """The fast encoder and that of the verifier give the same bytes."""
    try:
        written = encode_canonical(value)
    except LedgerError:
        return  # lone surrogates have no UTF-8
    assert verifier.canonical(json.loads(written)).encode() == written
