"""Endpoints of passkeys: add one to one's own account, and sign in with one."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlsplit

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.errors import BadInput
from croupier.ledger.errors import Excluded
from croupier.server import protocol as msg
from croupier.server.api.own_account_endpoints import (
    BeginTotp,
    OwnAccountEndpoints,
    RecoveryCodes,
    secret_message,
)
from croupier.server.api.session_endpoints import SessionEndpoints, describe_person
from croupier.server.auth.guard import session_token
from croupier.server.auth.passkeys import Site
from croupier.server.auth.sessions import NotAdmitted
from croupier.server.http.endpoint import EndpointGroup, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.request import client_address, read_json


class PasskeyOptions(msgspec.Struct, frozen=True):
    """The options for `navigator.credentials`, and the id under which to answer."""

    id: str
    options: dict[str, Any]


class PasskeyAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The credential of a device, as `toJSON` gives it, for an earlier challenge."""

    id: str
    credential: dict[str, Any]


class PasskeyEndpoints(EndpointGroup):
    """Passkeys, for browsers."""

    @endpoint("POST", "/me/factors/passkey/options", takes=BeginTotp, gives=PasskeyOptions)
    async def passkey_options(self, request: Request) -> Response:
        """Begin to add a passkey to one's own account."""
        message = await secret_message(request, BeginTotp)
        person, site = await self.guard.person(request), self._site(request)
        own = OwnAccountEndpoints(self.server)
        await own.check_present(request, person, message.password, message.code)
        make = self.floor.accounts.passkeys.creation_options
        return json_response(PasskeyOptions(*await asyncio.to_thread(make, person.id, site)))

    @endpoint("POST", "/me/factors/passkey", takes=PasskeyAnswer, gives=RecoveryCodes)
    async def add_passkey(self, request: Request) -> Response:
        """Add the passkey; recovery codes are shown once, with the first second factor."""
        message = await read_json(request, PasskeyAnswer)
        person, site = await self.guard.person(request), self._site(request)
        add = self.floor.accounts.add_passkey
        codes = await asyncio.to_thread(add, person.id, message.id, message.credential, site)
        self.guard.reread(session_token(request))
        return json_response(RecoveryCodes(codes))

    @endpoint("POST", "/session/passkey/options", gives=PasskeyOptions, public=True)
    async def passkey_sign_in_options(self, request: Request) -> Response:
        """Begin to sign in with a passkey."""
        self.guard.limit("sign_ins", client_address(request))
        make = self.floor.accounts.passkeys.request_options
        return json_response(PasskeyOptions(*await asyncio.to_thread(make, self._site(request))))

    @endpoint("POST", "/session/passkey", takes=PasskeyAnswer, gives=msg.Me, public=True)
    async def begin_passkey_session(self, request: Request) -> Response:
        """Sign in with a passkey, which stands for the password and the second factor."""
        address = client_address(request)
        self.guard.limit("sign_ins", address)
        message, site = await read_json(request, PasskeyAnswer), self._site(request)
        identify = self.floor.accounts.identify_passkey
        try:
            person = await asyncio.to_thread(identify, message.id, message.credential, site)
        except NotAdmitted as error:
            self.guard.log_denied("", "sign_in", "passkey")
            await self.floor.sign_ins.note_failure("", address)
            raise Forbidden(str(error)) from None
        except Excluded as error:
            await self.guard.deny(request, "", "sign_in", "excluded")
            raise error
        sessions = SessionEndpoints(self.server)
        token = await sessions.begin(request, person.id)
        response = json_response(describe_person(person))
        sessions.set_cookie(response, token)
        return response

    def _site(self, request: Request) -> Site:
        """Where the browser is, which must be this server."""
        self.guard.check_origin(request)
        origin = request.headers.get("origin", "")
        host = urlsplit(origin).hostname
        if not host:
            raise BadInput("a passkey needs a browser, which sends its origin")
        return Site(origin, host)
