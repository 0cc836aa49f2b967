"""JSON codec: one union of commands, one of events, strict in every field."""

from __future__ import annotations

import datetime as dt
import json
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from croupier.errors import BadInput, Refusal
from croupier.table import Account, Command, Envelope, Event, Table, title_of
from croupier.table import commands as cmd
from croupier.table.core import codec
from croupier.table.core.part import SERVICES
from tests.support.rounds import house
from tests.table.scenario.test_scenario import validator

ANN = Account("ann", "player")


def values_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return a value of the right type for every field."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    optional = ("schema", "at") if issubclass(kind, Command | Event) else ()
    return {f.name: value_of(f.type) for f in info.fields if f.name not in optional}


def value_of(kind: Any) -> Any:
    """Return a value of a type."""
    match kind:
        case msgspec.inspect.IntType():
            return 1
        case msgspec.inspect.BoolType():
            return True
        case msgspec.inspect.StrType():
            return "As"
        case msgspec.inspect.LiteralType():
            return kind.values[0]
        case msgspec.inspect.DictType():
            return {"ante": value_of(kind.value_type)}
        case msgspec.inspect.VarTupleType():
            return (value_of(kind.item_type),)
        case msgspec.inspect.UnionType():
            return value_of(kind.types[0])
        case msgspec.inspect.NoneType():
            return None
        case msgspec.inspect.StructType():
            return ANN if kind.cls is Account else kind.cls(**values_of(kind.cls))
    raise AssertionError(f"no value of {kind}")


KINDS = [*codec.COMMANDS.values(), *codec.EVENTS.values()]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_round_trips(kind: Any) -> None:
    """Decoding gives the encoded message back, and the text matches the published schema."""
    message = kind(**values_of(kind))
    text = codec.encode(message)
    is_command = issubclass(kind, Command)
    decoded = codec.decode_command(text) if is_command else codec.decode_event(text)
    assert message == decoded
    name = "commands" if is_command else "events"
    validator(name).validate(json.loads(text))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_unknown_fields_are_refused(kind: Any) -> None:
    """A misspelled field must not be ignored."""
    data = json.loads(codec.encode(kind(**values_of(kind)))) | {"wagres": {}}
    decode = codec.decode_command if issubclass(kind, Command) else codec.decode_event
    with pytest.raises(BadInput, match="wagres"):
        decode(json.dumps(data))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_has_a_title(kind: Any) -> None:
    """A title, and a complete sentence."""
    title = title_of(kind)
    assert title.title[0].isupper() and "_" not in title.title
    assert len(title.sentence.split()) > 2 and title.sentence.endswith(".")


def test_tags_are_unique() -> None:
    """No command and event share a tag."""
    assert len(KINDS) == len({*codec.COMMANDS, *codec.EVENTS})


@pytest.mark.parametrize(
    "command",
    [
        cmd.PlaceWagers([1], {}),  # type: ignore[arg-type]
        cmd.PlaceWagers(1, {"ante": 10.5}),  # type: ignore[dict-item]
        cmd.PlaceWagers(1, {1: 5}),  # type: ignore[dict-item]
        cmd.PlaceWagers(True, {}),
        cmd.DealCards("As"),  # type: ignore[arg-type]
        cmd.DealCards((7,)),  # type: ignore[arg-type]
        cmd.DealCards(("10h",)),
        cmd.Decide(1, None),  # type: ignore[arg-type]
        cmd.Forfeit(1, "temper"),  # type: ignore[arg-type]
        "settle",
        None,
        cmd.Settle,
    ],
)
def test_a_malformed_command_is_bad_input(command: Any) -> None:
    """Whatever Python allows, the table says what is wrong with it."""
    table = Table(house("ultimate_texas_holdem"))
    table.do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000}))
    table.do(cmd.NoMoreBets())
    with pytest.raises(BadInput):
        table.do(command)


class BrokenRepr:
    """An object whose repr fails."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


JUNK: list[Any] = [
    None,
    True,
    -1,
    2**64,
    10**30,
    10**5000,
    1.0,
    float("nan"),
    float("inf"),
    "",
    "As",
    "\x00",
    "\ud800",
    b"As",
    [],
    [[1]],
    ("As", "As"),
    {"ante": 1.5},
    {"ante": 10**5000},
    {"\ud800": 1},
    {1: 1},
    {"ante": {"ante": 1}},
    {1},
    dt.datetime(2030, 1, 1),
    dt.datetime(2030, 1, 1, tzinfo=dt.UTC),
    Fraction(1, 3),
    Account(7, "player"),  # type: ignore[arg-type]
    cmd.Settle(),
    object(),
    BrokenRepr(),
]


@pytest.mark.parametrize("kind", codec.COMMANDS.values(), ids=lambda kind: kind.__name__)
def test_junk_in_any_field_of_any_command_is_refused(kind: type[Command]) -> None:
    """A malformed value is BadInput; a well-typed but senseless one may be a Refusal."""
    rules = house("ultimate_texas_holdem")
    tables = [Table(rules, service=service) for service in SERVICES]
    values = values_of(kind)
    for name in values:
        for junk in JUNK:
            command = kind(**{**values, name: junk})
            for table in tables:
                spec = table.command_spec(kind)
                by = Account("ann", spec.roles[0] if spec and spec.roles else "system")
                texts = decision_texts(table, Envelope("1", by, 5, command))
                assert all(text.encode() for text in texts)


def decision_texts(table: Table, envelope: Envelope) -> list[str]:
    """Return the encoded events of an envelope, or the error message."""
    try:
        return [codec.encode(event).decode() for event in table.decide(envelope)]
    except BadInput as error:
        return [str(error)]
    except Refusal as error:  # a refused command must still be encodable
        text = codec.encode(envelope.command)
        return [str(error), codec.encode(codec.decode_command(text)).decode()]


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: type(junk).__name__)
def test_junk_around_a_command_is_bad_input(junk: Any) -> None:
    """Also if the envelope itself, or its text, is junk."""
    table = Table(house("top_five"))
    right = {"id": "1", "by": ANN, "at": 5, "command": cmd.PlaceWagers(1, {"ante": 1000})}
    for name in right:
        if (name, junk) in (("command", cmd.Settle()), ("id", "As"), ("id", "")):
            continue  # well formed
        with pytest.raises(BadInput):
            table.decide(Envelope(**{**right, name: junk}))
    for read in (table.decide, codec.decode_command, codec.decode_event, codec.decode_envelope):
        with pytest.raises(BadInput):
            read(junk)


@pytest.mark.parametrize("at", [1.5, "now", True, None, -1, 10**18, dt.datetime(2030, 1, 1)])
def test_a_malformed_time_is_bad_input(at: Any) -> None:
    """A time is milliseconds, or a datetime with a time zone."""
    table = Table(house("top_five"))
    with pytest.raises(BadInput):
        table.do(cmd.PlaceWagers(1, {"ante": 1000}), ANN, at)


@pytest.mark.parametrize(
    "by",
    [
        Account("Ann", "player"),
        Account(" ann", "player"),
        Account("", "player"),
        Account("ann\n", "player"),
        Account("a" * 200, "player"),
        Account("ann", "owner"),  # type: ignore[arg-type]
        Account(7, "player"),  # type: ignore[arg-type]
        Account(["ann"], "player"),  # type: ignore[arg-type]
        "ann",
    ],
)
def test_a_malformed_account_is_bad_input(by: Any) -> None:
    """An account id has one spelling only."""
    with pytest.raises(BadInput):
        Table(house("top_five")).decide(Envelope("1", by, 5, cmd.PlaceWagers(1, {"ante": 1000})))


@pytest.mark.parametrize("id", [None, 7, "x" * 500, "a\x1b[31m"])
def test_a_malformed_id_is_bad_input(id: Any) -> None:
    """An id is printable and short."""
    with pytest.raises(BadInput):
        Table(house("top_five")).decide(Envelope(id, ANN, 5, cmd.PlaceWagers(1, {"ante": 1000})))


@pytest.mark.parametrize("text", [b"", b"{}", b"[" * 5000, b'{"kind":"settle","x":1}', b"\xff"])
def test_text_that_is_not_a_message_is_bad_input(text: bytes) -> None:
    """Any bytes either decode or raise BadInput."""
    for decode in (codec.decode_command, codec.decode_event, codec.decode_envelope):
        with pytest.raises(BadInput):
            decode(text)


def test_a_command_needs_an_account() -> None:
    """A practice table needs the account that gives a command."""
    with pytest.raises(BadInput, match="needs the account that gives it"):
        Table(house("top_five"), service="practice").do(cmd.SitDown(1))
