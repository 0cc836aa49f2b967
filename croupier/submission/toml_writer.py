"""Writes a submission as a TOML file with comments."""

from __future__ import annotations

import json
import textwrap
import tomllib
from collections.abc import Iterator
from typing import Any, TypeAlias

from croupier.games import Game
from croupier.games.forms import Choice
from croupier.submission.alternatives import Alternatives, alternatives
from croupier.submission.validation import conclude, parse

Data: TypeAlias = dict[str, Any]
Prices: TypeAlias = tuple[Alternatives, ...]
WIDTH = 98


def toml(game: Game, data: Data) -> str:
    """Return the text of the file, which reads back as exactly `data`."""
    text = "\n".join(_lines(game, data)) + "\n"
    assert tomllib.loads(text) == data, "the file must read back as the same submission"
    return text


def _lines(game: Game, data: Data) -> Iterator[str]:
    result = conclude(parse(game, data))
    prices = tuple(alternatives(result.priced, result.undecided)) if result.priced else ()
    missing = {issue.field for issue in result.of("outstanding")}
    yield f"# {game.title}: a Rules Submission."
    yield "# Amounts are in dollars. Fields left out have a default; see `croupier check`."
    yield ""
    yield f"game = {_toml_value(data['game'])}"
    yield ""
    yield "[operator]"
    yield f"name = {_toml_value(data['operator']['name'])}  # on the felt (2.B.1)"
    yield from _section(game, data["table"], "table", prices, missing)
    yield ""
    yield "[limits]"
    for wager, limits in data["limits"].items():
        pairs = ", ".join(f"{key} = {_toml_value(limits[key])}" for key in limits)
        yield f"{wager} = {{ {pairs} }}"
    yield ""
    yield "[paytables]  # a wager that is listed is offered"
    for wager, letter in data["paytables"].items():
        yield from _price_comment(game, prices, f"paytables.{wager}")
        yield f"{wager} = {_toml_value(letter)}"
    yield from _section(game, data["choices"], "choices", prices, missing)
    for meter, amounts in data.get("meters", {}).items():
        yield ""
        yield f"[meters.{meter}]"
        yield from (f"{key} = {_toml_value(amounts[key])}" for key in amounts)


def _section(
    game: Game, values: Data, name: str, prices: Prices, missing: set[str]
) -> Iterator[str]:
    """[table] or [choices]: the stated fields, and the missing approvals as comments."""
    yield ""
    yield f"[{name}]"
    for choice in game.form.choices:
        if choice.section != name:
            continue
        if choice.name in values:
            yield from _field_comment(choice)
            yield from _price_comment(game, prices, choice.field)
            yield f"{choice.name} = {_toml_value(values[choice.name])}"
        elif choice.field in missing:
            yield from _field_comment(choice)
            yield f'# {choice.name} = "..."  # outstanding: needed before a table opens'


def _field_comment(choice: Choice) -> Iterator[str]:
    citation = ", ".join(filter(None, (choice.clause, choice.reading)))
    yield from _comment(f"{choice.note} Allowed: {choice.kind.allowed}. [{citation}]")


def _price_comment(game: Game, prices: Prices, field: str) -> Iterator[str]:
    """The expected return of each value of a setting."""
    for item in prices:
        if item.field == field:
            shares = (f"{value.value} {float(value.share):.4%}" for value in item.values)
            wager = game.wager(item.values[0].wager)
            title = wager.title if wager else "Main game"
            yield from _comment(f"{title} returns: {', '.join(shares)}")


def _comment(text: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent="# ",
        subsequent_indent="#   ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _toml_value(value: Any) -> str:
    # JSON and TOML write text, numbers, flags and lists of text alike.
    return json.dumps(value, ensure_ascii=False)
