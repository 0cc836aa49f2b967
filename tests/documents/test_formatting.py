"""The JSON of results: their fields, with exact fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import msgspec
import pytest

from croupier.documents.formatting import json_values


@dataclass(frozen=True, slots=True)
class Inner:
    """A result inside another."""

    ev: Fraction
    bound: Fraction | None = None


class Outer(msgspec.Struct):
    """A result with mappings and tuples."""

    quantiles: dict[float, Inner]
    parts: tuple[Inner, ...]


def test_the_fields_are_the_json() -> None:
    """Fractions exactly and as a float, also in mappings and tuples; keys are text."""
    third = {"exact": "1/3", "value": 1 / 3}
    inner = Inner(Fraction(1, 3))
    expected = {"ev": third, "bound": None}

    actual = json_values({"game": "top_five", "result": Outer({0.05: inner}, (inner,))})
    result = {"quantiles": {"0.05": expected}, "parts": [expected]}
    assert {"game": "top_five", "result": result} == actual


def test_other_types_are_refused() -> None:
    """What has no JSON is not printed as something else."""
    with pytest.raises(NotImplementedError, match="complex"):
        json_values({"root": 1j})
