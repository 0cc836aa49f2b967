"""The description of the protocol: complete, resolvable, and kept under fuzzing."""

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
from croupier.server.http.openapi import document, schemas
from croupier.table.core.codec import COMMANDS
from tests.support.floor_server import ServerThread, play, run, serving
from tests.support.server_shift import make_ready

DESCRIBED: dict[str, Any] = json.loads(document())
# Pages and what machines look at; the feed is described in words, it is a socket.
OTHERS = re.compile("/(health/.*|metrics|openapi.json|schemas/.*|.*feed|.*[.]svg|web.*)")
PAGES = {
    "/",
    "/sign-in",
    "/sign-out",
    "/enter/{token}",
    "/lobby",
    "/play/{table}",
    "/console/{table}",
    "/pit",
    "/wall",
    "/manage",
    "/manage/{id}",
    "/guide/{table}",
    "/report/{table}",
    "/agreements",
    "/school",
    "/lesson/{id}",
    "/visit",
}


def references(value: Any) -> set[str]:
    """Every reference within a document."""
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(references, value.values()))
    return set().union(*map(references, value)) if isinstance(value, list) else set()


def test_every_reference_leads_somewhere_and_every_command_is_described() -> None:
    """Made from the Structs, so that nothing is written twice."""
    known = {f"#/components/schemas/{name}" for name in DESCRIBED["components"]["schemas"]}
    mapping = DESCRIBED["components"]["schemas"]["Command"]["discriminator"]["mapping"]

    assert references(DESCRIBED) <= known
    assert set(COMMANDS) == set(mapping)


def test_every_address_of_the_server_is_described(tmp_path: Path) -> None:
    """A new endpoint must be documented, or named here."""
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


def test_frames_are_as_their_schema_says(tmp_path: Path) -> None:
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


def test_the_forms_of_a_floor_are_as_their_schema_says(tmp_path: Path) -> None:
    """Those of a table that people serve too, whose fields depend on each other."""
    schema = json.loads(schemas()["frame.schema.json"])
    with serving(tmp_path) as world:
        world.open("T", "ultimate_texas_holdem", service="attended")
        make_ready(world, "T")

        async def looking() -> list[dict[str, Any]]:
            found = []
            for name in ("dana", "frank", "petra"):
                async with await world.client(name) as client:
                    found.append(await client.state("T"))
            return found

        frames = run(looking())
    steps = [step for frame in frames for step in frame["state"]["steps"]]
    forms = {form["form"] for step in steps for form in step["fields"].values()}
    validator = jsonschema.Draft202012Validator(schema)

    assert {"limits", "outside_limits", "exchange"} <= forms
    for frame in frames:
        validator.validate(frame)


PEOPLE = ("ann", "dana", "petra", "sam", "nobody")
TABLES = ("T", "A", "nowhere")


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server with a practice table and one that people serve."""
    with serving(Path(tmp_path_factory.mktemp("fuzzed"))) as world:
        world.open("T", "top_five", seed=1)
        world.open("A", "ultimate_texas_holdem", service="attended")
        make_ready(world, "A")
        yield world


@pytest.fixture(scope="module")
def headers(fuzzed: ServerThread) -> list[dict[str, str]]:
    """What each of the people shows."""

    async def tokens() -> list[str]:
        found = []
        for name in PEOPLE:
            async with await fuzzed.client(name) as client:
                found.append(client.token)
        return found

    return [{"authorization": f"Bearer {token}"} for token in run(tokens())]


OPERATIONS = [
    f"{method.upper()} {path}" for path, methods in DESCRIBED["paths"].items() for method in methods
]


@cache
def operations() -> dict[str, Any]:
    """Every operation of the description, as Schemathesis reads it: whoever asks loads it."""
    import schemathesis

    loaded: Any = schemathesis.openapi.from_dict(DESCRIBED)
    found = [each.ok() for each in loaded.get_all_operations()]
    return {f"{each.method.upper()} {each.path}": each for each in found}


def test_every_operation_is_tried() -> None:
    """Those that are tried below are those that Schemathesis finds."""
    assert list(operations()) == OPERATIONS


def everything(world: ServerThread) -> dict[str, Any]:
    """What the record has of every table, and what each has come to."""

    async def looking(floor: Floor) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, desk in floor.table_hosts.items():
            found[name] = (desk.recorded_table.sequence, repr(desk.table.state()))
        return found

    return world.within(looking)


FEW = settings(
    max_examples=12,
    deadline=None,
    database=None,
    derandomize=True,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)
EVERY_OPERATION = pytest.mark.parametrize("name", OPERATIONS)


@EVERY_OPERATION
def test_no_message_makes_the_server_fail(
    fuzzed: ServerThread, headers: list[dict[str, str]], name: str
) -> None:
    """Whatever fits the description is answered with a status that the description has.

    From people of several roles, at several tables; what is not done changes nothing.
    """
    operation, turns = operations()[name], count()

    @FEW
    @given(case=operation.as_strategy())
    def tried(case: Any) -> None:
        number = next(turns)
        if "table" in (case.path_parameters or {}):
            case.path_parameters["table"] = TABLES[number % len(TABLES)]
        before = everything(fuzzed)
        shown = headers[number % len(headers)]
        response = case.call(base_url=fuzzed.address, headers=shown)
        assert str(response.status_code) in operation.definition.raw["responses"], response.text
        if response.status_code >= 400:
            assert before == everything(fuzzed)

    tried()


@EVERY_OPERATION
def test_what_does_not_fit_the_description_is_refused_and_changes_nothing(
    fuzzed: ServerThread, headers: list[dict[str, str]], name: str
) -> None:
    """Wrong types, missing and unknown fields, strange headers: never a failure of the server."""
    from schemathesis import GenerationMode

    operation, turns = operations()[name], count()

    @FEW
    @given(case=operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))
    def tried(case: Any) -> None:
        number = next(turns)
        before = everything(fuzzed)
        shown = {**dict(case.headers or {}), **headers[number % len(headers)]}
        response = case.call(base_url=fuzzed.address, headers=shown)
        assert response.status_code < 500, response.text
        if response.status_code >= 400:
            assert before == everything(fuzzed)

    try:
        tried()
    except Unsatisfiable:
        pytest.skip("everything fits")
