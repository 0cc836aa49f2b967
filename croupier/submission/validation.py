"""Validates a submission: parses every section, runs the checks, builds the House if legal."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from croupier.errors import BadInput, BadSubmission
from croupier.games import Game, House, catalogue, editions, find
from croupier.games.expected_returns import returns
from croupier.games.forms.value_text import format_value, join_or
from croupier.rulebook import meter_floors
from croupier.submission.checks import run_checks
from croupier.submission.house_builder import build_house, compute_limit
from croupier.submission.issues import Issue, Severity, to_scalar
from croupier.submission.meter_parser import METER_KEYS, parse_meters
from croupier.submission.parse_context import SECTIONS, ParseContext, did_you_mean, printable
from croupier.submission.parser import (
    missing_choices,
    note_missing,
    parse_fields,
    parse_limits,
    parse_operator,
    parse_paytables,
)
from croupier.submission.player_edge import player_edges
from croupier.submission.proposal_parser import parse_proposal


class ValidationResult(msgspec.Struct, frozen=True, kw_only=True):
    """The issues of a submission, and its House if it is legal.

    `drafted` is the House that the documents allow; a player edge that is not accepted still makes
    it illegal. `returns` is the expected return of one unit of each of its wagers. `priced` serves
    to price alternatives: it is also set if the only errors are missing compulsory choices
    (`undecided`), which then have an arbitrary value.
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
        """The House; None if the submission is illegal."""
        return self.drafted if self.legal else None

    def of(self, severity: Severity) -> tuple[Issue, ...]:
        """Return the issues of one severity, in file order."""
        return tuple(issue for issue in self.issues if issue.severity == severity)

    @property
    def unread(self) -> str:
        """Why the file could not be read at all; empty if it could."""
        return next((issue.message for issue in self.issues if not issue.field), "")

    @property
    def legal(self) -> bool:
        """Whether there are no errors."""
        return self.drafted is not None and not self.of("error")

    @property
    def ready(self) -> bool:
        """Whether a table may open: legal, and every approval on file."""
        return self.legal and not self.of("outstanding")


def build(data: Mapping[str, Any], *, for_analysis: bool = False) -> House[Any]:
    """Return the House of a submission, given as the content of its TOML file.

    Raises BadSubmission with every error if the submission is illegal. `for_analysis` accepts
    wagers that return more than their stake; the ledger opens no table under such a House.

        >>> build({"game": "top_five"})
        Traceback (most recent call last):
        croupier.errors.BadSubmission: ...
    """
    return require_house(validate(data), for_analysis=for_analysis)


def require_house(
    result: ValidationResult, file: str = "", *, for_analysis: bool = False
) -> House[Any]:
    """Return the House of a result, or raise BadSubmission with its errors and the file name."""
    house = result.drafted if for_analysis else result.house
    if house is None:
        raise BadSubmission(result.of("error"), file)
    return house


def validate(data: object) -> ValidationResult:
    """Validate a submission given as a mapping; any input gives issues, never an exception."""
    if not isinstance(data, Mapping):
        message = (
            f"{format_value(data)} is not a Rules Submission; a table with game, operator, ..."
        )
        issue = Issue(severity="error", field="", message=message, value=to_scalar(data))
        return ValidationResult(issues=(issue,))
    unknown = tuple(_unknown_sections(data))
    name = data.get("game")
    if not isinstance(name, str) or not editions(name):
        return ValidationResult(issues=(_invalid_game(data), *unknown))
    context = parse(find(name), data)
    context.issues.extend(unknown)
    return conclude(context)


def parse(game: Game, data: Mapping[Any, Any]) -> ParseContext:
    """Parse and check every section of a submission for a game."""
    context = ParseContext(game)
    parse_operator(context, data)
    parse_paytables(context, data)
    parse_limits(context, data)
    parse_fields(context, data)  # its defaults may depend on the letters and the limits
    parse_meters(context, data)
    parse_proposal(context, data)
    compute_limit(context)
    note_missing(context)
    run_checks(context)
    return context


def conclude(context: ParseContext) -> ValidationResult:
    """Return the result of a parse; a legal submission is also checked for player edges."""
    issues = _in_file_order(context)
    result = ValidationResult(issues=issues, game=context.game.key, operator=context.operator)
    errors = result.of("error")
    if errors:
        missing = tuple(choice.field for choice in missing_choices(context))
        if {issue.field for issue in errors} == set(missing):
            return msgspec.structs.replace(result, priced=build_house(context), undecided=missing)
        return result
    house = build_house(context)
    try:
        shares = returns(house)
    except BadInput as problem:  # odds of a proposal without an exact return
        issue = Issue(
            severity="error", game=context.game.key, field="proposal.pays", message=str(problem)
        )
        return msgspec.structs.replace(result, issues=(issue, *issues))
    issues = player_edges(house, shares) + issues
    return msgspec.structs.replace(
        result, issues=issues, drafted=house, returns=shares, priced=house
    )


def _invalid_game(data: Mapping[Any, Any]) -> Issue:
    """The error of a missing or unknown game, without which no section can be parsed."""
    known = tuple(game.key for game in catalogue())
    if "game" not in data:
        message = f"missing; {join_or(known)}"
    else:
        name = data["game"]
        hint = did_you_mean(name, known) if isinstance(name, str) else ""
        message = f"{format_value(name)} is not a game{hint or '; ' + join_or(known)}"
    return Issue(
        severity="error",
        field="game",
        message=message,
        value=to_scalar(data.get("game")),
        allowed=join_or(known),
    )


def _unknown_sections(data: Mapping[Any, Any]) -> list[Issue]:
    issues = []
    for key in data:
        if key not in SECTIONS:
            name = key if isinstance(key, str) else str(to_scalar(key))
            message = f"unknown key{did_you_mean(name, SECTIONS)}"
            allowed = ", ".join(SECTIONS)
            issue = Issue(severity="error", field=printable(name), message=message, allowed=allowed)
            issues.append(issue)
    return issues


def _in_file_order(context: ParseContext) -> tuple[Issue, ...]:
    """The issues by section, then by field as the form lists them; unknown keys last."""
    names = [
        *(wager.name for wager in context.game.wagers),
        *(choice.name for choice in context.form.every_choice),
    ]
    fields = {name: index for index, name in enumerate(names)}
    keys = {"name": 0, "logo": 1, "min": 0, "max": 1}
    keys |= {key: index for index, key in enumerate(METER_KEYS)}
    letter = context.letters.get("progressive")
    floors = meter_floors(context.game.document, letter) if letter else ()
    meters = {floor.meter: index for index, floor in enumerate(floors)}

    def position(issue: Issue) -> tuple[int, int, int]:
        section, *rest = issue.field.split(".")
        first = SECTIONS.index(section) if section in SECTIONS else len(SECTIONS)
        name = rest[0] if rest else ""
        known = {"operator": keys, "meters": meters}.get(section, fields)
        second = -1 if not rest else known.get(name, len(fields))
        return first, second, keys.get(rest[1], len(keys)) if len(rest) > 1 else -1

    return tuple(sorted(context.issues, key=position))
