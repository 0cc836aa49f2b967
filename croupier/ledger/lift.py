"""Old events read as new ones: each step lifts one kind by one schema, and steps follow in turn.

To change the shape of an event: raise its `schema` default, add the step here, and add a sample
of the new schema to `tests/ledger/samples/`. Stored events are never rewritten.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

Data: TypeAlias = dict[str, Any]
Step: TypeAlias = Callable[[Data], Data]

# (kind, the schema it starts from) -> the data of the next schema
STEPS: dict[tuple[str, int], Step] = {}


def step(kind: str, schema: int) -> Callable[[Step], Step]:
    """Register a function that lifts a kind from this schema to the next."""

    def register(lifts: Step) -> Step:
        assert (kind, schema) not in STEPS, f"{kind} {schema} is lifted twice"
        STEPS[kind, schema] = lifts
        return lifts

    return register


def lift(kind: str, schema: int, data: Data, target: int) -> Data:
    """The data of an event in the target schema; refused when a step is missing."""
    if schema > target:
        raise ValueError(f"{kind} schema {schema} is newer than this Croupier, which has {target}")
    for start in range(schema, target):
        found = STEPS.get((kind, start))
        if found is None:
            raise ValueError(f"nothing lifts {kind} from schema {start} to {start + 1}")
        data = {**found(data), "schema": start + 1}
    return data
