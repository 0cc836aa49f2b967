"""Who acts at a table: accounts in a role, who stands above whom, when two must be two.

An account id is written in one way only (small letters, no blanks around it, letters composed as
Unicode's form NFKC has them), so that nobody is two people by spelling; `Account.named` brings a
name into that form.
"""

from __future__ import annotations

import unicodedata
from typing import Literal, TypeAlias

import msgspec

from croupier.errors import BadInput

Role: TypeAlias = Literal[
    "dealer",
    "floorperson",
    "pit_manager",
    "player",
    "surveillance",
    "security",
    "cage",
    "audit",
    "reader",  # a shoe or a table that reads cards
    "system",
    "operator",  # who files submissions and opens tables, and does nothing at any of them
]
ROLES: tuple[Role, ...] = (  # of those who may have to do with a table
    "dealer",
    "floorperson",
    "pit_manager",
    "player",
    "surveillance",
    "security",
    "cage",
    "audit",
    "reader",
    "system",
)
OFFICES: tuple[Role, ...] = ("operator",)
DEALER: tuple[Role, ...] = ("dealer",)
FLOOR: tuple[Role, ...] = ("floorperson", "pit_manager")  # "a floorperson or above"
MANAGER: tuple[Role, ...] = ("pit_manager",)
PLAYER: tuple[Role, ...] = ("player",)
SYSTEM: tuple[Role, ...] = ("system",)
SURVEILLANCE: tuple[Role, ...] = ("surveillance",)
SECURITY: tuple[Role, ...] = ("security",)
CAGE: tuple[Role, ...] = ("cage",)
AUDIT: tuple[Role, ...] = ("audit",)
VISITORS: tuple[Role, ...] = ("surveillance", "security", "cage", "audit")  # who has no post here
STAFF: tuple[Role, ...] = ("dealer", "floorperson", "pit_manager")

LONGEST_ID = 80


class Account(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """One human being, or a machine, in one role; the id is what tells two people apart."""

    id: str
    role: Role

    @classmethod
    def named(cls, name: str, role: Role) -> Account:
        """The account of a name however it is typed."""
        return cls(normal(name), role)

    def __str__(self) -> str:
        return f"{self.role} {self.id}"


def normal(name: str) -> str:
    """A name as an account id writes it."""
    folded = unicodedata.normalize("NFD", name).casefold()
    again = unicodedata.normalize("NFKC", folded).casefold()  # what it resolves may have capitals
    return " ".join(unicodedata.normalize("NFKC", again).split())


def check_id(text: str) -> None:
    """Refuse an account id that could be read in two ways, or act on a screen."""
    if not text or len(text) > LONGEST_ID or not text.isprintable():
        raise BadInput(f"an account id of 1 to {LONGEST_ID} printable signs is expected: {text!r}")
    if text != normal(text):
        raise BadInput(f"account id {text!r} must be written {normal(text)!r}")
