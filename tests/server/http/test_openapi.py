"""The OpenAPI document: complete, resolvable, and true under fuzzing."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from starlette.routing import Route

from croupier.server import Floor
from croupier.server.app import Server
from croupier.server.http.openapi import document, schemas
from croupier.table.core.codec import COMMANDS
from tests.support.floor_server import ServerThread, play, run, serving
from tests.support.server_shift import make_ready

DESCRIBED: dict[str, Any] = json.loads(document(Server.endpoints))
# Endpoints for machines and files; the feed is described in docs/protocol.md.
OTHERS = re.compile("/(health/.*|metrics|openapi.json|schemas/.*|.*feed|.*[.]svg)")
PAGES = {
    "/static/{name}",
    "/",
    "/sign-in",
    "/sign-out",
    "/enter/{token}",
    "/lobby",
    "/play/{table}",
    "/hands/{table}",
    "/shared-hand/{token}",
    "/console/{table}",
    "/pit",
    "/queue",
    "/deal",
    "/rounds/{table}",
    "/wall",
    "/manage",
    "/manage/{id}",
    "/guide/{table}",
    "/report/{table}",
    "/search",
    "/reports",
    "/days",
    "/agreements",
    "/school",
    "/lesson/{id}",
    "/visit",
    "/unlock",
    "/account",
    "/people",
    "/people/{account}",
    "/gaming",
    "/software",
}


def references(value: Any) -> set[str]:
    """Every `$ref` in a document."""
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(references, value.values()))
    return set().union(*map(references, value)) if isinstance(value, list) else set()


def test_references_resolve_and_every_command_is_described() -> None:
    """The schemas are generated from the Structs."""
    known = {f"#/components/schemas/{name}" for name in DESCRIBED["components"]["schemas"]}
    mapping = DESCRIBED["components"]["schemas"]["Command"]["discriminator"]["mapping"]

    assert references(DESCRIBED) <= known
    assert set(COMMANDS) == set(mapping)


def test_every_route_is_described(tmp_path: Path) -> None:
    """A new endpoint is documented, or named here."""
    with serving(tmp_path) as world:
        assert world.server is not None
        routes = [route for route in world.server.routes() if isinstance(route, Route)]
        described = {
            (path, method.upper()) for path, each in DESCRIBED["paths"].items() for method in each
        }
        served = {
            (route.path, method)
            for route in routes
            for method in route.methods or ()
            if method != "HEAD" and route.path not in PAGES and not OTHERS.fullmatch(route.path)
        }
        assert described == served


def test_frames_match_their_schema(tmp_path: Path) -> None:
    """Every frame of a round, against the published JSON Schema."""
    schema = json.loads(schemas()["frame.schema.json"])
    with serving(tmp_path) as world:
        world.open("T", "ultimate_texas_holdem", seed=2)

        async def playing() -> list[dict[str, Any]]:
            async with await world.client("ann") as ann:
                return await play(ann, "T", 2)

        frames = run(playing())
    validator = jsonschema.Draft202012Validator(schema)
    for frame in frames:
        validator.validate(frame)


def test_staff_forms_match_their_schema(tmp_path: Path) -> None:
    """The forms of an attended table, whose fields depend on each other."""
    schema = json.loads(schemas()["frame.schema.json"])
    with serving(tmp_path) as world:
        world.open("T", "ultimate_texas_holdem", service="attended")
        make_ready(world, "T")

        async def snapshots() -> list[dict[str, Any]]:
            states = []
            for name in ("dana", "frank", "petra"):
                async with await world.client(name) as client:
                    states.append(await client.state("T"))
            return states

        frames = run(snapshots())
    steps = [step for frame in frames for step in frame["state"]["steps"].values()]
    forms = {form["form"] for step in steps for form in step["fields"].values()}
    validator = jsonschema.Draft202012Validator(schema)

    assert {"limits", "outside_limits", "exchange"} <= forms
    for frame in frames:
        validator.validate(frame)


PEOPLE = ("ann", "dana", "petra", "sam", "nobody")
TABLES = ("T", "A", "nowhere")


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server with a practice table and an attended table."""
    with serving(Path(tmp_path_factory.mktemp("fuzzed"))) as world:
        world.open("T", "top_five", seed=1)
        world.open("A", "ultimate_texas_holdem", service="attended")
        make_ready(world, "A")
        yield world


@pytest.fixture(scope="module")
def headers(fuzzed: ServerThread) -> list[dict[str, str]]:
    """The credentials of each person."""

    async def sign_in() -> list[str]:
        tokens = []
        for name in PEOPLE:
            async with await fuzzed.client(name) as client:
                tokens.append(client.token)
        return tokens

    return [{"authorization": f"Bearer {token}"} for token in run(sign_in())]


OPERATIONS = [
    f"{method.upper()} {path}" for path, methods in DESCRIBED["paths"].items() for method in methods
]


@cache
def operations() -> dict[str, Any]:
    """Every operation as Schemathesis reads it, loaded on first use."""
    import schemathesis

    loaded: Any = schemathesis.openapi.from_dict(DESCRIBED)
    parsed = [each.ok() for each in loaded.get_all_operations()]
    return {f"{each.method.upper()} {each.path}": each for each in parsed}


def test_every_operation_is_fuzzed() -> None:
    """The parameters below are the operations that Schemathesis finds."""
    assert list(operations()) == OPERATIONS


def all_tables(world: ServerThread) -> dict[str, Any]:
    """The last entry and the state of every table."""

    async def read(floor: Floor) -> dict[str, Any]:
        return {
            name: (host.recorded_table.sequence, repr(host.table.state()))
            for name, host in floor.table_hosts.items()
            if not host.is_private  # its bot commits to a deck in the background
        }

    return world.within(read)


FUZZING = settings(
    max_examples=6,
    deadline=None,
    database=None,
    derandomize=True,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)
EVERY_OPERATION = pytest.mark.parametrize("name", OPERATIONS)


@EVERY_OPERATION
def test_valid_requests_get_documented_statuses(
    fuzzed: ServerThread, headers: list[dict[str, str]], name: str
) -> None:
    """Valid requests of several people at several tables; a failed request changes nothing."""
    operation, counter = operations()[name], count()

    @FUZZING
    @given(case=operation.as_strategy())
    def fuzz(case: Any) -> None:
        number = next(counter)
        if "table" in (case.path_parameters or {}):
            case.path_parameters["table"] = TABLES[number % len(TABLES)]
        before = all_tables(fuzzed)
        shown = headers[number % len(headers)]
        response = case.call(base_url=fuzzed.address, headers=shown)
        assert str(response.status_code) in operation.definition.raw["responses"], response.text
        if response.status_code >= 400:
            assert before == all_tables(fuzzed)

    fuzz()


@EVERY_OPERATION
def test_invalid_requests_are_rejected_and_change_nothing(
    fuzzed: ServerThread, headers: list[dict[str, str]], name: str
) -> None:
    """Wrong types, missing and unknown fields, strange headers never cause an internal error."""
    from schemathesis import GenerationMode

    operation, counter = operations()[name], count()

    @FUZZING
    @given(case=operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))
    def fuzz(case: Any) -> None:
        number = next(counter)
        before = all_tables(fuzzed)
        shown = {**dict(case.headers or {}), **headers[number % len(headers)]}
        response = case.call(base_url=fuzzed.address, headers=shown)
        assert response.status_code < 500, response.text
        if response.status_code >= 400:
            assert before == all_tables(fuzzed)

    try:
        fuzz()
    except Unsatisfiable:
        pytest.skip("every request is valid")
