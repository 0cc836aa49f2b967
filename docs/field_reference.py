"""Generates the tables of docs/fields.md and the JSON Schema of submissions from the forms.

`python -m docs.field_reference docs` updates both files.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from croupier.games import Game, catalogue
from croupier.games.forms import Choice, Form, never
from croupier.rulebook import letters, meter_floors
from croupier.submission.json_schema import submission_schema

BEGIN, END = "<!-- fields: begin -->", "<!-- fields: end -->"
PAGE, SCHEMA = Path("fields.md"), Path("schemas") / "submission.schema.json"
_MISSING = {"error": "an error", "outstanding": "outstanding", "warning": "a warning"}


def markdown() -> str:
    """Return the tables of all fields, common fields first."""
    lines = [*_common_section(), *(line for game in catalogue() for line in _game_section(game))]
    return "\n".join(lines)


def _common_section() -> Iterator[str]:
    games = catalogue()
    yield "### All games"
    yield ""
    yield "If a clause differs by game, the column lists the games in this order:"
    yield f"{', '.join(game.title for game in games)}."
    yield ""
    forms = [game.form for game in games]
    rows = []
    for choice in forms[0].choices:
        if choice.name in _common_names():
            variants = [form.choice(choice.name) for form in forms]
            rows.append(_row(choice, _clauses(variants), variants))
    yield from _table(rows)


def _common_names() -> set[str]:
    forms = [game.form for game in catalogue()]
    return set.intersection(*({choice.name for choice in form.choices} for form in forms))


def _game_section(game: Game) -> Iterator[str]:
    """The wagers, meters and own fields of one game."""
    form = game.form
    yield ""
    yield f"### {game.title}"
    yield ""
    yield f'`game = "{game.key}"`'
    yield ""
    yield from _wager_table(game, form)
    if game.wager("progressive"):
        yield ""
        yield from _meter_table(game)
    yield ""
    own = [choice for choice in form.every_choice if choice.name not in _common_names()]
    yield from _table(_row(choice, choice.clause, [choice]) for choice in own)


def _wager_table(game: Game, form: Form) -> Iterator[str]:
    """The wagers of [paytables] and [limits]."""
    yield "| wager | `[paytables]` | offered | `[limits]` | clause |"
    yield "| --- | --- | --- | --- | --- |"
    for wager in game.wagers:
        offer = form.offer(wager.name)
        if wager.role not in ("ante", "optional") and offer is None:
            continue
        choices = ", ".join(letters(game.document, wager.name)) if offer else ""
        always = wager.always_offered or offer is None
        limited = "yes" if wager.role in ("ante", "optional") else ""
        if wager.role == "progressive":
            limited = "`progressive_stake`"
        if wager.role == "matching":
            limited = f"equals `{game.ante.name}`"
        when = "always" if always else "if listed"
        clause = f"{offer.clause}, {offer.letter_clause}" if offer else wager.clause
        yield f"| `{wager.name}` | {choices} | {when} | {limited} | {clause} |"


def _meter_table(game: Game) -> Iterator[str]:
    """The minimum initial and reset amount of every meter, by paytable."""
    yield "| progressive | meter | minimum `initial` and `reset` | clause |"
    yield "| --- | --- | --- | --- |"
    for letter in letters(game.document, "progressive"):
        for floor in meter_floors(game.document, letter):
            if floor.minimum_dollars:
                minimum = f"{floor.minimum_dollars:,}"
                yield f"| {letter} | `{floor.meter}` | {minimum} | {floor.clause} |"


def _table(rows: Iterable[str]) -> Iterator[str]:
    yield "| field | allowed | default | if left out | clause | description |"
    yield "| --- | --- | --- | --- | --- | --- |"
    yield from rows


def _row(choice: Choice, clause: str, variants: list[Choice]) -> str:
    """One field; where the games differ, the allowed values and defaults are joined."""
    allowed = _join_distinct(variant.kind.allowed for variant in variants)
    default = _join_distinct(variant.default_text for variant in variants)
    missing = _if_left_out(max(variants, key=lambda variant: variant.matters is not never))
    cells = (f"`{choice.field}`", allowed, default, missing, clause, choice.note)
    return f"| {' | '.join(cells)} |"


def _if_left_out(choice: Choice) -> str:
    if not choice.missing or choice.matters is never:
        return ""
    when = f" with {choice.when}" if choice.when else ""
    reading = f" ({choice.reading})" if choice.reading else ""
    return f"{_MISSING[choice.missing]}{when}{reading}"


def _join_distinct(texts: Iterable[str]) -> str:
    return "; or ".join(dict.fromkeys(texts))


def _clauses(variants: list[Choice]) -> str:
    ids = [variant.clause for variant in variants]
    return ids[0] if len(set(ids)) == 1 else ", ".join(ids)


def update(page: str) -> str:
    """Return a page with the tables between its markers regenerated."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{markdown()}\n\n{END}{after}"


def schema_text() -> str:
    """Return the text of the schema file."""
    return json.dumps(submission_schema(), indent=2, ensure_ascii=False) + "\n"


def main(docs: Path) -> None:
    """Update the page and the schema."""
    page = docs / PAGE
    page.write_text(update(page.read_text("utf-8")), "utf-8")
    (docs / SCHEMA).write_text(schema_text(), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
