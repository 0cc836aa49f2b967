"""A submission as a commented file, for people to read and change."""

from __future__ import annotations

import json
import textwrap
import tomllib
from collections.abc import Iterator
from typing import Any

from croupier.games import Game
from croupier.games.forms import Choice
from croupier.submission.interview import Data, fields_left, prices_of

WIDTH = 98


def toml(game: Game, data: Data) -> str:
    """The file; it reads back as exactly `data`."""
    text = "\n".join(lines(game, data)) + "\n"
    assert tomllib.loads(text) == data, "the file says what was answered"
    return text


def lines(game: Game, data: Data) -> Iterator[str]:
    """Every line, section by section."""
    yield f"# {game.title}: a Rules Submission."
    yield "# Amounts are dollars. What is left out has a default; `croupier check` says which."
    yield ""
    yield f"game = {value(data['game'])}"
    yield ""
    yield "[operator]"
    yield f"name = {value(data['operator']['name'])}  # the felt carries it (2.B.1)"
    yield from section(game, data, "table")
    yield ""
    yield "[limits]"
    for wager, limits in data["limits"].items():
        inside = ", ".join(f"{key} = {value(limits[key])}" for key in limits)
        yield f"{wager} = {{ {inside} }}"
    yield ""
    yield "[paytables]  # a wager that is listed is offered"
    for wager, letter in data["paytables"].items():
        yield from priced(game, data, wager)
        yield f"{wager} = {value(letter)}"
    yield from section(game, data, "choices")
    for meter, amounts in data.get("meters", {}).items():
        yield ""
        yield f"[meters.{meter}]"
        yield from (f"{key} = {value(amounts[key])}" for key in amounts)


def section(game: Game, data: Data, name: str) -> Iterator[str]:
    """[table] or [choices]: every field that was answered, and the approvals still to come."""
    yield ""
    yield f"[{name}]"
    waiting = {choice.name for choice in fields_left(game, data)}
    for choice in game.form.choices:
        if choice.section != name:
            continue
        if choice.name in data[name]:
            yield from explained(choice)
            yield from priced(game, data, choice.name)
            yield f"{choice.name} = {value(data[name][choice.name])}"
        elif choice.name in waiting:
            yield from explained(choice)
            yield f'# {choice.name} = "..."  # outstanding: before a table opens'


def explained(choice: Choice) -> Iterator[str]:
    """What a field decides, what it may be, and who says so."""
    cited = ", ".join(filter(None, (choice.clause, choice.reading)))
    yield from comment(f"{choice.note} Allowed: {choice.kind.allowed}. [{cited}]")


def priced(game: Game, data: Data, name: str) -> Iterator[str]:
    """What each value of a setting returns."""
    for each in prices_of(game, data, name):
        shares = (f"{one.value} {float(one.share):.4%}" for one in each.values)
        wager = game.wager(each.values[0].wager)
        yield from comment(f"{wager.title if wager else 'Main game'} returns: {', '.join(shares)}")


def comment(text: str) -> list[str]:
    """A sentence as lines of comment."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent="# ",
        subsequent_indent="#   ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def value(given: Any) -> str:
    """Text, numbers, flags and lists of text are written alike in JSON and TOML."""
    return json.dumps(given, ensure_ascii=False)
