"""One look at a submission: every issue in it, and the House if it is legal."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from croupier.errors import BadSubmission
from croupier.games import GAMES
from croupier.games.house import House
from croupier.rulebook.paytables import meter_floors
from croupier.submission.binding import bind
from croupier.submission.checks import check
from croupier.submission.draft import SECTIONS, Draft, did_you_mean, printable
from croupier.submission.fields import form_of
from croupier.submission.issues import Issue, Severity, either, scalar, shown
from croupier.submission.meters import read_meters
from croupier.submission.sections import (
    note_missing,
    read_fields,
    read_limits,
    read_operator,
    read_paytables,
)


class Examination(msgspec.Struct, frozen=True, kw_only=True):
    """What came of reading a submission. There is a House if the documents allow one.

    `returns` is what comes back of one unit of each wager, where somebody has worked it out
    (`croupier.study.economics`); a player edge that nobody accepted is an error beside a House.
    """

    house: House | None
    issues: tuple[Issue, ...]
    game: str = ""
    operator: str = ""
    returns: dict[str, Fraction] = {}

    def of(self, severity: Severity) -> tuple[Issue, ...]:
        """The issues of one severity, in the order of the file."""
        return tuple(issue for issue in self.issues if issue.severity == severity)

    @property
    def legal(self) -> bool:
        """Whether nothing speaks against it."""
        return self.house is not None and not self.of("error")

    @property
    def ready(self) -> bool:
        """Whether a table may open: legal, and every approval on file."""
        return self.legal and not self.of("outstanding")


def examine(data: object) -> Examination:
    """Read a submission given as a mapping; whatever it holds becomes issues, never a crash."""
    if not isinstance(data, Mapping):
        problem = f"{shown(data)} is not a Rules Submission; a table with game, operator, ..."
        issue = Issue(severity="error", field="", message=problem, value=scalar(data))
        return Examination(house=None, issues=(issue,))
    strangers = tuple(unknown_sections(data))
    name = data.get("game")
    if not isinstance(name, str) or name not in GAMES:
        return Examination(house=None, issues=(refused_game(data), *strangers))
    draft = Draft(GAMES[name], form_of(GAMES[name]))
    draft.issues.extend(strangers)
    read_operator(draft, data)
    read_paytables(draft, data)
    read_limits(draft, data)
    read_fields(draft, data)  # its defaults may follow from the letters and the limits
    read_meters(draft, data)
    note_missing(draft)
    check(draft)
    house = None if any(issue.severity == "error" for issue in draft.issues) else bind(draft)
    return Examination(house=house, issues=in_file_order(draft), game=name, operator=draft.operator)


def build(data: Mapping[str, Any]) -> House:
    """The House of a submission given as a mapping; BadSubmission carries every error in it."""
    return house_of(examine(data))


def house_of(examination: Examination) -> House:
    """The House of an examination, or BadSubmission with its errors."""
    if examination.house is None:
        raise BadSubmission(examination.of("error"))
    return examination.house


def refused_game(data: Mapping[Any, Any]) -> Issue:
    """The one issue about the game: without it nothing else can be judged."""
    known = tuple(GAMES)
    if "game" not in data:
        message = f"missing; {either(known)}"
    else:
        name = data["game"]
        near = did_you_mean(name, known) if isinstance(name, str) else ""
        message = f"{shown(name)} is not a game{near or '; ' + either(known)}"
    return Issue(
        severity="error",
        field="game",
        message=message,
        value=scalar(data.get("game")),
        allowed=either(known),
    )


def unknown_sections(data: Mapping[Any, Any]) -> list[Issue]:
    """Keys at the top of the file that nothing carries."""
    issues = []
    for key in data:
        if key not in SECTIONS:
            name = key if isinstance(key, str) else str(scalar(key))
            message = f"unknown key{did_you_mean(name, SECTIONS)}"
            allowed = ", ".join(SECTIONS)
            issue = Issue(severity="error", field=printable(name), message=message, allowed=allowed)
            issues.append(issue)
    return issues


def in_file_order(draft: Draft) -> tuple[Issue, ...]:
    """The issues by section, then by field as the form lists them; strangers end a section."""
    names = [
        *(wager.name for wager in draft.game.wagers),
        *(choice.name for choice in draft.form.every_choice),
    ]
    places = {name: place for place, name in enumerate(names)}
    parts = {"name": 0, "logo": 1, "min": 0, "max": 1, "initial": 0, "reset": 1, "rate": 2}
    letter = draft.letters.get("progressive")
    floors = meter_floors(draft.game.key, letter) if letter else ()
    meters = {floor.meter: place for place, floor in enumerate(floors)}

    def place(issue: Issue) -> tuple[int, int, int]:
        section, *rest = issue.field.split(".")
        first = SECTIONS.index(section) if section in SECTIONS else len(SECTIONS)
        name = rest[0] if rest else ""
        known = {"operator": parts, "meters": meters}.get(section, places)
        second = -1 if not rest else known.get(name, len(places))
        return first, second, parts.get(rest[1], len(parts)) if len(rest) > 1 else -1

    return tuple(sorted(draft.issues, key=place))
