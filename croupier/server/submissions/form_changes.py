"""What changed between two sets of answers of a form, in the words of its fields."""

from __future__ import annotations

import msgspec

from croupier.games import Game
from croupier.games.forms import Dollars, Flag, Hours, OneOf
from croupier.money import chip_amount, parse_dollars
from croupier.submission.web_form import (
    NO,
    YES,
    Answers,
    Field,
    Section,
    applies,
    choice_of,
    fields,
)

NOT_OFFERED = "not offered"


class FieldChange(msgspec.Struct, frozen=True, kw_only=True):
    """A field whose answer differs."""

    field: str
    section: Section
    title: str
    clause: str
    before: str
    after: str


def changed_fields(game: Game, before: Answers, after: Answers) -> tuple[FieldChange, ...]:
    """The fields whose answers mean something else, in the order of the form.

    >>> from croupier.games import find
    >>> old, new = {"limits.ante.min": "10"}, {"limits.ante.min": "$15.00"}
    >>> [change] = changed_fields(find("top_five"), old, new)
    >>> change.title, change.before, change.after
    ('Ante, minimum', '$10', '$15')
    """
    texts = (
        (field, answer_text(game, field, before), answer_text(game, field, after))
        for field in fields(game)
    )
    return tuple(
        FieldChange(
            field=field.field,
            section=field.section,
            title=field.title,
            clause=field.clause,
            before=old,
            after=new,
        )
        for field, old, new in texts
        if old != new
    )


def answer_text(game: Game, field: Field, answers: Answers) -> str:
    """The answer to a field in words: "$15", "paytable B", "yes", "not offered"."""
    text = answers.get(field.field, "").strip()
    if not applies(game, field, answers) or (field.section == "paytables" and not text):
        return NOT_OFFERED
    if not text:
        return f"{_words(field.default)} (default)" if field.default else "not stated"
    if field.section == "paytables":
        return f"paytable {text}"
    choice = choice_of(game, field)
    match choice.kind if choice else None:
        case Flag():
            word = text.lower()
            return "yes" if word in YES else "no" if word in NO else text
        case OneOf():
            return _words(text)
        case Hours():
            return f"{text} hours"
        case Dollars():
            return _money(text)
    if field.section in ("limits", "meters"):
        is_rate = field.field.endswith("rate")
        return f"{text.removesuffix('%').strip()}%" if is_rate else _money(text)
    return text


def _words(text: str) -> str:
    return {"true": "yes", "false": "no"}.get(text, text.replace("_", " "))


def _money(text: str) -> str:
    cents = parse_dollars(text.removeprefix("$").strip().replace(",", ""))
    return text if cents is None else chip_amount(cents)
