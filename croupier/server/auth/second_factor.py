"""Second factors of accounts: codes of an authenticator app (TOTP), recovery codes, passkeys.

A code is accepted once. Recovery codes are stored as digests, and each works once.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

import pyotp
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from croupier.clock import now_ms
from croupier.errors import BadInput, CroupierError
from croupier.server.auth.accounts_database import metadata

Kind: TypeAlias = Literal["totp", "passkey", "recovery", "setup"]
FACTORS: tuple[Kind, ...] = ("totp", "passkey")  # a "setup" is a TOTP that is not confirmed yet
STEP_MS = 30_000  # how long the app shows a code
STEPS_APART = 1  # that the clocks of phone and server may differ
RECOVERY_CODES = 10
ISSUER = "Croupier"

factor = sa.Table(
    "floor_factor",
    metadata,
    sa.Column("account", sa.Text, sa.ForeignKey("floor_account.id"), primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),  # of a passkey; the digest of a recovery code
    sa.Column("secret", sa.Text, nullable=False),  # of a TOTP; the public key of a passkey
    sa.Column("used", sa.BigInteger, nullable=False),  # the last step, or count of a passkey
    sa.Column("created", sa.BigInteger, nullable=False),
)


class SecondFactorNeeded(CroupierError):
    """The password is right, and the account has a second factor."""

    def __init__(self) -> None:
        super().__init__(
            "second factor needed: add the code of your authenticator app, or a recovery code"
        )


class TotpSetup(NamedTuple):
    """What an authenticator app needs: the secret, or the same as an address for a QR code."""

    secret: str
    uri: str


class SecondFactors:
    """The second factors in an accounts database. The methods block."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def enrolled(self, ids: Iterable[str]) -> set[str]:
        """Those of the accounts that have a second factor."""
        query = sa.select(factor.c.account).where(
            factor.c.account.in_(list(ids)), factor.c.kind.in_(FACTORS)
        )
        with self.engine.connect() as connection:
            return {*connection.execute(query).scalars()}

    def begin_totp(self, account: str) -> TotpSetup:
        """A new secret for an authenticator app; `confirm_totp` puts it to use."""
        secret = pyotp.random_base32()
        with self.engine.begin() as connection:
            connection.execute(factor.delete().where(_of(account, "setup")))
            connection.execute(factor.insert().values(**_row(account, "setup", "", secret)))
        return TotpSetup(
            secret, pyotp.TOTP(secret).provisioning_uri(name=account, issuer_name=ISSUER)
        )

    def confirm_totp(self, account: str, code: str) -> tuple[str, ...]:
        """Use the new secret, once its code is right; return new recovery codes."""
        with self.engine.connect() as connection:
            query = sa.select(factor.c.secret).where(_of(account, "setup"))
            secret = connection.execute(query).scalar()
        step = matching_step(secret, code, after=0) if secret is not None else 0
        if not step:
            raise BadInput("the code is wrong; enter the one that the app shows now")
        with self.engine.begin() as connection:
            connection.execute(factor.delete().where(_of(account, "setup", "totp")))
            row = {**_row(account, "totp", "", secret or ""), "used": step}
            connection.execute(factor.insert().values(**row))
        return self.new_recovery_codes(account)

    def new_recovery_codes(self, account: str) -> tuple[str, ...]:
        """Ten codes that work once each; earlier ones end."""
        codes = tuple(
            f"{secrets.token_hex(3)}-{secrets.token_hex(3)}" for _ in range(RECOVERY_CODES)
        )
        rows = [_row(account, "recovery", recovery_digest(account, code), "") for code in codes]
        with self.engine.begin() as connection:
            connection.execute(factor.delete().where(_of(account, "recovery")))
            connection.execute(factor.insert(), rows)
        return codes

    def verify(self, account: str, code: str) -> bool:
        """Whether a code of the app, or a recovery code, is right; it is then used up."""
        with self.engine.begin() as connection:
            query = sa.select(factor).where(_of(account, "totp"))
            row = connection.execute(query).first()
            step = matching_step(row.secret, code, after=row.used) if row is not None else 0
            if step:
                newer = sa.and_(_of(account, "totp"), factor.c.used < step)
                return bool(
                    connection.execute(factor.update().where(newer).values(used=step)).rowcount
                )
            mine = sa.and_(_of(account, "recovery"), factor.c.id == recovery_digest(account, code))
            return bool(connection.execute(factor.delete().where(mine)).rowcount)

    def reset(self, account: str) -> None:
        """Remove every second factor and recovery code of an account."""
        with self.engine.begin() as connection:
            connection.execute(factor.delete().where(factor.c.account == account))


def matching_step(secret: str, code: str, *, after: int) -> int:
    """The time step whose code this is, later than one that was used; 0 if there is none."""
    totp, now = pyotp.TOTP(secret), now_ms() // STEP_MS
    for step in range(max(now - STEPS_APART, after + 1), now + STEPS_APART + 1):
        if secrets.compare_digest(totp.generate_otp(step).encode(), code.strip().encode()):
            return step
    return 0


def recovery_digest(account: str, code: str) -> str:
    """The digest under which a recovery code is stored."""
    return hashlib.sha256(f"{account} {code.strip().lower()}".encode()).hexdigest()


def _of(account: str, *kinds: Kind) -> sa.ColumnElement[bool]:
    return sa.and_(factor.c.account == account, factor.c.kind.in_(kinds))


def _row(account: str, kind: Kind, id: str, secret: str) -> dict[str, str | int]:
    return {
        "account": account,
        "kind": kind,
        "id": id,
        "secret": secret,
        "used": 0,
        "created": now_ms(),
    }
