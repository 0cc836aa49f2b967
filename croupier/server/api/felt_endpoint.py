"""The felt in the browser is the felt that is printed: one small door to the drawing."""

from __future__ import annotations

from functools import cache

from croupier.documents.felt import Felt, felt
from croupier.games import House


@cache
def felt_of(house: House) -> Felt:
    """The felt of a House, drawn once."""
    return felt(house)
