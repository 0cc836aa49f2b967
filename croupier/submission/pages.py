"""The reference of every field in tables, written from the forms.

`python -m croupier.submission.pages docs` brings the page and the schema up to date.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from croupier.games import Game, catalogue
from croupier.games.forms import Choice, Form, either, never
from croupier.rulebook import letters, meter_floors
from croupier.submission.json_schema import schema

BEGIN, END = "<!-- fields: begin -->", "<!-- fields: end -->"
PAGE, SCHEMA = Path("fields.md"), Path("schemas") / "submission.schema.json"
_MISSING = {"error": "an error", "outstanding": "outstanding", "warning": "a warning"}


def markdown() -> str:
    """The tables of every field, first those that all games share."""
    return "\n".join([*shared(), *(line for game in catalogue() for line in of_game(game))])


def shared() -> Iterator[str]:
    """The fields that all forms have under the same name."""
    yield "### In every game"
    yield ""
    yield "Clauses are those of the five documents in the order Texas, Top Five, Ultimate, Jackpot,"
    yield "Run 'Em Twice; a single one stands for all."
    yield ""
    forms = [game.form for game in catalogue()]
    rows = []
    for choice in forms[0].choices:
        if choice.name in shared_names():
            alike = [form.choice(choice.name) for form in forms]
            rows.append(row(choice, clauses(alike), alike))
    yield from table(rows)


def shared_names() -> set[str]:
    """The names that occur in every form."""
    forms = [game.form for game in catalogue()]
    return set.intersection(*({choice.name for choice in form.choices} for form in forms))


def of_game(game: Game) -> Iterator[str]:
    """One game: wagers, meters, and the fields of its own."""
    form = game.form
    yield ""
    yield f"### {game.title}"
    yield ""
    yield f'`game = "{game.key}"`'
    yield ""
    yield from wagers(game, form)
    if game.wager("progressive"):
        yield ""
        yield from meters(game)
    yield ""
    own = [choice for choice in form.every_choice if choice.name not in shared_names()]
    yield from table(row(choice, choice.clause, [choice]) for choice in own)


def wagers(game: Game, form: Form) -> Iterator[str]:
    """What may be listed under [paytables] and [limits]."""
    yield "| wager | `[paytables]` | offered | `[limits]` | clause |"
    yield "| --- | --- | --- | --- | --- |"
    for wager in game.wagers:
        offer = form.offer(wager.name)
        if wager.role not in ("ante", "optional") and offer is None:
            continue
        choices = ", ".join(letters(game.document, wager.name)) if offer else ""
        is_always = wager.always_offered or offer is None
        limited = "yes" if wager.role in ("ante", "optional") else ""
        if wager.role == "progressive":
            limited = "`progressive_stake`"
        if wager.role == "matching":
            limited = f"equals `{game.ante.name}`"
        when = "always" if is_always else "if listed"
        clause = f"{offer.clause}, {offer.letter_clause}" if offer else wager.clause
        yield f"| `{wager.name}` | {choices} | {when} | {limited} | {clause} |"


def meters(game: Game) -> Iterator[str]:
    """The least initial and reset amount of every meter, by paytable."""
    yield "| progressive | meter | least `initial` and `reset` | clause |"
    yield "| --- | --- | --- | --- |"
    for letter in letters(game.document, "progressive"):
        for floor in meter_floors(game.document, letter):
            if floor.minimum_dollars:
                least = f"{floor.minimum_dollars:,}"
                yield f"| {letter} | `{floor.meter}` | {least} | {floor.clause} |"


def table(rows: Iterable[str]) -> Iterator[str]:
    """A table of fields."""
    yield "| field | allowed | default | left out | clause | what it decides |"
    yield "| --- | --- | --- | --- | --- | --- |"
    yield from rows


def row(choice: Choice, clause: str, alike: list[Choice]) -> str:
    """One field; where the games differ, what they allow is joined."""
    allowed = either_of(each.kind.allowed for each in alike)
    default = either_of(each.default_text for each in alike)
    absent = left_out(max(alike, key=lambda each: each.matters is not never))
    cells = (f"`{choice.field}`", allowed, default, absent, clause, choice.note)
    return f"| {' | '.join(cells)} |"


def left_out(choice: Choice) -> str:
    """What it means to leave a field out."""
    if not choice.missing or choice.matters is never:
        return ""
    when = f" with {choice.when}" if choice.when else ""
    reading = f" ({choice.reading})" if choice.reading else ""
    return f"{_MISSING[choice.missing]}{when}{reading}"


def either_of(texts: Iterable[str]) -> str:
    """Texts without repetition, joined."""
    different = tuple(dict.fromkeys(texts))
    return "; or ".join(different) if len(different) > 1 else either(different)


def clauses(alike: list[Choice]) -> str:
    """The clauses of a shared field."""
    ids = [choice.clause for choice in alike]
    return ids[0] if len(set(ids)) == 1 else ", ".join(ids)


def up_to_date(page: str) -> str:
    """A page with the tables between its markers written anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{markdown()}\n\n{END}{after}"


def schema_text() -> str:
    """The schema as it is stored."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def main(docs: Path) -> None:
    """Write the tables into the page and the schema into its file."""
    page = docs / PAGE
    page.write_text(up_to_date(page.read_text("utf-8")), "utf-8")
    (docs / SCHEMA).write_text(schema_text(), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
