"""Endpoints of a person's own account: unlock, relieve a dealer, password, PIN, second factors."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlsplit

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from croupier.errors import BadInput
from croupier.server import protocol as msg
from croupier.server.api.session_endpoints import SessionEndpoints, describe_person
from croupier.server.auth.guard import SESSION_COOKIE, session_token
from croupier.server.auth.guess_limit import Locked
from croupier.server.auth.passkeys import Site
from croupier.server.auth.person import Person
from croupier.server.auth.second_factor import SecondFactorNeeded, TotpSetup
from croupier.server.auth.sessions import NotAdmitted
from croupier.server.http.endpoint import EndpointGroup, endpoint
from croupier.server.http.errors import Forbidden, TooManyRequests, json_response
from croupier.server.http.request import client_address, decode, read_body, read_json


class Unlock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The password or PIN of the person whose session is locked."""

    secret: str


class Relief(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The person who takes over a console, and their PIN."""

    name: str
    pin: str


class NewPassword(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The present password of a person, if there is one, and the new one."""

    password: str = ""
    new_password: str


class NewPin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The password of a person, and a new PIN."""

    password: str
    pin: str


class BeginTotp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The password of a person, and a code if they have a second factor already."""

    password: str
    code: str = ""


class TotpSecret(msgspec.Struct, frozen=True):
    """The secret for an authenticator app, and the same as an address for a QR code."""

    secret: str
    uri: str


class ConfirmTotp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The code that the app shows."""

    code: str


class RecoveryCodes(msgspec.Struct, frozen=True):
    """Codes that replace the second factor, once each."""

    codes: tuple[str, ...]


class OwnAccountEndpoints(EndpointGroup):
    """What people do with their own account."""

    @endpoint("POST", "/session/unlock", takes=Unlock, gives=msg.Me)
    async def unlock_session(self, request: Request) -> Response:
        """Unlock a session that was idle for too long."""
        message = await secret_message(request, Unlock)
        person = await self.unlock(request, message.secret)
        return json_response(describe_person(person))

    @endpoint("POST", "/session/relief", takes=Relief, gives=msg.Me)
    async def relieve(self, request: Request) -> Response:
        """Take over a staff console by PIN: its session ends, and the next person's begins."""
        message = await secret_message(request, Relief)
        person, token = await self.relief(request, message.name, message.pin)
        response = json_response(describe_person(person))
        SessionEndpoints(self.server).set_cookie(response, token)
        return response

    @endpoint("POST", "/me/password", takes=NewPassword, status=204)
    async def change_password(self, request: Request) -> Response:
        """Change one's own password, which ends every session of the account."""
        message = await secret_message(request, NewPassword)
        person = await self.guard.person(request)
        await self.new_password(request, person, message.password, message.new_password)
        response = Response(status_code=204)
        response.delete_cookie(SESSION_COOKIE, path="/")
        return response

    @endpoint("POST", "/me/pin", takes=NewPin, status=204)
    async def set_pin(self, request: Request) -> Response:
        """Choose one's own PIN, which unlocks a session and relieves a dealer."""
        message = await secret_message(request, NewPin)
        person = await self.guard.person(request)
        await self.new_pin(request, person, message.password, message.pin)
        return Response(status_code=204)

    @endpoint("POST", "/me/factors/totp", takes=BeginTotp, gives=TotpSecret)
    async def begin_totp(self, request: Request) -> Response:
        """Begin to add an authenticator app; the secret is shown once."""
        message = await secret_message(request, BeginTotp)
        person = await self.guard.person(request)
        setup = await self.new_totp(request, person, message.password, message.code)
        return json_response(TotpSecret(setup.secret, setup.uri))

    @endpoint("POST", "/me/factors/totp/confirmation", takes=ConfirmTotp, gives=RecoveryCodes)
    async def confirm_totp(self, request: Request) -> Response:
        """Put the authenticator app to use with its first code; recovery codes are shown once."""
        message = await secret_message(request, ConfirmTotp)
        person = await self.guard.person(request)
        return json_response(RecoveryCodes(await self.confirm(request, person, message.code)))

    # The same for pages

    async def check_present(
        self, connection: HTTPConnection, person: Person, password: str, code: str
    ) -> None:
        """Check the password, and the code if there is a second factor, of who is signed in."""
        _, address = self._checked(connection)
        check = self.floor.accounts.check_present
        try:
            await self.server.passwords.run(address, check, person.id, password, address, code)
        except NotAdmitted as error:
            raise await self._failed(person.id, address, error) from None
        except SecondFactorNeeded as error:
            raise Forbidden(str(error)) from None

    async def new_totp(
        self, connection: HTTPConnection, person: Person, password: str, code: str
    ) -> TotpSetup:
        """A new secret for the person who is signed in."""
        await self.check_present(connection, person, password, code)
        return await asyncio.to_thread(self.floor.accounts.factors.begin_totp, person.id)

    async def confirm(
        self, connection: HTTPConnection, person: Person, code: str
    ) -> tuple[str, ...]:
        """Put the new secret to use; the person has all roles from the next request."""
        token, _ = self._checked(connection)
        codes = await asyncio.to_thread(self.floor.accounts.confirm_totp, person.id, code)
        self.guard.reread(token)
        return codes

    async def unlock(self, connection: HTTPConnection, secret: str) -> Person:
        """Unlock the session of a request; a failed attempt is counted."""
        token, address = self._checked(connection)
        person = await asyncio.to_thread(self.floor.accounts.locked_person, token)
        name = person.id if person is not None else ""
        try:
            return await self.server.passwords.run(
                address, self.floor.accounts.unlock, token, secret, address
            )
        except NotAdmitted as error:
            raise await self._failed(name, address, error) from None

    async def relief(self, connection: HTTPConnection, name: str, pin: str) -> tuple[Person, str]:
        """Replace the session of a console; both changes are recorded."""
        token, address = self._checked(connection)
        accounts = self.floor.accounts
        try:
            before = await asyncio.to_thread(accounts.person_at_console, token)
            relieve = self.server.passwords.run(
                address, accounts.relieve, token, name, pin, address
            )
            sessions = SessionEndpoints(self.server)
            person, new = await sessions.deny_excluded(connection, name, relieve)
        except NotAdmitted as error:
            raise await self._failed(name, address, error) from None
        self.guard.forget(token)
        await self.floor.sign_ins.note_sign_out(before.id, address)
        await self.floor.sign_ins.note_sign_in(person.id, address)
        return person, new

    async def new_password(
        self, connection: HTTPConnection, person: Person, password: str, new: str
    ) -> None:
        """Change the password of the person who is signed in."""
        token, address = self._checked(connection)
        accounts = self.floor.accounts
        try:
            if await asyncio.to_thread(accounts.has_password, person.id):
                change = accounts.change_password
                await self.server.passwords.run(address, change, person.id, password, new, address)
            else:
                await self.server.passwords.run(address, accounts.choose_password, person.id, new)
        except NotAdmitted as error:
            raise await self._failed(person.id, address, error) from None
        self.guard.forget(token)

    async def new_pin(
        self, connection: HTTPConnection, person: Person, password: str, pin: str
    ) -> None:
        """Set the PIN of the person who is signed in."""
        _, address = self._checked(connection)
        set_pin = self.floor.accounts.set_pin
        try:
            await self.server.passwords.run(address, set_pin, person.id, password, pin, address)
        except NotAdmitted as error:
            raise await self._failed(person.id, address, error) from None

    def _checked(self, connection: HTTPConnection) -> tuple[str, str]:
        """The token and address of an attempt, within the limit of sign-ins."""
        address = client_address(connection)
        self.guard.limit("sign_ins", address)
        if connection.cookies.get(SESSION_COOKIE):
            self.guard.check_origin(connection)
        return session_token(connection), address

    async def _failed(self, name: str, address: str, error: NotAdmitted) -> Exception:
        """The error of a failed attempt, which is counted on record."""
        self.guard.log_denied(name, "sign_in", type(error).__name__)
        await self.floor.sign_ins.note_failure(name, address)
        if isinstance(error, Locked):
            return TooManyRequests(str(error))
        return Forbidden(str(error))


async def secret_message(request: Request, kind: type[Any]) -> Any:
    """A message whose errors must not quote it, because it has a password."""
    body = await read_body(request)
    try:
        return decode(body, kind)
    except BadInput:
        names = ", ".join(field.name for field in msgspec.structs.fields(kind))
        raise BadInput(f"expected the fields {names}") from None


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
