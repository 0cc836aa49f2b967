"""Session endpoints: sign in with a browser or a program, sign out, and who is signed in."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from croupier.errors import BadInput
from croupier.ledger.errors import Excluded
from croupier.server import protocol as msg
from croupier.server.auth.guard import SESSION_COOKIE, session_token
from croupier.server.auth.guess_limit import Locked
from croupier.server.auth.person import Person
from croupier.server.auth.second_factor import SecondFactorNeeded
from croupier.server.auth.sessions import NotAdmitted
from croupier.server.http.endpoint import EndpointGroup, endpoint
from croupier.server.http.errors import NotSignedIn, TooManyRequests, json_response
from croupier.server.http.request import client_address, decode, read_body

Result = TypeVar("Result")


class SessionEndpoints(EndpointGroup):
    """Sessions and tokens."""

    @endpoint("POST", "/session", takes=msg.SignIn, gives=msg.Me, public=True)
    async def begin_session(self, request: Request) -> Response:
        """Sign in with a browser: the token is set as a cookie that scripts cannot read."""
        self.guard.check_origin(request)
        person, token = await self._sign_in(request)
        response = json_response(describe_person(person))
        self.set_cookie(response, token)
        return response

    @endpoint("DELETE", "/session", status=204, errors="403")
    async def end_session(self, request: Request) -> Response:
        """Sign out."""
        await self.sign_out(request)
        response = Response(status_code=204)
        response.delete_cookie(SESSION_COOKIE, path="/")
        return response

    @endpoint("POST", "/tokens", takes=msg.SignIn, gives=msg.Token, public=True)
    async def begin_token(self, request: Request) -> Response:
        """Sign in with a program: the response has the bearer token, once."""
        person, token = await self._sign_in(request)
        return json_response(msg.Token(person.id, token))

    @endpoint("GET", "/me", gives=msg.Me)
    async def me(self, request: Request) -> Response:
        """The person who is signed in."""
        return json_response(describe_person(await self.guard.person(request)))

    async def _sign_in(self, request: Request) -> tuple[Person, str]:
        body = await read_body(request)
        try:
            message: msg.SignIn = decode(body, msg.SignIn)
        except BadInput:  # its details could quote the password
            raise BadInput("a name and a password are expected") from None
        return await self.sign_in(request, message.name, message.password, message.code)

    async def sign_in(
        self, connection: HTTPConnection, name: str, password: str, code: str = ""
    ) -> tuple[Person, str]:
        """The person and the token of a new session; a failed attempt is recorded."""
        identify = self.floor.accounts.identify
        with_password = self._check(
            connection, name, lambda address: identify(name, password, address, code)
        )
        person = await self.deny_excluded(connection, name, with_password)
        return person, await self.begin(connection, person.id)

    async def check_link(
        self, connection: HTTPConnection, account: str, factor: str, *, matches: bool
    ) -> None:
        """Check the codes for a sign-in link; a failed attempt is recorded."""
        check = partial(self.floor.accounts.check_link, account, factor, matches)
        await self._check(connection, account, check)

    async def _check(
        self, connection: HTTPConnection, name: str, check: Callable[[str], Result]
    ) -> Result:
        address = client_address(connection)
        self.guard.limit("sign_ins", address)
        try:
            return await self.server.passwords.run(address, check, address)
        except (NotAdmitted, SecondFactorNeeded) as error:
            self.guard.log_denied(name, "sign_in", type(error).__name__)
            await self.floor.sign_ins.note_failure(name, address)
            if isinstance(error, Locked):
                raise TooManyRequests(str(error)) from None
            raise NotSignedIn(str(error)) from None

    async def begin(self, connection: HTTPConnection, account: str) -> str:
        """Begin a session, on record before its token is handed out; not for the excluded."""
        accounts = self.floor.accounts
        check = asyncio.to_thread(accounts.check_not_excluded, account)
        await self.deny_excluded(connection, account, check)
        await self.floor.sign_ins.note_sign_in(account, client_address(connection))
        return await asyncio.to_thread(accounts.begin, account)

    async def deny_excluded(
        self, connection: HTTPConnection, name: str, work: Awaitable[Result]
    ) -> Result:
        """The result of a sign-in; that of an excluded person is recorded as denied."""
        try:
            return await work
        except Excluded as error:
            await self.guard.deny(connection, name, "sign_in", "excluded")
            raise error

    async def sign_out(self, connection: HTTPConnection) -> None:
        """End the session of a request."""
        token = session_token(connection)
        person = await self.guard.person(connection)
        await self.floor.sign_ins.note_sign_out(person.id, client_address(connection))
        await asyncio.to_thread(self.floor.accounts.end, token)
        self.guard.forget(token)

    def set_cookie(self, response: Response, token: str) -> None:
        """Set the session cookie, which scripts cannot read and other sites cannot send."""
        response.set_cookie(
            SESSION_COOKIE,
            token,
            path="/",
            httponly=True,
            samesite="strict",
            secure=self.server.settings.secure,
        )


def describe_person(person: Person) -> msg.Me:
    """The signed-in account as clients see it."""
    return msg.Me(
        account=person.id,
        roles=person.roles,
        offices=person.offices,
        must_enroll=person.must_enroll,
    )
