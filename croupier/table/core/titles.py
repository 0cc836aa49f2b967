"""Titles of commands and events for screens and schemas, from class names and docstrings."""

from __future__ import annotations

import re
from functools import cache

import msgspec

from croupier.table.core.messages import Command, Event

_WORDS = re.compile(r"[A-Z][a-z0-9]*")


class Title(msgspec.Struct, frozen=True):
    """The display name of a command or event type, and one sentence that describes it."""

    title: str
    sentence: str


@cache
def title_of(kind: type[Command] | type[Event]) -> Title:
    """Return the title of a command or event type: its class name in words, and its docstring."""
    title = " ".join(_WORDS.findall(kind.__name__)).capitalize()
    first = (kind.__doc__ or "").strip().partition("\n\n")[0]
    return Title(title, " ".join(first.split()).lstrip())
