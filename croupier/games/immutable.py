"""Records that are values: what they hold cannot be changed either."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from immutabledict import immutabledict


def freeze_mappings(record: msgspec.Struct) -> None:
    """Keep the mappings of a frozen record as ones that nobody can write to.

    A game is shared by all of its Houses: whoever could add a line to it would change them all.
    """
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if isinstance(value, Mapping):
            msgspec.structs.force_setattr(record, name, _frozen(value))


def _frozen(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return immutabledict({key: _frozen(inner) for key, inner in value.items()})
