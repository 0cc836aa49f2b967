"""People: an account with its roles by table and its offices, as the account register has them."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from croupier.ledger.aggregates.account_state import EVERY_TABLE, AccountRecord
from croupier.server.auth.accounts_database import metadata
from croupier.table import ROLES, Role
from croupier.table.core.roles import PROPERTY_OFFICES
from croupier.table.core.roles import PropertyOffice as Office

__all__ = [
    "EVERY_TABLE",
    "OFFICES",
    "PRIVATE",
    "Office",
    "Person",
    "account",
    "earlier_grant",
    "is_private",
    "person_of",
    "private_table_id",
]

OFFICES: tuple[Office, ...] = PROPERTY_OFFICES
PRIVATE = "~"  # between the id of a practice table and the player whose own table this is

account = sa.Table(
    "floor_account",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("password", sa.Text, nullable=False),
    sa.Column("display_name", sa.Text, nullable=False, default=""),
    sa.Column("pin", sa.Text, nullable=False, default="-"),  # its hash; "-" without one
)
# The roles of an earlier version, until the account register has adopted them; then empty.
earlier_grant = sa.Table(
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
    must_enroll: bool = False  # has roles only after adding a second factor

    @property
    def held(self) -> set[str]:
        """The roles of the person at any table, and the offices."""
        return {*self.offices, *(role for roles in self.roles.values() for role in roles)}

    @property
    def plays(self) -> bool:
        """Whether the person is a player at any table."""
        return "player" in self.held

    @property
    def serves(self) -> bool:
        """Whether the person has a staff role at any table."""
        return any(role != "player" for roles in self.roles.values() for role in roles)

    @property
    def is_staff(self) -> bool:
        """Whether the person has an office, or a role other than player."""
        return self.serves or bool(self.offices)

    @property
    def granted(self) -> list[tuple[str, str]]:
        """Every role with its table, then the offices with an empty table."""
        roles = [(role, table) for table, roles in sorted(self.roles.items()) for role in roles]
        return [*roles, *((office, "") for office in self.offices)]

    def roles_at(self, table: str) -> tuple[Role, ...]:
        """The roles of this person at a table, in the order of ROLES.

        At a private table they are those at its shared table, and only its owner plays.
        """
        shared, _, owner = table.partition(PRIVATE)
        granted = {*self.roles.get(shared, ()), *self.roles.get(EVERY_TABLE, ())}
        if owner and owner != self.id:
            granted.discard("player")
        return tuple(role for role in ROLES if role in granted)


def private_table_id(shared: str, player: str) -> str:
    """The id of a player's own table under the House of a shared practice table."""
    return f"{shared}{PRIVATE}{player}"


def is_private(table: str) -> bool:
    """Whether a table is a player's own."""
    return PRIVATE in table


def person_of(record: AccountRecord) -> Person:
    """The person of an account, with the roles that are on record."""
    granted = {(grant.role, grant.table) for grant in record.grants}
    tables = sorted({table for _, table in granted if table})
    return Person(
        record.id,
        {
            table: roles
            for table in tables
            if (roles := tuple(role for role in sorted(ROLES) if (role, table) in granted))
        },
        tuple(office for office in OFFICES if (office, "") in granted),
    )
