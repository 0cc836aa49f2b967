"""One look at a submission: every issue in it, and the House if it is legal."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from croupier.errors import BadInput, BadSubmission
from croupier.games import Game, House, catalogue, editions, find
from croupier.games.expected_returns import returns
from croupier.games.forms import (
    SECTIONS,
    Issue,
    ParseContext,
    Severity,
    did_you_mean,
    either,
    printable,
    scalar,
    shown,
)
from croupier.rulebook import meter_floors
from croupier.submission.checks import check
from croupier.submission.house_builder import bind, compute_limit
from croupier.submission.meter_parser import KEYS as METER_KEYS
from croupier.submission.meter_parser import read_meters
from croupier.submission.parser import (
    note_missing,
    read_fields,
    read_limits,
    read_operator,
    read_paytables,
    undecided,
)
from croupier.submission.player_edge import player_edges
from croupier.submission.proposal_parser import read_proposal


class Examination(msgspec.Struct, frozen=True, kw_only=True):
    """What came of reading a submission: every issue, and a House if it is legal.

    `drafted` is what the documents alone would allow; a player edge that nobody accepted still
    keeps it from being a House. `returns` is what comes back of one unit of each wager of it.
    `priced` is for looking at alternatives: also there where nothing is wrong but that compulsory
    choices, the `undecided` ones, were not made; they stand at any of their values in it.
    """

    issues: tuple[Issue, ...]
    drafted: House[Any] | None = None
    game: str = ""
    operator: str = ""
    returns: dict[str, Fraction] = {}
    priced: House[Any] | None = None
    undecided: tuple[str, ...] = ()

    @property
    def house(self) -> House[Any] | None:
        """The House that a table may play under; None if anything speaks against it."""
        return self.drafted if self.legal else None

    def of(self, severity: Severity) -> tuple[Issue, ...]:
        """The issues of one severity, in the order of the file."""
        return tuple(issue for issue in self.issues if issue.severity == severity)

    @property
    def unread(self) -> str:
        """Why a file could not be read at all; empty if it could."""
        return next((issue.message for issue in self.issues if not issue.field), "")

    @property
    def legal(self) -> bool:
        """Whether nothing speaks against it."""
        return self.drafted is not None and not self.of("error")

    @property
    def ready(self) -> bool:
        """Whether a table may open: legal, and every approval on file."""
        return self.legal and not self.of("outstanding")


def examine(data: object) -> Examination:
    """Read a submission given as a mapping; whatever it holds becomes issues, never a crash."""
    if not isinstance(data, Mapping):
        problem = f"{shown(data)} is not a Rules Submission; a table with game, operator, ..."
        issue = Issue(severity="error", field="", message=problem, value=scalar(data))
        return Examination(issues=(issue,))
    strangers = tuple(unknown_sections(data))
    name = data.get("game")
    if not isinstance(name, str) or not editions(name):
        return Examination(issues=(refused_game(data), *strangers))
    filing = filed(find(name), data)
    filing.issues.extend(strangers)
    return concluded(filing)


def filed(game: Game, data: Mapping[Any, Any]) -> ParseContext:
    """What the sections of a submission for a game say, read and checked to the end."""
    filing = ParseContext(game)
    read_operator(filing, data)
    read_paytables(filing, data)
    read_limits(filing, data)
    read_fields(filing, data)  # its defaults may follow from the letters and the limits
    read_meters(filing, data)
    read_proposal(filing, data)
    compute_limit(filing)
    note_missing(filing)
    check(filing)
    return filing


def concluded(filing: ParseContext) -> Examination:
    """The examination of a filing that was read to its end."""
    issues = in_file_order(filing)
    found = Examination(issues=issues, game=filing.game.key, operator=filing.operator)
    wrong = found.of("error")
    if wrong:
        missing = tuple(choice.field for choice in undecided(filing))
        if {issue.field for issue in wrong} == set(missing):
            return msgspec.structs.replace(found, priced=bind(filing), undecided=missing)
        return found
    house = bind(filing)
    try:
        back = returns(house)
    except BadInput as refused:  # odds of a proposal that nobody can add up exactly
        issue = Issue(
            severity="error", game=filing.game.key, field="proposal.pays", message=str(refused)
        )
        return msgspec.structs.replace(found, issues=(issue, *issues))
    issues = player_edges(house, back) + issues
    return msgspec.structs.replace(found, issues=issues, drafted=house, returns=back, priced=house)


def build(data: Mapping[str, Any]) -> House[Any]:
    """The House of a submission given as a mapping; BadSubmission carries every error in it."""
    return house_of(examine(data))


def house_of(examination: Examination, file: str = "") -> House[Any]:
    """The House of an examination, or BadSubmission with its errors and the file's name."""
    if examination.house is None:
        raise BadSubmission(examination.of("error"), file)
    return examination.house


def refused_game(data: Mapping[Any, Any]) -> Issue:
    """The one issue about the game: without it nothing else can be judged."""
    known = tuple(game.key for game in catalogue())
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


def in_file_order(filing: ParseContext) -> tuple[Issue, ...]:
    """The issues by section, then by field as the form lists them; strangers end a section."""
    names = [
        *(wager.name for wager in filing.game.wagers),
        *(choice.name for choice in filing.form.every_choice),
    ]
    places = {name: place for place, name in enumerate(names)}
    parts = {"name": 0, "logo": 1, "min": 0, "max": 1}
    parts |= {key: place for place, key in enumerate(METER_KEYS)}
    letter = filing.letters.get("progressive")
    floors = meter_floors(filing.game.document, letter) if letter else ()
    meters = {floor.meter: place for place, floor in enumerate(floors)}

    def place(issue: Issue) -> tuple[int, int, int]:
        section, *rest = issue.field.split(".")
        first = SECTIONS.index(section) if section in SECTIONS else len(SECTIONS)
        name = rest[0] if rest else ""
        known = {"operator": parts, "meters": meters}.get(section, places)
        second = -1 if not rest else known.get(name, len(places))
        return first, second, parts.get(rest[1], len(parts)) if len(rest) > 1 else -1

    return tuple(sorted(filing.issues, key=place))
