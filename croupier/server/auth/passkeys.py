"""Passkeys (WebAuthn): a device that its owner unlocks; at a sign-in it stands for both factors.

The library is imported where it is used, because importing it is slow and most servers never do.
"""

from __future__ import annotations

import json
import secrets
import time
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from croupier.clock import now_ms
from croupier.errors import BadInput
from croupier.server.auth.second_factor import ISSUER, factor
from croupier.server.auth.sessions import NotAdmitted

VALID_SECONDS = 300.0  # for an answer to a challenge
CHALLENGES_MAX = 1_000  # in memory; the oldest are dropped
PASSKEYS_MAX = 10  # of one account


class Site(NamedTuple):
    """Where the browser is: its origin, and the host name that passkeys belong to."""

    origin: str
    host: str


class Challenge(NamedTuple):
    """What a device has to sign, for an account or, at a sign-in, for any."""

    text: bytes
    account: str
    until: float


class Passkeys:
    """The passkeys in an accounts database, and the challenges of one server. Methods block."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._challenges: dict[str, Challenge] = {}

    def creation_options(self, account: str, site: Site) -> tuple[str, dict[str, Any]]:
        """The id of a challenge, and the options for a new passkey."""
        import webauthn
        from webauthn.helpers import base64url_to_bytes
        from webauthn.helpers import structs as wa

        query = sa.select(factor.c.id).filter_by(account=account, kind="passkey")
        with self.engine.connect() as connection:
            known = connection.execute(query).scalars().all()
        if len(known) >= PASSKEYS_MAX:
            raise BadInput(f"an account has at most {PASSKEYS_MAX} passkeys")
        options = webauthn.generate_registration_options(
            rp_id=site.host,
            rp_name=ISSUER,
            user_name=account,
            user_id=account.encode()[:64],
            authenticator_selection=wa.AuthenticatorSelectionCriteria(
                resident_key=wa.ResidentKeyRequirement.REQUIRED,
                user_verification=wa.UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[
                wa.PublicKeyCredentialDescriptor(id=base64url_to_bytes(id)) for id in known
            ],
        )
        return self._keep(options.challenge, account), json.loads(webauthn.options_to_json(options))

    def add(self, account: str, id: str, credential: dict[str, Any], site: Site) -> None:
        """Store a new passkey of an account; BadInput if it does not answer the challenge."""
        import webauthn
        from webauthn.helpers import bytes_to_base64url
        from webauthn.helpers.exceptions import WebAuthnException

        challenge = self._take(id)
        try:
            if challenge is None or challenge.account != account:
                raise ValueError("no such challenge")
            verified = webauthn.verify_registration_response(
                credential=credential,
                expected_challenge=challenge.text,
                expected_rp_id=site.host,
                expected_origin=site.origin,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError, KeyError, TypeError):
            raise BadInput("the passkey could not be verified; try again") from None
        row = {
            "account": account,
            "kind": "passkey",
            "id": bytes_to_base64url(verified.credential_id),
            "secret": bytes_to_base64url(verified.credential_public_key),
            "used": verified.sign_count,
            "created": now_ms(),
        }
        with self.engine.begin() as connection:
            connection.execute(factor.insert().values(**row))

    def request_options(self, site: Site) -> tuple[str, dict[str, Any]]:
        """The id of a challenge, and the options for a sign-in with any passkey of this site."""
        import webauthn
        from webauthn.helpers.structs import UserVerificationRequirement

        options = webauthn.generate_authentication_options(
            rp_id=site.host, user_verification=UserVerificationRequirement.REQUIRED
        )
        return self._keep(options.challenge, ""), json.loads(webauthn.options_to_json(options))

    def verify(self, id: str, credential: dict[str, Any], site: Site) -> str:
        """The account whose passkey answers the challenge; raises NotAdmitted."""
        import webauthn
        from webauthn.helpers import base64url_to_bytes
        from webauthn.helpers.exceptions import WebAuthnException

        challenge = self._take(id)
        try:
            if challenge is None or challenge.account:
                raise ValueError("no such challenge")
            key = sa.and_(factor.c.kind == "passkey", factor.c.id == str(credential["id"]))
            with self.engine.connect() as connection:
                row = connection.execute(sa.select(factor).where(key)).first()
            if row is None:
                raise ValueError("no such passkey")
            verified = webauthn.verify_authentication_response(
                credential=credential,
                expected_challenge=challenge.text,
                expected_rp_id=site.host,
                expected_origin=site.origin,
                credential_public_key=base64url_to_bytes(row.secret),
                credential_current_sign_count=row.used,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError, KeyError, TypeError):
            raise NotAdmitted(
                "this passkey is not known here; sign in with your password"
            ) from None
        with self.engine.begin() as connection:
            count = factor.update().where(key).values(used=verified.new_sign_count)
            connection.execute(count)
        account: str = row.account
        return account

    def _keep(self, text: bytes, account: str) -> str:
        id, moment = secrets.token_urlsafe(16), time.monotonic()
        fresh = {key: each for key, each in self._challenges.items() if each.until > moment}
        newest = list(fresh.items())[-(CHALLENGES_MAX - 1) :]
        self._challenges = {**dict(newest), id: Challenge(text, account, moment + VALID_SECONDS)}
        return id

    def _take(self, id: str) -> Challenge | None:
        """A challenge, which can be answered once."""
        challenge = self._challenges.pop(id, None)
        return challenge if challenge is not None and challenge.until > time.monotonic() else None
