"""A copied state is equal to the original and shares no mutable object with it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import pytest

from tests.support.fast_copy import CONSTANT, PLAIN, copy_state
from tests.support.rounds import EVERY_GAME, Play, Seat, house, opening_wagers


def mutable_objects(value: Any, visited: set[int]) -> Iterator[object]:
    """Yield every mapping, list, set and record within a value."""
    if isinstance(value, CONSTANT) or id(value) in visited:
        return
    visited.add(id(value))
    if not isinstance(value, (*PLAIN, tuple, frozenset)):
        yield value
    inner: Iterable[Any] = ()
    if isinstance(value, dict):
        inner = (*value.keys(), *value.values())
    elif isinstance(value, list | set | tuple | frozenset):
        inner = value
    elif isinstance(value, msgspec.Struct):
        inner = msgspec.structs.astuple(value)
    elif dataclasses.is_dataclass(value):
        inner = [getattr(value, field.name) for field in dataclasses.fields(value)]
    for item in inner:
        yield from mutable_objects(item, visited)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_no_mutable_object_is_shared(game: str) -> None:
    """In the middle of a round, where the state is largest."""
    rules = house(game)
    table = Play(rules, {1: Seat("", "", **opening_wagers(rules))}).until("decide").table
    before = copy_state(table)
    own = {id(item) for item in mutable_objects(table.state(), set())}

    assert before == table.state()
    assert len(own) > 20
    assert not own & {id(item) for item in mutable_objects(before, set())}
