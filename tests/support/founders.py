"""Authors of account changes: a program on a practice ledger, two founders on a live one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pyotp
import pytest
from msgspec.structs import replace

from croupier.server.auth import accounts as accounts_module
from croupier.server.auth.accounts import BY_PROGRAM, Accounts, Authorship
from croupier.server.auth.session_policy import LIVE
from croupier.table import Account

PASSWORD = "correct horse battery"
FOUNDERS = ("fay", "finn")


@contextmanager
def without_second_factor() -> Iterator[None]:
    """Live ledgers as if their policy needed no second factor; for tests of other matters."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts_module, "LIVE", replace(LIVE, second_factor=False))
        yield


def enroll(accounts: Accounts, *names: str) -> dict[str, Iterator[str]]:
    """Add an authenticator app to each account; return the recovery codes."""
    codes = {}
    for name in names:
        setup = accounts.begin_totp(name, PASSWORD, "here")
        codes[name] = iter(accounts.confirm_totp(name, pyotp.TOTP(setup.secret).now()))
    return codes


def founders_of(accounts: Accounts) -> Authorship:
    """Who may add people with any role; founds the accounts of a live ledger if needed."""
    if accounts.ledger.purpose == "practice":
        return BY_PROGRAM
    if not accounts.register.refresh().founded:
        accounts.found(dict.fromkeys(FOUNDERS, PASSWORD))
    first, second = (Account(name, "operator") for name in FOUNDERS)
    return Authorship(first, second, "a test")
