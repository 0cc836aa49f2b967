"""Endpoints about the server itself: health, metrics, OpenAPI, JSON Schemas."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from croupier import __version__
from croupier.server import protocol as msg
from croupier.server.http.endpoint import EndpointGroup, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.openapi import document, schemas


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
