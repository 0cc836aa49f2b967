"""Accounts and roles, and the canonical form of account ids.

An account id has one spelling only (case-folded, whitespace trimmed and collapsed, Unicode NFKC),
so that one person cannot appear as two by spelling; `Account.named` normalizes a name.
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
    "commission",  # the regulator: sees everything that surveillance sees, and acts nowhere
    "reader",  # a shoe or table that reads cards
    "system",
    "operator",  # files submissions and opens tables, but never acts at one
]
ROLES: tuple[Role, ...] = (  # the roles that may act at a table
    "dealer",
    "floorperson",
    "pit_manager",
    "player",
    "surveillance",
    "security",
    "cage",
    "audit",
    "commission",
    "reader",
    "system",
)
OFFICES: tuple[Role, ...] = ("operator",)
# Offices of the whole property, at no table. A supplier's account is enabled for a limited time.
PropertyOffice: TypeAlias = Literal["operator", "trainee", "supplier"]
PROPERTY_OFFICES: tuple[PropertyOffice, ...] = ("operator", "trainee", "supplier")
DEALER: tuple[Role, ...] = ("dealer",)
FLOOR: tuple[Role, ...] = ("floorperson", "pit_manager")  # "a floorperson or above"
MANAGER: tuple[Role, ...] = ("pit_manager",)
PLAYER: tuple[Role, ...] = ("player",)
SYSTEM: tuple[Role, ...] = ("system",)
SURVEILLANCE: tuple[Role, ...] = ("surveillance",)
SECURITY: tuple[Role, ...] = ("security",)
CAGE: tuple[Role, ...] = ("cage",)
VISITORS: tuple[Role, ...] = ("surveillance", "security", "cage", "audit")  # never assigned here
STAFF: tuple[Role, ...] = ("dealer", "floorperson", "pit_manager")

ACCOUNT_ID_LENGTH_MAX = 80
TWO_PEOPLE = "COMAR 36.03.10.10E"  # nobody can both commit and conceal a fraud


class Account(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A person or machine in one role; two accounts are the same person if their ids are equal."""

    id: str
    role: Role

    @classmethod
    def named(cls, name: str, role: Role) -> Account:
        """Return the account for a name, normalized to an account id."""
        return cls(normalize_id(name), role)

    def __str__(self) -> str:
        return f"{self.role} {self.id}"


def normalize_id(name: str) -> str:
    """Return the canonical account id for a name."""
    folded = unicodedata.normalize("NFD", name).casefold()
    refolded = unicodedata.normalize("NFKC", folded).casefold()  # NFKC may produce capitals
    return " ".join(unicodedata.normalize("NFKC", refolded).split())


def check_id(text: str) -> None:
    """Raise BadInput for an account id that is empty, too long, unprintable or not canonical."""
    if not text or len(text) > ACCOUNT_ID_LENGTH_MAX or not text.isprintable():
        limit = f"1 to {ACCOUNT_ID_LENGTH_MAX} printable characters"
        raise BadInput(f"expected an account id of {limit}, got {text!r}")
    if text != normalize_id(text):
        raise BadInput(f"account id {text!r} must be written {normalize_id(text)!r}")
