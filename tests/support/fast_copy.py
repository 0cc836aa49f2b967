"""The state of a table as it is now, to compare with later; what never changes is shared.

Tests look after every command whether a refusal changed anything: `copy.deepcopy`, which keeps
account of every object it has met, took a fifth of their time.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

import msgspec

from croupier.games import House, Street
from croupier.table import Table
from croupier.table.parts.round.state import Round

Copying: TypeAlias = Callable[[Any], Any]
PLAIN = (int, str, bytes, Fraction, Enum, type(None), msgspec.UnsetType)
CONSTANT = (House, Street)
# What a round is told when its betting closes, for good.
PLANNED: dict[Any, tuple[str, ...]] = {Round: ("house", "plan")}


def copy_state(table: Table) -> dict[str, Any]:
    """Everything that two equal tables agree in, as it is now."""
    return {name: deep_copy(value) for name, value in table.state().items()}


def deep_copy(value: Any) -> Any:
    """The same value, in which nothing that can be changed is shared with the first."""
    return WAYS[type(value)](value)


class Ways(dict[type, Copying]):
    """How values are copied, by their type: found out once."""

    def __missing__(self, kind: type) -> Copying:
        way = self[kind] = copying(kind)
        return way


WAYS = Ways()


def copying(kind: Any) -> Copying:
    """How values of a type are copied."""
    if issubclass(kind, CONSTANT):
        return itself
    if issubclass(kind, dict):
        return lambda value: {deep_copy(key): deep_copy(each) for key, each in value.items()}
    if issubclass(kind, list | set | frozenset):
        return lambda value: kind(map(deep_copy, value))
    if issubclass(kind, tuple):
        make = getattr(kind, "_make", kind)
        return lambda value: make(map(deep_copy, value))
    if issubclass(kind, msgspec.Struct):
        return copying_of_struct(kind.__struct_fields__)
    if dataclasses.is_dataclass(kind):
        return copying_of_record(kind)
    assert issubclass(kind, PLAIN), f"nobody said how a {kind.__name__} is copied"
    return itself


def itself(value: Any) -> Any:
    """No copy."""
    return value


def copying_of_struct(fields: Sequence[str]) -> Copying:
    """A struct knows how to be copied but for what its fields hold."""
    put = msgspec.structs.force_setattr

    def copying(value: Any) -> Any:
        found = copy.copy(value)
        for name in fields:
            put(found, name, deep_copy(getattr(value, name)))
        return found

    return copying


def copying_of_record(kind: Any) -> Copying:
    """A record is made anew, field by field."""
    constant = PLANNED.get(kind, ())
    changing = [one.name for one in dataclasses.fields(kind) if one.name not in constant]
    put = object.__setattr__

    def copying(value: Any) -> Any:
        found = kind.__new__(kind)
        for name in constant:
            put(found, name, getattr(value, name))
        for name in changing:
            put(found, name, deep_copy(getattr(value, name)))
        return found

    return copying
