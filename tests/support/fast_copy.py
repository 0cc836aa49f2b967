"""Fast copies of a table's state; immutable values are shared.

Tests check after every command that a refusal changed nothing. `copy.deepcopy`, which memoizes
every object, took a fifth of their time.
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

Copier: TypeAlias = Callable[[Any], Any]
PLAIN = (int, str, bytes, Fraction, Enum, type(None), msgspec.UnsetType)
CONSTANT = (House, Street)
# Fields that never change once the betting of a round is closed.
CONSTANT_FIELDS: dict[Any, tuple[str, ...]] = {Round: ("house", "plan")}


def copy_state(table: Table) -> dict[str, Any]:
    """Return a copy of `Table.state()`."""
    return {name: deep_copy(value) for name, value in table.state().items()}


def deep_copy(value: Any) -> Any:
    """Return an equal value that shares no mutable object with the original."""
    return COPIERS[type(value)](value)


class Copiers(dict[type, Copier]):
    """The copy function of each type, built on first use."""

    def __missing__(self, kind: type) -> Copier:
        copier = self[kind] = copier_of(kind)
        return copier


COPIERS = Copiers()


def copier_of(kind: Any) -> Copier:
    """Return the copy function of a type."""
    if issubclass(kind, CONSTANT):
        return identity
    if issubclass(kind, dict):
        return lambda value: {deep_copy(key): deep_copy(item) for key, item in value.items()}
    if issubclass(kind, list | set | frozenset):
        return lambda value: kind(map(deep_copy, value))
    if issubclass(kind, tuple):
        make = getattr(kind, "_make", kind)
        return lambda value: make(map(deep_copy, value))
    if issubclass(kind, msgspec.Struct):
        return struct_copier(kind.__struct_fields__)
    if dataclasses.is_dataclass(kind):
        return dataclass_copier(kind)
    assert issubclass(kind, PLAIN), f"no copier for {kind.__name__}"
    return identity


def identity(value: Any) -> Any:
    return value


def struct_copier(fields: Sequence[str]) -> Copier:
    set_field = msgspec.structs.force_setattr

    def copy_struct(value: Any) -> Any:
        result = copy.copy(value)
        for name in fields:
            set_field(result, name, deep_copy(getattr(value, name)))
        return result

    return copy_struct


def dataclass_copier(kind: Any) -> Copier:
    constant = CONSTANT_FIELDS.get(kind, ())
    mutable = [field.name for field in dataclasses.fields(kind) if field.name not in constant]
    set_field = object.__setattr__

    def copy_dataclass(value: Any) -> Any:
        result = kind.__new__(kind)
        for name in constant:
            set_field(result, name, getattr(value, name))
        for name in mutable:
            set_field(result, name, deep_copy(getattr(value, name)))
        return result

    return copy_dataclass
