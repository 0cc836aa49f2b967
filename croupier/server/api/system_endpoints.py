"""Endpoints about the server: health, version, self-check, metrics, OpenAPI, JSON Schemas."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from croupier import __version__
from croupier.errors import CroupierError
from croupier.ledger import entry_codec
from croupier.ledger.aggregates.administration import STREAM, ClockNoted, SelfCheckNoted
from croupier.ledger.errors import utc_minute
from croupier.server import protocol as msg
from croupier.server.api.page_endpoints import PageEndpoints, page, refuse, render
from croupier.server.auth.person import EVERY_TABLE, Person
from croupier.server.http.endpoint import EndpointGroup, endpoint
from croupier.server.http.errors import Forbidden, http_status, json_response
from croupier.server.http.openapi import document, schemas
from croupier.software_identity import SelfCheck, commit, self_check

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

CHECKERS = ("operator", "audit", "commission")  # who verifies the software on demand
NOTES_MAX = 200  # entries of the office that are read for the last results


class SoftwareRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A self-check on record, and when it was made."""

    at: int
    version: str
    digest: str
    verified: bool
    problems: tuple[str, ...]


class ClockRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the clock on record, and when it was read."""

    at: int
    synchronized: bool | None
    offset_ms: int | None


class SoftwareState(msgspec.Struct, frozen=True, kw_only=True):
    """The software of this server, the results on record, newest first, and the clock."""

    software: SelfCheck
    checks: tuple[SoftwareRecord, ...]
    clock: ClockRecord | None


class SystemEndpoints(EndpointGroup):
    """Health, metrics and the description of the protocol."""

    @endpoint("GET", "/health/live", documented=False)
    async def live(self, request: Request) -> Response:
        """Liveness: the process responds."""
        return json_response({"live": True})

    @endpoint("GET", "/health/ready", documented=False)
    async def ready(self, request: Request) -> Response:
        """Readiness: the tables are open, and this server can write and read the ledger."""
        ready = self.floor.ready
        return json_response({"ready": ready}, 200 if ready else 503)

    @endpoint("GET", "/version", gives=msg.SoftwareVersion, public=True)
    async def version(self, request: Request) -> Response:
        """The version of the software, and whether its files are those of the release."""
        last = self.server.software.last
        return json_response(
            msg.SoftwareVersion(
                version=__version__,
                commit=commit(),
                protocol=msg.PROTOCOL,
                digest=last.digest if last is not None else "",
                verified=last.ok if last is not None else None,
            )
        )

    @endpoint("GET", "/metrics", documented=False)
    async def metrics(self, request: Request) -> Response:
        """Metrics in the text format of Prometheus."""
        if not self.guard.may_read_metrics(request):
            raise Forbidden("metrics are not available to this address")
        return Response(self.server.metrics.text(), media_type="text/plain; version=0.0.4")

    @endpoint("GET", "/openapi.json", documented=False)
    async def openapi(self, request: Request) -> Response:
        """The OpenAPI document."""
        return Response(document(self.server.endpoints), media_type="application/json")

    @endpoint("GET", "/schemas/{name}", documented=False)
    async def schema(self, request: Request) -> Response:
        """One JSON Schema."""
        schema = schemas().get(request.path_params["name"])
        if schema is None:
            raise HTTPException(404)
        return Response(schema, media_type="application/json")


class SoftwareEndpoints(PageEndpoints):
    """The self-check of the software, for operators, auditors and the regulator."""

    @endpoint("GET", "/software/checks", gives=SoftwareState, errors="403", cost=10)
    async def software_state(self, request: Request) -> Response:
        """The software of this server, and the last results on record."""
        await self._check_reader(request)
        return json_response(await self.state())

    @endpoint("POST", "/software/checks", gives=SoftwareState, errors="403")
    async def check_software(self, request: Request) -> Response:
        """Compare the installed files with the manifest now, and record the result."""
        await self.check(request)
        return json_response(await self.state())

    @page("/software", "GET POST")
    async def software(self, request: Request, person: Person) -> Response:
        """The self-check of the software; works without scripts."""
        if not checks_software(person):
            return refuse(person, "You may not check the software.")
        problem, status = "", 200
        try:
            if request.method == "POST":
                await self._form_fields(request)
                await self.check(request)
        except CroupierError as error:
            problem, status = str(error), http_status(error)
        return render(
            "software.html",
            status,
            person=person,
            state=await self.state(),
            problem=problem,
            time=utc_minute,
        )

    async def check(self, connection: HTTPConnection) -> None:
        """Check the software for a person who may."""
        person = await self._check_reader(connection)
        self.guard.limit("commands", person.id)
        await self.server.software.check()

    async def state(self) -> SoftwareState:
        """The last self-check of this server, or a new one if there was none, and the record."""
        last = self.server.software.last
        software = last if last is not None else await asyncio.to_thread(self_check)
        return await asyncio.to_thread(self._read_record, software)

    def _read_record(self, software: SelfCheck) -> SoftwareState:
        store = self.floor.ledger.store
        last = store.stream_tip(STREAM)[0]
        checks: list[SoftwareRecord] = []
        clock = None
        for stored in store.read(STREAM, after=max(0, last - NOTES_MAX)):
            recorded = entry_codec.decode_entry(stored)
            match recorded.events[0]:
                case SelfCheckNoted() as noted:
                    checks.insert(
                        0,
                        SoftwareRecord(
                            at=recorded.at,
                            version=noted.version,
                            digest=noted.digest,
                            verified=noted.verified,
                            problems=noted.problems,
                        ),
                    )
                case ClockNoted() as noted:
                    clock = ClockRecord(
                        at=recorded.at,
                        synchronized=noted.synchronized,
                        offset_ms=noted.offset_ms,
                    )
        return SoftwareState(software=software, checks=tuple(checks), clock=clock)

    async def _check_reader(self, connection: HTTPConnection) -> Person:
        person = await self.guard.person(connection)
        if not checks_software(person):
            await self.guard.deny(connection, person.id, "check the software", "no such role")
            raise Forbidden(f"{person.id} is not {' or '.join(CHECKERS)}")
        return person


def checks_software(person: Person) -> bool:
    """Whether a person may see and start self-checks."""
    return any(role in CHECKERS for role in (*person.offices, *person.roles_at(EVERY_TABLE)))
