"""The fields of a progressive wager."""

from __future__ import annotations

from croupier.games.forms.declarations import Choice, ComputedDefault, progressive_offered
from croupier.games.forms.field_types import Dollars, Flag, OneOf
from croupier.games.forms.form_values import FormValues
from croupier.rulebook import paytable


def progressive_basis(clause: str, reading: str, words: tuple[str, ...]) -> Choice:
    """The cards that decide the progressive."""
    return Choice(
        name="progressive_basis",
        kind=OneOf(words=words),
        clause=clause,
        note="The five cards that decide the progressive and the envy bonus. The rules are silent; "
        "the choice changes the return by hundreds of percent.",
        reading=reading,
        missing="error",
        matters=progressive_offered,
        when="a progressive",
    )


def progressive_stake(clause: str, only: tuple[int, ...] = ()) -> Choice:
    """The single stake of the progressive (A47)."""
    return Choice(
        name="progressive_stake",
        kind=Dollars(only=only),
        clause=clause,
        note="The only stake of the progressive at this table.",
        default=100,
        reading="A47",
        missing="warning",
        matters=progressive_offered,
        when="a progressive",
    )


def meter_rounding(clause: str) -> Choice:
    """How an award with a fraction of a cent is paid (A46)."""
    return Choice(
        name="meter_rounding",
        kind=OneOf(words=("up_to_cent", "down_to_cent")),
        clause=clause,
        note="How an award that is not whole cents is paid.",
        default="up_to_cent",
        reading="A46",
        missing="warning",
        matters=progressive_offered,
        when="a progressive",
    )


def _pays_part_of_meter(values: FormValues) -> bool:
    letter = values.letters.get("progressive")
    if letter is None:
        return False
    lines = paytable(values.game.document, "progressive", letter).lines
    return any(line.pays.unit == "percent" and line.pays.win < 100 for line in lines)


def partial_award_floor(clause: str) -> Choice:
    """Whether a 10 percent award may leave a meter below its reset amount (A45)."""
    return Choice(
        name="partial_award_floor",
        kind=Flag(),
        clause=clause,
        note="Whether a meter is raised to its reset amount after an award of part of it.",
        default=False,
        reading="A45",
        missing="warning",
        matters=_pays_part_of_meter,
        when="a paytable that pays part of the meter",
    )


def progressive_after_fold(clause: str, *, always: bool = False) -> Choice:
    """Whether the progressive stays live after a fold (A52); no choice where the text says so."""
    return Choice(
        name="progressive_after_fold",
        kind=Flag(only=True if always else None),
        clause=clause,
        note="Whether the progressive stays live after a fold.",
        default=True,
        reading="A52",
        missing="" if always else "warning",
        matters=progressive_offered,
        when="a progressive",
    )


def envy_on_folded_hand(clause: str) -> Choice:
    """The effect of a fold on envy bonuses (A53)."""
    return Choice(
        name="envy_on_folded_hand",
        kind=Flag(),
        clause=clause,
        note="Whether a folded box still gives and receives envy bonuses.",
        default=True,
        reading="A53",
        missing="warning",
        matters=progressive_offered,
        when="a progressive",
    )


def envy_schedule(clause: str, letters: tuple[str, ...]) -> Choice:
    """The schedule of the envy bonus, which follows the progressive paytable (A58)."""
    return Choice(
        name="envy_schedule",
        kind=OneOf(words=letters),
        clause=clause,
        note="The schedule of the envy bonus: the letter of the progressive paytable.",
        default=ComputedDefault(
            "the progressive's letter", lambda values: values.letters.get("progressive")
        ),
        missing="outstanding",
        matters=progressive_offered,
        when="a progressive",
    )
