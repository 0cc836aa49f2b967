"""Migrations of the accounts database: creation, adoption, newer versions, concurrent starts."""

from __future__ import annotations

import asyncio
import importlib
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import URL, Engine

from croupier.ledger import Ledger
from croupier.ledger.aggregates.account_messages import FoundAccounts, Grant
from croupier.server import Accounts, Floor
from croupier.server.auth import accounts_database as database
from croupier.server.auth.accounts_database import NewerAccountsDatabase, accounts_url
from tests.support.floor_server import PASSWORD, WEAK_HASHER, open_accounts
from tests.support.postgres import PostgresServer

# What `metadata.create_all` made before there were migrations.
BEFORE_MIGRATIONS = """
CREATE TABLE {schema}floor_account (
    id TEXT NOT NULL,
    password TEXT NOT NULL,
    failures INTEGER NOT NULL,
    locked_until BIGINT NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE {schema}floor_asked (
    id TEXT NOT NULL,
    ends BIGINT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE {schema}floor_kept_deck (
    at_table TEXT NOT NULL,
    commitment TEXT NOT NULL,
    revealed TEXT NOT NULL,
    PRIMARY KEY (at_table, commitment)
);
CREATE TABLE {schema}floor_lease (
    at_table TEXT NOT NULL,
    owner TEXT NOT NULL,
    term BIGINT NOT NULL,
    PRIMARY KEY (at_table)
);
CREATE TABLE {schema}floor_lesson (
    id TEXT NOT NULL,
    begun BIGINT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE {schema}floor_server (
    id TEXT NOT NULL,
    machine TEXT NOT NULL,
    address TEXT NOT NULL,
    until BIGINT NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE {schema}floor_submission (
    id TEXT NOT NULL,
    content TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE {schema}floor_granted (
    account TEXT NOT NULL,
    role TEXT NOT NULL,
    at_table TEXT NOT NULL,
    PRIMARY KEY (account, role, at_table),
    FOREIGN KEY(account) REFERENCES {schema}floor_account (id)
);
CREATE TABLE {schema}floor_session (
    token TEXT NOT NULL,
    account TEXT NOT NULL,
    begun BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    ends BIGINT NOT NULL,
    PRIMARY KEY (token),
    FOREIGN KEY(account) REFERENCES {schema}floor_account (id)
)
"""
ROWS = """
INSERT INTO {schema}floor_account VALUES ('ann', '{password}', 2, 0);
INSERT INTO {schema}floor_granted VALUES ('ann', 'player', '*');
INSERT INTO {schema}floor_granted VALUES ('ann', 'dealer', 'T');
INSERT INTO {schema}floor_kept_deck VALUES ('T', 'commitment', 'As Kd');
INSERT INTO {schema}floor_submission VALUES ('s1', '{draft}', 3);
INSERT INTO {schema}floor_lease VALUES ('T', 'gone', 7)
"""
DRAFT = '{"id": "s1", "game": "top_five", "answers": {}, "version": 3, "authors": ["olga"]}'
ADDED = ("floor_factor", "floor_guess", "floor_practice_day", "floor_shared_hand")
DROPPED = ("floor_asked", "floor_lease", "floor_server")
DEFINED_IN = (
    "croupier.server.practice.practice_history",
    "croupier.server.practice.shared_hands",
    "croupier.server.school.lessons",
    "croupier.server.submissions.repository",
)


@pytest.fixture(params=["sqlite", "postgresql"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database for a ledger."""
    if request.param == "sqlite":
        return str(tmp_path / "casino.db")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database()


def run_sql(url: URL, script: str, **values: str) -> None:
    """Run statements in an accounts database, without Croupier's code."""
    engine = sa.create_engine(url)
    postgresql = engine.dialect.name == "postgresql"
    with engine.begin() as connection:
        if postgresql:
            connection.exec_driver_sql("CREATE SCHEMA IF NOT EXISTS floor")
        schema = "floor." if postgresql else ""
        for statement in script.format(schema=schema, **values).split(";"):
            connection.exec_driver_sql(statement)
    engine.dispose()


def described(engine: Engine) -> dict[str, object]:
    """Columns, keys and foreign keys of every table but Alembic's."""
    schema = "floor" if engine.dialect.name == "postgresql" else None
    inspector = sa.inspect(engine)
    return {
        table: (
            [
                (c["name"], str(c["type"]), c["nullable"])
                for c in inspector.get_columns(table, schema)
            ],
            inspector.get_pk_constraint(table, schema)["constrained_columns"],
            [
                (key["constrained_columns"], key["referred_table"], key["referred_columns"])
                for key in inspector.get_foreign_keys(table, schema)
            ],
        )
        for table in sorted(inspector.get_table_names(schema))
        if table.startswith("floor_")
    }


def revision_of(accounts: Accounts) -> str | None:
    """The schema revision of an open accounts database."""
    with accounts.engine.connect() as connection:
        return database.current_revision(connection)


def test_migrations_create_what_the_code_defines(ledger: str, tmp_path: Path) -> None:
    """The tables of a new database are those of `metadata`."""
    for module in DEFINED_IN:
        importlib.import_module(module)
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'defined.db'}")
    database.metadata.create_all(engine)
    with open_accounts(ledger) as accounts:
        assert database.LATEST_REVISION == revision_of(accounts)
        assert described(engine) == described(accounts.engine)
    engine.dispose()


def test_a_database_from_before_migrations_is_adopted(ledger: str) -> None:
    """Its data stays, everything works, and it gets a version."""
    url = accounts_url(ledger)
    run_sql(url, BEFORE_MIGRATIONS)
    run_sql(url, ROWS, password=WEAK_HASHER.hash(PASSWORD), draft=DRAFT)
    with open_accounts(ledger) as accounts:
        floor = Floor(accounts.ledger, accounts)
        person, token = accounts.sign_in("ann", PASSWORD)

        assert database.LATEST_REVISION == revision_of(accounts)
        assert ("dealer", "player") == person.roles_at("T")
        assert "ann" == accounts.authenticate(token).id
        assert "As Kd" == accounts.saved_deck("T", "commitment")
        assert [("s1", 3, ("olga",))] == [
            (each.id, each.version, each.authors) for each in floor.submissions.all()
        ]
        assert not {*DROPPED} & described(accounts.engine).keys()
    with Ledger(ledger, readonly=True) as recorded:
        (founded,) = recorded.accounts.history()
    assert isinstance(founded.envelope.command, FoundAccounts)
    assert {"ann": {Grant("player", "*"), Grant("dealer", "T")}} == {
        name: {*grants} for name, grants in founded.envelope.command.adopted.items()
    }


def test_roles_are_adopted_once(ledger: str) -> None:
    """Roles written into the database later are no roles: the record alone has them."""
    url = accounts_url(ledger)
    run_sql(url, BEFORE_MIGRATIONS)
    run_sql(url, ROWS, password=WEAK_HASHER.hash(PASSWORD), draft=DRAFT)
    with open_accounts(ledger):
        pass
    run_sql(url, "INSERT INTO {schema}floor_granted VALUES ('ann', 'operator', '*')")
    with open_accounts(ledger) as accounts:
        person, _ = accounts.sign_in("ann", PASSWORD)
        assert not person.offices
        assert ("player",) == person.roles_at("another")


def test_missing_tables_of_an_adopted_database_are_created(ledger: str) -> None:
    """`croupier account` made only the tables that it used."""
    url = accounts_url(ledger)
    run_sql(url, BEFORE_MIGRATIONS.split(";")[0])
    with open_accounts(ledger) as accounts:
        expected = len(BEFORE_MIGRATIONS.split(";")) - len(DROPPED) + len(ADDED)
        assert expected == len(described(accounts.engine))


def test_opening_again_changes_nothing(ledger: str) -> None:
    """Accounts are still there."""
    with open_accounts(ledger) as accounts:
        accounts.add("ann", PASSWORD)
    with open_accounts(ledger) as accounts:
        assert ["ann"] == [each.person.id for each in accounts.listing()]


def test_a_database_of_a_newer_version_is_refused(ledger: str) -> None:
    """The error names both schema versions and what to do."""
    url = accounts_url(ledger)
    with open_accounts(ledger):
        pass
    run_sql(url, "UPDATE {schema}alembic_version SET version_num = '9999'")
    newer = rf"schema 9999.* knows {database.LATEST_REVISION}; install the newer"
    with pytest.raises(NewerAccountsDatabase, match=newer), open_accounts(ledger):
        pass


def test_processes_that_start_together_all_succeed(ledger: str) -> None:
    """One of them migrates the database, the others wait."""
    code = (
        "import sys; from croupier.ledger import Ledger; from croupier.server import Accounts;"
        " Accounts(Ledger(sys.argv[1])).close()"
    )
    with Ledger(ledger):
        pass

    async def start() -> list[int | None]:
        processes = [
            await asyncio.create_subprocess_exec(sys.executable, "-c", code, ledger)
            for _ in range(4)
        ]
        return [await process.wait() for process in processes]

    assert [0, 0, 0, 0] == asyncio.run(start())
