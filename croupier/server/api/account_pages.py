"""Pages about accounts: unlock a screen, one's own account, the people of the property."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from croupier.errors import BadInput, CroupierError
from croupier.ledger.aggregates.account_state import GRANTABLE
from croupier.ledger.errors import utc_minute
from croupier.server.api.own_account_endpoints import OwnAccountEndpoints
from croupier.server.api.page_endpoints import PageEndpoints, is_own_path, page, refuse, render
from croupier.server.api.people_endpoints import (
    ACTIONS,
    PeopleEndpoints,
    read_change,
    reads_accounts,
)
from croupier.server.auth.guard import session_token
from croupier.server.auth.person import Person
from croupier.server.auth.second_factor import TotpSetup
from croupier.server.http.endpoint import endpoint
from croupier.server.http.errors import http_status
from croupier.table.core.roles import PROPERTY_OFFICES

if TYPE_CHECKING:
    from croupier.server.app import Server


class AccountPages(PageEndpoints):
    """Pages that work without scripts."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self.own_account = OwnAccountEndpoints(server)
        self.accounts = PeopleEndpoints(server)

    @endpoint("GET POST", "/unlock", documented=False)
    async def unlock(self, request: Request) -> Response:
        """Unlock a session, or take over the screen by PIN; works without scripts."""
        fields = (await self._form_fields(request) or {}) if request.method == "POST" else {}
        get = {name: values[0] for name, values in fields.items()}.get
        then = get("then") or request.query_params.get("then", "")
        token = session_token(request)
        person = await asyncio.to_thread(self.floor.accounts.locked_person, token)
        if person is None:
            return RedirectResponse(then if is_own_path(then) else "/", 303)
        problem, status = "", 200
        try:
            if get("secret"):
                await self.own_account.unlock(request, get("secret", ""))
                return self._redirect_with_session(token, then)
            if get("name"):
                name, pin = get("name", ""), get("pin", "")
                _, token = await self.own_account.relief(request, name, pin)
                return self._redirect_with_session(token, then)
        except CroupierError as error:
            problem, status = str(error), http_status(error)
        return render(
            "unlock.html",
            status,
            account=person.id,
            serves=person.serves,
            problem=problem,
            then=then,
        )

    @page("/account", "GET POST")
    async def account(self, request: Request, person: Person) -> Response:
        """One's own password and PIN; works without scripts."""
        fields = (await self._form_fields(request) or {}) if request.method == "POST" else {}
        get = {name: values[0] for name, values in fields.items()}.get
        password, problem, done, status = get("password", ""), "", "", 200
        setup: TotpSetup | None = None
        codes: tuple[str, ...] = ()
        try:
            if get("app") == "begin":
                setup = await self.own_account.new_totp(request, person, password, get("code", ""))
            elif get("app") == "confirm":
                codes = await self.own_account.confirm(request, person, get("code", ""))
                done = "The authenticator app is in use."
            elif get("pin"):
                await self.own_account.new_pin(request, person, password, get("pin", ""))
                done = "The PIN is set."
            elif get("new_password"):
                if get("new_password") != get("again"):
                    raise BadInput("The two new passwords differ.")
                new = get("new_password", "")
                await self.own_account.new_password(request, person, password, new)
                return self._sign_in_page("The password is changed. Sign in again.", person.id)
        except CroupierError as error:
            problem, status = str(error), http_status(error)
        has_password = await asyncio.to_thread(self.floor.accounts.has_password, person.id)
        values: dict[str, Any] = {"problem": problem, "done": done, "setup": setup, "codes": codes}
        values |= {"has_password": has_password}
        return render("account.html", status, person=person, **values)

    @page("/people", "GET POST")
    async def people(self, request: Request, person: Person) -> Response:
        """Every account with its roles, state and times."""
        if not reads_accounts(person):
            return refuse(person, "You may not see the accounts.")
        problem, status, result = "", 200, None
        try:
            if request.method == "POST":
                fields = await self._form_fields(request) or {}
                values = {name: each[0].strip() for name, each in fields.items()}
                key, command = secrets.token_hex(12), read_change(values)
                result = await self.accounts.change(request, key, command)
        except CroupierError as error:
            problem, status = str(error), http_status(error)
        return render(
            "people.html",
            status,
            person=person,
            accounts=await self.accounts.accounts(request),
            may_change="operator" in person.offices,
            actions=ACTIONS,
            roles=(*GRANTABLE, *PROPERTY_OFFICES),
            problem=problem,
            result=result,
            time=utc_text,
        )

    @page("/people/{account}", "GET POST")
    async def person_history(self, request: Request, person: Person) -> Response:
        """The history of one account; operators lock it here."""
        if not reads_accounts(person):
            return refuse(person, "You may not see the accounts.")
        account, problem, status = request.path_params["account"], "", 200
        try:
            if request.method == "POST":
                fields = await self._form_fields(request) or {}
                await self.accounts.lock(request, account, fields.get("reason", [""])[0])
        except CroupierError as error:
            problem, status = str(error), http_status(error)
        return render(
            "person_history.html",
            status,
            person=person,
            history=await self.accounts.history(request, account),
            may_lock="operator" in person.offices and person.id != account,
            problem=problem,
            time=utc_text,
        )


def utc_text(at: int) -> str:
    """A time in a page; empty for 0."""
    return utc_minute(at) if at else ""
