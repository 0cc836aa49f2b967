"""Limits of sessions: when they end, when an idle screen locks, what wrong passwords cost."""

from __future__ import annotations

import msgspec

from croupier.clock import HOUR, MINUTE
from croupier.ledger.aggregates.account_register import PRIVILEGED
from croupier.server.auth.person import Person


class SessionPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of the sessions of a ledger; 0 minutes never lock."""

    ends_hours: float = 12.0  # after the sign-in
    idle_hours: float = 4.0  # without a request; also a locked session ends
    staff_lock_minutes: float = 5.0  # without a request
    player_lock_minutes: float = 30.0
    second_factor: bool = True  # for operators, auditors, pit managers, surveillance
    wrong_passwords: int = 5  # in a row, for an account from an address, before the first delay
    delay_minutes: float = 1.0  # the first one; doubled with each further failure

    @property
    def ends_ms(self) -> int:
        """How long a session lasts."""
        return round(self.ends_hours * HOUR)

    @property
    def idle_ms(self) -> int:
        """How long a session lasts without a request."""
        return round(self.idle_hours * HOUR)

    @property
    def delay_ms(self) -> int:
        """How long the first delay lasts."""
        return round(self.delay_minutes * MINUTE)

    def locks_after_ms(self, person: Person) -> int:
        """After how long without a request the session of a person locks; 0 if never."""
        if is_device(person):
            return 0
        minutes = self.staff_lock_minutes if person.is_staff else self.player_lock_minutes
        return round(minutes * MINUTE)


LIVE = SessionPolicy()
PRACTICE = SessionPolicy(staff_lock_minutes=0.0, player_lock_minutes=0.0, second_factor=False)


def is_device(person: Person) -> bool:
    """Whether the account is a shoe or table that reads cards, and nothing else."""
    return bool(person.granted) and all(role == "reader" for role, _ in person.granted)


def is_strongly_authenticated(person: Person) -> bool:
    """Whether the person has a role that needs a second factor on a live ledger."""
    return any(role in PRIVILEGED for role, _ in person.granted)
