"""Credentials: who somebody is by password, second factor, PIN, and how people change their own.

Every function here blocks; call it in a thread.
"""

from __future__ import annotations

import secrets
from typing import Any

import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy.engine import Engine

from croupier.errors import BadInput
from croupier.ledger import Ledger
from croupier.ledger.aggregates.account_messages import FoundAccounts, SetFactor, SetPassword
from croupier.ledger.errors import Excluded
from croupier.server.auth.guess_limit import GuessLimit
from croupier.server.auth.passkeys import Passkeys, Site
from croupier.server.auth.passwords import PASSWORD_MAX, check_password, check_pin
from croupier.server.auth.person import Person, account
from croupier.server.auth.second_factor import SecondFactorNeeded, TotpSetup
from croupier.server.auth.session_policy import SessionPolicy, is_strongly_authenticated
from croupier.server.auth.sessions import NotAdmitted, SessionStore
from croupier.table import ROLES, Account, Command, Role
from croupier.table.core.roles import normalize_id

NO_PASSWORD = "-"  # the hash of no password, and of no PIN
COMMAND_LINE = "command line"  # the address of people without a client


class CredentialStore(SessionStore):
    """Passwords, second factors and PINs in an accounts database."""

    def __init__(
        self, engine: Engine, ledger: Ledger, policy: SessionPolicy, hasher: PasswordHasher
    ) -> None:
        super().__init__(engine, ledger, policy)
        self.guesses = GuessLimit(engine, lambda: self.policy)
        self.passkeys = Passkeys(engine)
        self.hasher = hasher
        # Verified for unknown names, so that they take as long as known ones.
        self._dummy_hash = hasher.hash(secrets.token_urlsafe(16))

    def sign_in(self, name: str, password: str, code: str = "") -> tuple[Person, str]:
        """Begin a session; return the person and the token. Raises as `identify`."""
        person = self.identify(name, password, code=code)
        return person, self.begin(person.id)

    def identify(
        self, name: str, password: str, address: str = COMMAND_LINE, code: str = ""
    ) -> Person:
        """The person with this name and password, and the code if they have a second factor.

        Raises NotAdmitted, Locked, SecondFactorNeeded or Excluded.
        """
        id = normalize_id(name)
        person = self.check_present(id, password, address, code)
        self.check_not_excluded(id)
        return person

    def check_not_excluded(self, id: str) -> None:
        """Raise Excluded for a person on the exclusion list."""
        if self.ledger.is_excluded(id):
            raise Excluded(id)

    def _check_password(self, id: str, password: str) -> Person:
        with self.engine.connect() as connection:
            query = sa.select(account.c.password).where(account.c.id == id)
            hashed = connection.execute(query).scalar()
        matches = self._matches(hashed or NO_PASSWORD, password)
        person = self.find_person(id)
        if person is None or not matches:
            raise NotAdmitted("wrong name or password")
        return person

    def _matches(self, hashed: str, password: str) -> bool:
        if hashed == NO_PASSWORD:  # as slow as with a password
            hashed = self._dummy_hash
        try:
            return self.hasher.verify(hashed, password[: PASSWORD_MAX + 1])
        except (VerificationError, InvalidHashError):
            return False

    def change_password(self, id: str, password: str, new: str, address: str) -> None:
        """Let a person change their own password, which ends all their sessions."""
        with self.guesses.limited(id, address):
            self._check_password(id, password)
        if new == password:
            raise BadInput("password: the new one is the old one")
        self._check_new_password(id, new)
        self._record(SetPassword(account=id, reason="own change"), self._own_account(id))
        self._store_password(id, new)
        self.end_all(id)

    def set_pin(self, id: str, password: str, pin: str, address: str) -> None:
        """Let a person choose the PIN that unlocks their sessions and relieves a dealer."""
        with self.guesses.limited(id, address):
            self._check_password(id, password)
        check_pin(pin)
        with self.engine.begin() as connection:
            connection.execute(
                account.update().where(account.c.id == id).values(pin=self.hasher.hash(pin))
            )

    def begin_totp(self, id: str, password: str, address: str, code: str = "") -> TotpSetup:
        """Begin to add an authenticator app; see `check_present`."""
        self.check_present(id, password, address, code)
        return self.factors.begin_totp(id)

    def check_present(self, id: str, password: str, address: str, code: str = "") -> Person:
        """Check the password of a person, and the code of a second factor.

        Raises NotAdmitted, Locked or SecondFactorNeeded.
        """
        with self.guesses.limited(id, address):
            person = self._check_password(id, password)
            self._check_factor(id, code)
        return person

    def check_link(self, id: str, code: str, matches: bool, address: str) -> None:
        """Check the owner of a sign-in link, which stands for the password.

        `matches` says whether the code of the link is right. Raises as `check_present`.
        """
        with self.guesses.limited(id, address):
            if not matches:
                raise NotAdmitted("This is not the code of the second person.")
            self._check_factor(id, code)

    def _check_factor(self, id: str, code: str) -> None:
        if self.factors.enrolled([id]) and not (code and self.factors.verify(id, code)):
            raise NotAdmitted("wrong code") if code else SecondFactorNeeded

    def confirm_totp(self, id: str, code: str) -> tuple[str, ...]:
        """Put the authenticator app to use, on record; return the recovery codes."""
        codes = self.factors.confirm_totp(id, code)
        self._record(SetFactor(account=id, factor="totp", reason=""), self._own_account(id))
        return codes

    def add_passkey(
        self, id: str, challenge: str, credential: dict[str, Any], site: Site
    ) -> tuple[str, ...]:
        """Add a passkey, on record; return recovery codes with the first second factor."""
        first = not self.factors.enrolled([id])
        self.passkeys.add(id, challenge, credential, site)
        self._record(SetFactor(account=id, factor="passkey", reason=""), self._own_account(id))
        return self.factors.new_recovery_codes(id) if first else ()

    def identify_passkey(self, challenge: str, credential: dict[str, Any], site: Site) -> Person:
        """The person whose passkey answers a challenge. Raises NotAdmitted."""
        id = self.passkeys.verify(challenge, credential, site)
        person = self.find_person(id)
        if person is None:
            raise NotAdmitted("this account may not sign in")
        return person

    def _own_account(self, id: str) -> Account:
        """The account in which a person changes what is their own."""
        grants = self.register.aggregate.accounts[id].grants
        return Account(id, next((as_role(each.role) for each in grants), "player"))

    def unlock(self, token: str, secret: str, address: str) -> Person:
        """Unlock a session with the password or PIN of its person. Raises NotAdmitted, Locked."""
        person = self.locked_person(token)
        if person is None:
            return self.authenticate(token)
        with self.guesses.limited(person.id, address):
            if not any(self._matches(hashed, secret) for hashed in self._secrets(person.id)):
                raise NotAdmitted("wrong password or PIN")
        self.touch(token)
        return person

    def relieve(self, token: str, name: str, pin: str, address: str) -> tuple[Person, str]:
        """End the session of a console and begin one for the next person, by PIN alone.

        The console must have an open session of staff, perhaps locked. Returns the person and the
        token. Raises NotAdmitted, Locked or Excluded.
        """
        at_console = self.person_at_console(token)
        id = normalize_id(name)
        with self.guesses.limited(id, address):
            _, hashed = self._secrets(id)
            person = self.find_person(id)
            matches = self._matches(hashed, pin)
            if not (at_console.serves and person is not None and person.serves and matches):
                raise NotAdmitted("wrong name or PIN, or no member of staff")
            if self.policy.second_factor and is_strongly_authenticated(person):
                raise NotAdmitted(f"{id} signs in with a second factor, not with a PIN")
        self.check_not_excluded(id)
        self.end(token)
        return person, self.begin(id)

    def _secrets(self, id: str) -> tuple[str, str]:
        """The hashes of password and PIN; of an unknown account, hashes that match nothing."""
        query = sa.select(account.c.password, account.c.pin).where(account.c.id == id)
        with self.engine.connect() as connection:
            row = connection.execute(query).first()
        if row is None:
            return NO_PASSWORD, NO_PASSWORD
        return row.password, row.pin

    def _record(self, command: Command, by: Account) -> None:
        """Record a change; only then it takes effect."""
        if not self.register.refresh().founded:
            if self.ledger.purpose == "live":
                raise BadInput(
                    "this live ledger has no founders; create them with: croupier found --live"
                    " --founder NAME --founder NAME"
                )
            self.register.found(FoundAccounts(live=False))
        self.register.do(command, by)

    def choose_password(self, id: str, password: str) -> None:
        """Let the owner of an account without a password choose one, after a link or a reset."""
        self._check_new_password(id, password)
        query = sa.select(account.c.password).where(account.c.id == id)
        with self.engine.connect() as connection:
            present = connection.execute(query).scalar()
        if present != NO_PASSWORD:
            raise BadInput(f"{id} has a password already")
        self._record(SetPassword(account=id, reason="own choice"), self._own_account(id))
        self._store_password(id, password)
        self.end_all(id)

    def _check_new_password(self, id: str, password: str) -> None:
        query = sa.select(account.c.display_name).where(account.c.id == id)
        with self.engine.connect() as connection:
            check_password(password, id, connection.execute(query).scalar() or "")

    def _remove_password(self, id: str) -> None:
        self._store_hash(id, NO_PASSWORD)

    def _store_password(self, id: str, password: str) -> None:
        self._store_hash(id, self.hasher.hash(password))

    def _store_hash(self, id: str, hashed: str) -> None:
        values = {"password": hashed, "pin": NO_PASSWORD}
        with self.engine.begin() as connection:
            changed = connection.execute(
                account.update().where(account.c.id == id).values(**values)
            )
            if not changed.rowcount:
                connection.execute(account.insert().values(id=id, **values))


def as_role(name: str) -> Role:
    """A role by its name, for an entry that names a person in one of their roles."""
    return next((role for role in (*ROLES, "operator") if role == name), "player")
