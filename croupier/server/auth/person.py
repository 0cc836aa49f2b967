"""People: an account with its roles by table and its offices, as stored and as checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

import msgspec
import sqlalchemy as sa

from croupier.server.auth.accounts_database import metadata
from croupier.table import ROLES, Role

# Roles for the whole property, at no table: submissions, the dealer school.
Office: TypeAlias = Literal["operator", "trainee"]
OFFICES: tuple[Office, ...] = ("operator", "trainee")
EVERY_TABLE = "*"

account = sa.Table(
    "floor_account",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("password", sa.Text, nullable=False),
    sa.Column("failures", sa.Integer, nullable=False, default=0),
    sa.Column("locked_until", sa.BigInteger, nullable=False, default=0),
)
granted = sa.Table(
    "floor_granted",
    metadata,
    sa.Column("account", sa.Text, sa.ForeignKey("floor_account.id"), primary_key=True),
    sa.Column("role", sa.Text, primary_key=True),
    sa.Column("at_table", sa.Text, primary_key=True),
)


class Person(msgspec.Struct, frozen=True):
    """An account with its roles by table, and its offices."""

    id: str
    roles: dict[str, tuple[Role, ...]]
    offices: tuple[Office, ...] = ()

    @property
    def serves(self) -> bool:
        """Whether the person has a staff role at any table."""
        return any(role != "player" for roles in self.roles.values() for role in roles)

    @property
    def granted(self) -> list[tuple[str, str]]:
        """Every role with its table, then the offices with an empty table."""
        roles = [(role, table) for table, roles in sorted(self.roles.items()) for role in roles]
        return [*roles, *((office, "") for office in self.offices)]

    def roles_at(self, table: str) -> tuple[Role, ...]:
        """The roles of this person at a table, in the order of ROLES."""
        granted = {*self.roles.get(table, ()), *self.roles.get(EVERY_TABLE, ())}
        return tuple(role for role in ROLES if role in granted)


def person_of(id: str, rows: Iterable[Any]) -> Person:
    """A person with the roles and offices of these rows."""
    roles: dict[str, tuple[Role, ...]] = {}
    offices: set[str] = set()
    for row in rows:
        if row.role in OFFICES:
            offices.add(row.role)
        else:
            roles[row.at_table] = (*roles.get(row.at_table, ()), row.role)
    return Person(id, roles, tuple(office for office in OFFICES if office in offices))
