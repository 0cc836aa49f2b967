"""What the rules leave to the submission, each left out once: refused, outstanding or optional."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.games import GAMES
from croupier.rulebook import clauses
from tests.submission.samples import EVERY_GAME, LEFT_OUT, issue_at, validated


class Requirement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One clause that leaves something to the submission; the TOML file explains the fields."""

    field: str | tuple[str, ...] = ()
    result: str = ""
    left: str | None = None
    with_: dict[str, Any] = msgspec.field(name="with", default_factory=dict)
    cites: str = ""
    not_needed: str = ""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that answer the clause."""
        return (self.field,) if isinstance(self.field, str) else self.field


TEXT = (Path(__file__).parent / "required_by_the_rules.toml").read_text("utf-8")
REQUIRED = msgspec.convert(tomllib.loads(TEXT), dict[str, dict[str, Requirement]])


def cases(*results: str) -> list[Any]:
    """Every field of the requirements with one of these results."""
    return [
        pytest.param(
            game,
            required.cites or clause,
            field,
            required,
            id=f"{game} {clause} {field}",
            marks=pytest.mark.proves(game, required.cites or clause),
        )
        for game, by_clause in REQUIRED.items()
        for clause, required in by_clause.items()
        for field in required.fields
        if required.result in results
    ]


def without(field: str) -> dict[str, Any]:
    """The changes that leave a field out, with what depends on it."""
    changes: dict[str, Any] = {field: LEFT_OUT}
    if field.startswith("paytables."):
        changes[field.replace("paytables", "limits")] = LEFT_OUT
    if field == "paytables.progressive":
        changes["meters"] = LEFT_OUT
    return changes


@pytest.mark.parametrize(("game", "clause", "field", "required"), cases("error", "outstanding"))
def test_left_out(game: str, clause: str, field: str, required: Requirement) -> None:
    """The example with everything is ready; without the field it cites the clause."""
    left: Any = LEFT_OUT if required.left is None else required.left
    result = validated(game, required.with_ | {field: left})

    issue = issue_at(result, field)
    assert (required.result, clause) == (issue.severity, issue.clause)
    assert not result.ready
    assert result.legal == (required.result == "outstanding")


@pytest.mark.parametrize(("game", "clause", "field", "required"), cases("not offered"))
def test_not_offered(game: str, clause: str, field: str, required: Requirement) -> None:
    """Without its line the wager is not offered; a flag that it is offered is refused."""
    wager = field.removeprefix("paytables.")
    offer = GAMES[game].form.offer(wager)
    result = validated(game, without(field))

    assert result.house is not None and not result.house.offers(wager)
    assert offer is not None
    contradicted = validated(game, without(field) | {f"choices.{offer.flag}": True})
    assert clause == issue_at(contradicted, f"choices.{offer.flag}").clause
    assert not contradicted.legal


@pytest.mark.parametrize(
    ("game", "field"),
    [pytest.param(case.values[0], case.values[2], id=case.id) for case in cases("optional")],
)
def test_optional(game: str, field: str) -> None:
    """What a clause only permits may be left out."""
    assert validated(game, {field: LEFT_OUT}).ready


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_clause_is_answered(game: str) -> None:
    """Every clause is one of the document, and answered by existing fields or explained."""
    known = {clause.id: clause for clause in clauses(game)}
    fields = {choice.field for choice in GAMES[game].form.every_choice}
    fields |= {f"paytables.{offer.wager}" for offer in GAMES[game].form.offers}
    for clause, required in REQUIRED[game].items():
        assert clause in known
        assert bool(required.not_needed) != bool(required.fields)
        for field in required.fields:
            assert field in fields or field.startswith("meters."), field


@pytest.mark.parametrize("game", EVERY_GAME)
def test_no_clause_is_left_out(game: str) -> None:
    """The clauses that the submission answers are in the table, floors below their paragraph."""
    answered = {clause.id for clause in clauses(game) if clause.proof == "submission"}
    missing = {
        clause
        for clause in answered
        if not any(clause == id or clause.startswith(f"{id}.") for id in REQUIRED[game])
    }
    assert missing <= {"12.E", "12.F.1"}  # a heading, and the least that 12.F permits
