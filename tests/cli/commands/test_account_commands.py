"""`croupier found`, `admit`, `people` and `dismiss`: a ledger and its accounts by command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pyotp
import pytest
import sqlalchemy as sa
import typer

from croupier.clock import HOUR, now_ms
from croupier.errors import BadInput
from croupier.ledger import Ledger
from croupier.ledger.errors import Excluded
from croupier.server.auth import second_factor, sessions
from croupier.server.auth.sessions import NotAdmitted
from tests.support.cli import fail, invoke, succeed
from tests.support.floor_server import PASSWORD, open_accounts
from tests.support.founders import without_second_factor
from tests.support.server_fixtures import database as database

OTHER = "another horse battery"


@pytest.fixture
def no_second_factor() -> Iterator[None]:
    """Passwords are enough, for tests of other matters."""
    with without_second_factor():
        yield


def typed(*passwords: str) -> str:
    """Each password, entered twice."""
    return "".join(f"{password}\n{password}\n" for password in passwords)


def test_ledger_is_created_once(database: str) -> None:
    """Its purpose and its gaming day cannot be changed."""
    assert "'Mars' is not a time zone" in fail("found", "--live", "--timezone", "Mars")
    summary = f"{database}: a live ledger; gaming days start at 05:00, America/Chicago"
    times = ("--timezone", "America/Chicago", "--day-starts", "05:00")
    problem = "expected 2 different people, each as --founder NAME, got"
    for number, names in enumerate(((), ("Olga",), ("olga", " OLGA"))):
        founders = [each for name in names for each in ("--founder", name)]
        assert f"{problem} {number}" in fail("found", "--live", *founders, *times)
    assert not Path(database).exists()
    founders = ["--founder", "Olga", "--founder", "otto"]
    done = invoke(["found", "--live", *founders, *times], input=typed(PASSWORD, OTHER))
    assert done.output.endswith(f"{summary}\n"), done.output
    assert PASSWORD not in done.output
    problem = f"error: {summary}: it already exists and cannot be changed\n"
    assert problem == fail("found", "--practice")
    assert problem == fail("found", "--live", "--founder", "eve", "--founder", "mallory")
    assert "the demonstration needs a practice ledger" in fail("serve", "--demo", "--port", "0")


def test_accounts_are_admitted_listed_and_dismissed(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Accounts have roles at tables and offices; a dismissal also ends their sessions."""
    assert "has no accounts yet" in fail("people")
    assert [] == [*Path(database).parent.iterdir()]  # listing creates no files
    assert "cannot be opened" in fail("people", "--database", "postgresql://x@127.0.0.1:1/x")
    nowhere = f"{database}/floor.db"
    assert "unable to open database file" in fail(
        "admit", "eve", "--role", "player", "--database", nowhere
    )
    assert "olga: operator\n" == succeed("admit", "Olga", "--role", "operator")
    nowhere = "trainee is an office of the whole property and has no table; got 'T'"
    assert nowhere in fail("admit", "olga", "--role", "trainee", "--table", "T")
    assert "expected one of dealer" in fail("admit", "dana", "--role", "king")
    roles = ("--role", "dealer", "--role", "floorperson")
    succeed("admit", "dana", *roles, "--table", "T1", "--table", "T2")
    monkeypatch.delenv("CROUPIER_PASSWORD")
    # An existing account keeps its password.
    assert "dana: player at *\n" == succeed("admit", "dana", "--role", "player")
    with open_accounts(database) as accounts:
        _, token = accounts.sign_in("dana", PASSWORD)
        listed = (
            "dana: player at *, dealer at T1, floorperson at T1, dealer at T2, floorperson at T2"
        )
        assert f"{listed}, 1 signed in\nolga: operator\n" == succeed("people")
        left = succeed("dismiss", "dana", *roles, "--table", "T1")
        assert "dana: player at *, dealer at T2, floorperson at T2\n" == left
        with pytest.raises(NotAdmitted):  # losing a role ends the session
            accounts.authenticate(token)
        person, token = accounts.sign_in("dana", PASSWORD)
        assert ("player",) == person.roles_at("T1")
        assert "requires --role" in fail("dismiss", "dana", "--table", "T2")
        assert "dana: no roles\n" == succeed("dismiss", "dana")
        assert "dana is already disabled" in fail("dismiss", "dana")
        with pytest.raises(NotAdmitted):
            accounts.authenticate(token)
        with pytest.raises(NotAdmitted):
            accounts.sign_in("dana", PASSWORD)
        with pytest.raises(BadInput, match="there is no account 'eve'"):
            accounts.dismiss("eve")
        again = invoke(["admit", "dana", "--role", "dealer"])  # asks for a new password
        assert "New password of dana" in again.output and again.exit_code
        assert [] == accounts.person("dana").granted
    people = json.loads(succeed("people", "--json"))
    assert [("dana", {}, 0), ("olga", {}, 0)] == [
        (each["person"]["id"], each["person"]["roles"], each["sessions"]) for each in people
    ]
    assert ["operator"] == people[1]["person"]["offices"]
    assert "there is no account 'eve'" in fail("dismiss", "eve", "--role", "player")


def found_live() -> None:
    """A live ledger with the operators olga and otto, as the installation guide founds it."""
    founders = ["found", "--live", "--founder", "olga", "--founder", "otto"]
    assert 0 == invoke(founders, input=typed(PASSWORD, OTHER)).exit_code


@pytest.mark.usefixtures("no_second_factor")
def test_two_people_appoint_on_a_live_ledger(database: str) -> None:
    """A shell and one password are not enough; the record says who, whom and why."""
    found_live()
    by, why = ("--by", "olga"), ("--reason", "hired")
    second = ("--second", "operator:otto")
    petra = ("admit", "petra", "--role", "pit_manager")
    assert "a live ledger needs --by NAME and --reason" in fail(*petra)
    assert "a live ledger needs --by NAME and --reason" in fail(*petra, *by)
    for command, passwords, problem in (
        ((*petra, *by, *why), typed(OTHER), "needs a second person on a live ledger"),
        ((*petra, *by, *why, *second), f"{PASSWORD}\n", "wrong name or password"),
        ((*petra, *by, *why, "--second", "operator:olga"), f"{PASSWORD}\n" * 3, "two different"),
        ((*petra, "--by", "petra", *why, *second), "", "wrong name or password"),
    ):
        refused = invoke(command, input=passwords)
        assert (2, True) == (refused.exit_code, problem in refused.output), refused.output
    done = invoke([*petra, *by, *why, *second], input=f"{OTHER}\n{typed(OTHER)}")
    assert 0 == done.exit_code, done.output
    done = invoke(["admit", "dana", "--role", "dealer", *by, *why], input=typed(OTHER))
    assert 0 == done.exit_code, done.output

    reset = ("admit", "petra", "--new-password", *by, "--reason", "forgotten")
    assert "needs a second person" in invoke(reset, input=typed(PASSWORD)).output
    done = invoke([*reset, *second], input=f"{OTHER}\n{typed(PASSWORD)}")
    assert 0 == done.exit_code, done.output
    assert "petra: locked\n" == succeed("lock", "petra", *by, "--reason", "leave")
    unlock = ("unlock", "petra", *by, "--reason", "back")
    assert "needs a second person" in fail(*unlock)
    assert 0 == invoke([*unlock, *second], input=f"{OTHER}\n").exit_code
    assert "cannot do this to their own account" in fail("dismiss", "olga", *by, *why)
    history = [line.partition(": ")[2] for line in succeed("people", "petra").splitlines()]
    assert [
        "created: pit_manager at *, by operator olga and operator otto (hired)",
        "new password, by operator olga and operator otto (forgotten)",
        "locked, by operator olga (leave)",
        "made active again, by operator olga and operator otto (back)",
    ] == history
    (founded,) = json.loads(succeed("people", "olga", "--json"))
    assert ("founder: operator", "system croupier") == (founded["text"], founded["by"])
    succeed("audit", "verify", database)


def test_a_live_ledger_that_was_made_by_a_program_is_founded_once(database: str) -> None:
    """Nobody gets in before its founders."""
    with Ledger(database, purpose="live"):
        pass
    admit = ("admit", "eve", "--role", "operator", "--by", "eve", "--reason", "x")
    assert "wrong name or password" in fail(*admit)
    found_live()
    assert ["olga: operator", "otto: operator"] == succeed("people").splitlines()
    assert "cannot be changed" in fail("found", "--live", "--founder", "a", "--founder", "b")


def test_a_password_changes_only_on_request(database: str) -> None:
    """A role for an existing account never resets a password, whatever the environment says."""
    succeed("admit", "dana", "--role", "dealer")
    done = invoke(["admit", "dana", "--role", "cage"], env={"CROUPIER_PASSWORD": OTHER})
    assert 0 == done.exit_code
    with open_accounts(database) as accounts:
        token = accounts.sign_in("dana", PASSWORD)[1]
    reset = ["admit", "dana", "--new-password"]
    assert 0 == invoke(reset, env={"CROUPIER_PASSWORD": OTHER}).exit_code
    with open_accounts(database) as accounts:
        with pytest.raises(NotAdmitted):  # every session has ended
            accounts.authenticate(token)
        accounts.sign_in("dana", OTHER)


def test_a_display_name_is_not_on_record_and_can_be_erased(database: str) -> None:
    """The ledger names people by account id."""
    succeed("admit", "dana", "--role", "dealer", "--display-name", "Dana Smith")
    assert "dana (Dana Smith): dealer at *\n" == succeed("people")
    entries = [str(path.read_bytes()) for path in Path(database).parent.glob("harbor.db*")]
    assert 1 == sum("Dana Smith" in text for text in entries)
    succeed("admit", "dana", "--display-name", "")
    assert "dana: dealer at *\n" == succeed("people")


def test_an_exclusion_list_is_kept_by_command_or_file(database: str, tmp_path: Path) -> None:
    """With dates; its people cannot sign in."""
    succeed("admit", "paul", "--role", "player")
    assert "paul: excluded\n" == succeed("exclude", "Paul", "--since", "2026-01-01")
    with open_accounts(database) as accounts, pytest.raises(Excluded, match=r"36\.03\.10\.34C"):
        accounts.sign_in("paul", PASSWORD)
    assert "paul: no longer excluded\n" == succeed("exclude", "paul", "--end")
    with open_accounts(database) as accounts:
        accounts.sign_in("paul", PASSWORD)
    rows = tmp_path / "excluded.csv"
    rows.write_text("Paul, 2026-01-05, 2090-01-05\nEve,,\n", "utf-8")
    assert "paul: excluded\neve: excluded\n" == succeed("exclude", "--file", str(rows))
    listed = "eve: excluded from 1970-01-01\npaul: excluded from 2026-01-05 until 2090-01-05\n"
    assert listed == succeed("exclude")
    rows.write_text("Paul,2026-01-05\n", "utf-8")
    assert "row 1: expected name, since, until" in fail("exclude", "--file", str(rows))
    assert "is not a time" in fail("exclude", "paul", "--until", "tomorrow")
    changes = [line.partition(": ")[2] for line in succeed("people", "paul").splitlines()]
    assert "exclusion ended, by system cli (on the command line)" in changes


@pytest.mark.usefixtures("no_second_factor")
def test_a_supplier_signs_in_only_while_enabled(database: str) -> None:
    """Each access is enabled by two people on a live ledger, and is on record."""
    found_live()
    by = ("--by", "olga", "--reason", "ticket 7")
    acme = ("admit", "acme", "--role", "supplier", "--role", "dealer", *by)
    assert 0 == invoke(acme, input=typed(OTHER)).exit_code
    with open_accounts(database) as accounts, pytest.raises(NotAdmitted):
        accounts.sign_in("acme", OTHER)
    enable = ("enable", "acme", "--hours", "2", *by)
    assert "needs a second person" in fail(*enable)
    done = invoke([*enable, "--second", "operator:otto"], input=f"{OTHER}\n")
    assert "acme: enabled until" in done.output, done.output
    with open_accounts(database) as accounts:
        token = accounts.sign_in("acme", OTHER)[1]
        with pytest.MonkeyPatch.context() as patch:
            later = now_ms() + 2 * HOUR
            patch.setattr(sessions, "now_ms", lambda: later)
            with pytest.raises(NotAdmitted):  # the session ends with the access
                accounts.authenticate(token)
    assert "remote access enabled until" in succeed("people", "acme")


def test_operators_of_a_live_ledger_need_a_second_factor(database: str) -> None:
    """Both founders add an app with `croupier factor`; its codes are asked for from then on."""
    found_live()
    admit = ("admit", "dana", "--role", "dealer", "--by", "olga", "--reason", "hired")
    assert "olga needs a second factor first; add one with: croupier factor olga" in fail(*admit)
    with open_accounts(database) as accounts, pytest.MonkeyPatch.context() as patch:
        later = now_ms() + 2 * second_factor.STEP_MS  # the code of the enrollment is used up

        class Prompt:
            """Answers the prompts of `croupier factor`: the code of the key that it has stored."""

            def __call__(self, text: str, **options: object) -> str:
                assert "Code" in text
                query = sa.select(second_factor.factor.c.secret)
                with accounts.engine.connect() as connection:
                    secret = connection.execute(query.where(setup)).scalar_one()
                return str(pyotp.TOTP(secret).now())

        setup = second_factor.factor.c.kind == "setup"
        patch.setattr(typer, "prompt", Prompt())
        shown = succeed("factor", "olga")
        secret = shown.partition("app: ")[2].split("\n")[0]
        recovery = shown.splitlines()[-second_factor.RECOVERY_CODES :]
        patch.undo()
        patch.setattr(second_factor, "now_ms", lambda: later)
        code = pyotp.TOTP(secret).at(later // 1000)
        wrong = invoke(admit, input="000000\n")
        assert "wrong code" in wrong.output, wrong.output
        done = invoke(admit, input=f"{code}\n{typed(OTHER)}")
        assert 0 == done.exit_code, done.output
        replayed = invoke(("lock", "dana", *admit[4:]), input=f"{code}\n")
        assert "wrong code" in replayed.output
        done = invoke(("lock", "dana", *admit[4:]), input=f"{recovery[0]}\n")
        assert "dana: locked" in done.output, done.output
        again = invoke(("lock", "dana", *admit[4:]), input=f"{recovery[0]}\n")
        assert "wrong code" in again.output
        reset = ("factor", "otto", "--reset", *admit[4:])
        assert "needs a second person" in invoke(reset, input=f"{recovery[1]}\n").output
        history = succeed("people", "olga")
        assert "second factor: authenticator app, by operator olga" in history
        assert secret not in history


def test_a_card_reader_gets_a_key(database: str) -> None:
    """Shown once; a person gets none."""
    succeed("admit", "shoe 4", "--role", "reader")
    key = succeed("key", "shoe 4").strip()
    with open_accounts(database) as accounts:
        assert "shoe 4" == accounts.authenticate(key).id
    succeed("admit", "dana", "--role", "dealer")
    assert "dana is not a device" in fail("key", "dana")
    assert key not in succeed("people", "shoe 4")
