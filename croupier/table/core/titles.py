"""Every command and event in words that a screen can show: a title, and a sentence about it."""

from __future__ import annotations

import re
from functools import cache

import msgspec

from croupier.table.core.messages import Command, Event

_WORDS = re.compile(r"[A-Z][a-z0-9]*")


class Title(msgspec.Struct, frozen=True):
    """What a kind is called, and what it is."""

    title: str
    sentence: str


@cache
def words_of(kind: type[Command] | type[Event]) -> Title:
    """The words of a kind, from its name and its docstring."""
    title = " ".join(_WORDS.findall(kind.__name__)).capitalize()
    first = (kind.__doc__ or "").strip().partition("\n\n")[0]
    return Title(title, " ".join(first.split()).lstrip())
