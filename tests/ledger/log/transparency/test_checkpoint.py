"""C2SP signed notes and checkpoints, as witnesses and log monitors read them."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.ledger.errors import LedgerError
from croupier.ledger.log import Store
from croupier.ledger.log.transparency import checkpoint, signed_note, signing_keys
from croupier.ledger.log.transparency.signed_note import PublicKey, Signature, SignedNote
from tests.ledger.log.sample_entries import entries

# The example of Go's `sumdb/note`, the origin of the format.
GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_SEED = "AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
GO_TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
GO_LINE = (
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6"
    "KE6RyyBwJnAM=\n"
)
NAME = "casino.example/ledger"


@pytest.fixture
def private() -> Ed25519PrivateKey:
    """The log's key."""
    return Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@pytest.fixture
def witness() -> Ed25519PrivateKey:
    """A witness's key."""
    return Ed25519PrivateKey.from_private_bytes(bytes(range(32, 64)))


def test_the_known_example_is_signed_and_parsed() -> None:
    """Byte for byte the output of the reference implementation."""
    seed = base64.b64decode(GO_SEED)[1:]
    private = Ed25519PrivateKey.from_private_bytes(seed)
    key = PublicKey.parse(GO_KEY)

    assert GO_KEY == str(key) == str(signed_note.public_key("PeterNeumann", private))
    assert GO_LINE == str(signed_note.sign(GO_TEXT, "PeterNeumann", private))
    note = signed_note.parse(f"{GO_TEXT}\n{GO_LINE}")
    assert [key] == signed_note.verified_signers(note, [key])
    assert f"{GO_TEXT}\n{GO_LINE}" == str(note)


def test_the_published_checkpoint_is_parsed() -> None:
    """The example of c2sp.org/tlog-cosignature: a log and a witness."""
    text = (
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
        "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/"
        "Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
        "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJs"
        "X3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
    )
    note = signed_note.parse(text)
    parsed = checkpoint.parse(note.text)

    assert ("example.com/behind-the-sofa", 20852163) == (parsed.origin, parsed.size)
    assert 1679315147 == int.from_bytes(note.signatures[1].content[:8], "big")
    assert text == str(note)


def test_a_log_extends_its_earlier_checkpoint(lite: Store, private: Ed25519PrivateKey) -> None:
    """The first entries are still the ones that were signed."""
    lite.append(entries("a", 0, 300))
    note = checkpoint.sign(lite.head(), NAME, private, extensions=["day 2026-01-05"])
    lite.append(entries("a", 300, 333))
    verified = checkpoint.open_checkpoint(str(note), [signed_note.public_key(NAME, private)])

    assert 300 == verified.size
    assert ("day 2026-01-05",) == verified.extensions
    checkpoint.check_extends(lite.tree, verified)


def test_a_checkpoint_detects_truncation_and_rewriting(
    tmp_path: Path, private: Ed25519PrivateKey
) -> None:
    """An older copy and another history, each consistent by itself."""
    with Store(tmp_path / "a.db") as honest:
        honest.append(entries("a", 0, 9))
        verified = checkpoint.open_checkpoint(
            str(checkpoint.sign(honest.head(), NAME, private)),
            [signed_note.public_key(NAME, private)],
        )
    with Store(tmp_path / "b.db") as older:
        older.append(entries("a", 0, 8))
        with pytest.raises(LedgerError, match="8 entries; it once had 9"):
            checkpoint.check_extends(older.tree, verified)
    with Store(tmp_path / "c.db") as other:
        other.append(entries("a", 0, 20, "other"))
        with pytest.raises(LedgerError, match="not the ones that were signed"):
            checkpoint.check_extends(other.tree, verified)


def test_an_empty_log_has_a_checkpoint(lite: Store, private: Ed25519PrivateKey) -> None:
    """Size 0, and every log extends it."""
    note = checkpoint.sign(lite.head(), NAME, private)
    lite.append(entries("a", 0, 1))

    checkpoint.check_extends(
        lite.tree, checkpoint.open_checkpoint(str(note), [signed_note.public_key(NAME, private)])
    )


def test_witnesses_cosign(
    lite: Store, private: Ed25519PrivateKey, witness: Ed25519PrivateKey
) -> None:
    """Over the text and the time; a cosignature does not replace the log's own signature."""
    lite.append(entries("a", 0, 3))
    own = signed_note.public_key(NAME, private)
    cosigner = signed_note.public_key("regulator.example", witness, signed_note.WITNESS)
    note = checkpoint.sign(lite.head(), NAME, private)
    seconds = 1_767_614_400
    signature = witness.sign(f"cosignature/v1\ntime {seconds}\n{note.text}".encode())
    line = Signature(cosigner.name, cosigner.id, seconds.to_bytes(8, "big") + signature)
    both = SignedNote(note.text, (*note.signatures, line))

    assert 3 == checkpoint.open_checkpoint(str(both), [own, cosigner]).size
    assert [own, cosigner] == signed_note.verified_signers(both, [own, cosigner])
    assert cosigner == PublicKey.parse(str(cosigner))
    assert 3 == checkpoint.open_checkpoint(str(both), [own]).size  # unknown signers are ignored
    assert [own] == signed_note.verified_signers(note, [own, cosigner])
    with pytest.raises(LedgerError, match="did not sign"):
        checkpoint.open_checkpoint(str(both), [cosigner])


def test_every_bit_of_a_checkpoint_counts(lite: Store, private: Ed25519PrivateKey) -> None:
    """No checkpoint with a flipped bit is accepted as another one."""
    lite.append(entries("a", 0, 3))
    content = str(checkpoint.sign(lite.head(), NAME, private)).encode()
    own = signed_note.public_key(NAME, private)
    honest = checkpoint.open_checkpoint(content, [own])
    for position in range(len(content)):
        for bit in range(8):
            broken = bytearray(content)
            broken[position] ^= 1 << bit
            try:
                accepted = checkpoint.open_checkpoint(bytes(broken), [own])
            except LedgerError:
                continue
            assert honest == accepted  # unused bits of base64


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x\n",
        "x\n\n",
        "x\n\n— a b\n",
        "x\n\n- a AAAAAAAA\n",
        "x\n\n— a+b AAAAAAAAAAA=\n",
        "x\r\n\n— a AAAAAAAAAAA=\n",
        "\x1b[31m\n\n— a AAAAAAAAAAA=\n",
        "x\n\n— a AAAAAAAAAAA=",
    ],
)
def test_malformed_notes_are_refused_with_a_message(text: str) -> None:
    """Truncated, mistyped, or with control characters."""
    with pytest.raises(LedgerError, match="not a signed note"):
        signed_note.parse(text)


@pytest.mark.parametrize(
    "text",
    ["o\n1\n", "o\n01\nAAAA\n", "o\n-1\n" + "A" * 43 + "=\n", "o\n1\nAAAA\n", "o\n1\n\nAAAA\n"],
)
def test_malformed_checkpoints_are_refused_with_a_message(text: str) -> None:
    """Notes with another text."""
    with pytest.raises(LedgerError, match="not a checkpoint"):
        checkpoint.parse(text)


@pytest.mark.parametrize("text", ["", "a+b", "a+00000000+AAAA", GO_KEY[:-4], "\x1b" + GO_KEY])
def test_malformed_keys_are_refused_with_a_message(text: str) -> None:
    """Including a key with a wrong id."""
    with pytest.raises(LedgerError, match=r"not a key|cannot name"):
        PublicKey.parse(text)


def test_a_key_is_never_overwritten(tmp_path: Path) -> None:
    """And only its owner can read it."""
    path = tmp_path / "key.pem"
    key = signing_keys.new_key(path, password="secret")

    assert 0o600 == path.stat().st_mode & 0o777
    with pytest.raises(LedgerError, match="cannot be written"):
        signing_keys.new_key(path)
    assert (
        key.public_key().public_bytes_raw()
        == signing_keys.load_key(path, password="secret").public_key().public_bytes_raw()
    )
    with pytest.raises(LedgerError, match="not a usable key"):
        signing_keys.load_key(path, password="wrong")
