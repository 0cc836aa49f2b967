"""Events of the account register in words, for `croupier people` and the screen of the operator."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator

import msgspec

from croupier.ledger.aggregates import account_messages as msg
from croupier.ledger.aggregates.account_messages import Grant
from croupier.ledger.entry_codec import Recorded
from croupier.ledger.errors import utc_minute
from croupier.table import Event

STATES = {"active": "made active again", "locked": "locked", "disabled": "disabled"}
FACTORS = {
    "totp": "second factor: authenticator app",
    "passkey": "second factor: passkey",
    "reset": "second factors reset",
}
SIGN_INS = {"signed_in": "signed in", "signed_out": "signed out", "failed": "failed sign-ins"}


class HistoryLine(msgspec.Struct, frozen=True, kw_only=True):
    """One change of an account, or its sign-ins: when, what, by whom, why."""

    at: int
    account: str
    text: str
    by: str
    second: str = ""
    reason: str = ""


def history_lines(entries: Iterable[Recorded], account: str = "") -> Iterator[HistoryLine]:
    """The lines of entries of the account register, about one account or all."""
    for entry in entries:
        for event in entry.events:
            for id, text in _sentences(event):
                if account in ("", id):
                    second = getattr(event, "second", None)
                    yield HistoryLine(
                        at=entry.at,
                        account=id,
                        text=text,
                        by=str(entry.by),
                        second=str(second) if second is not None else "",
                        reason=getattr(event, "reason", ""),
                    )


def _sentences(event: Event) -> Iterator[tuple[str, str]]:
    match event:
        case msg.AccountsFounded():
            yield from ((id, "founder: operator") for id in event.founders)
            for id, grants in event.adopted.items():
                yield id, f"adopted from an earlier version: {list_grants(grants)}"
        case msg.AccountCreated():
            yield event.account, f"created: {list_grants(event.grants)}"
        case msg.RolesGranted():
            yield event.account, f"granted: {list_grants(event.grants)}"
        case msg.RolesWithdrawn():
            yield event.account, f"withdrawn: {list_grants(event.grants)}"
        case msg.AccountStateSet():
            yield event.account, STATES[event.state]
        case msg.PasswordSet():
            yield event.account, "new password"
        case msg.FactorSet():
            yield event.account, FACTORS[event.factor]
        case msg.PlayerExcluded():
            end = f" until {utc_day(event.until)}" if event.until else ""
            yield event.account, f"excluded from {utc_day(event.since)}{end}"
        case msg.ExclusionEnded():
            yield event.account, "exclusion ended"
        case msg.AccessEnabled():
            yield event.account, f"remote access enabled until {utc_minute(event.until)}"
        case msg.SignInsNoted():
            for count in event.counts:
                times = f" ({count.count} times)" if count.count > 1 else ""
                yield count.account, f"{SIGN_INS[count.kind]} from {count.address}{times}"


def list_grants(grants: Iterable[Grant]) -> str:
    """Roles with their tables ("dealer at T1, operator")."""
    return ", ".join(map(str, grants)) or "no roles"


def utc_day(at: int) -> str:
    """The day of a time, in UTC."""
    return f"{dt.datetime.fromtimestamp(at // 1000, dt.UTC):%Y-%m-%d}"
