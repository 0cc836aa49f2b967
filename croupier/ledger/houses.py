"""Houses on record: stored as the canonical text whose SHA-256 is the House's digest."""

from __future__ import annotations

from croupier.errors import BadTerms
from croupier.games import House, canonical_text, digest, house_from_text
from croupier.ledger.errors import Damaged, LedgerError


def write(house: House) -> str:
    """The canonical text of a House; refused if its digest is not the digest of this text."""
    if digest(house) != house.digest:
        raise LedgerError(f"{house!r} does not have the digest of its own terms")
    return canonical_text(house)


def read(digest: str, text: str) -> House:
    """The House of a stored text: the one that rounds under this digest were played by."""
    try:
        return house_from_text(digest, text)
    except BadTerms as error:
        raise Damaged(f"house:{digest[:12]}", 0, str(error)) from None
