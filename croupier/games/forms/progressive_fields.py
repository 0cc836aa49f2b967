"""The fields that come with a progressive wager, alike in the three games that have one."""

from __future__ import annotations

from collections.abc import Callable

from croupier.games.forms.field_types import Dollars, Flag, OneOf
from croupier.games.forms.form import Choice, Computed, progressive
from croupier.games.forms.parse_context import ParseContext
from croupier.rulebook import paytable


def basis(clause: str, reading: str, words: tuple[str, ...]) -> Choice:
    """Which cards the progressive is judged on."""
    return Choice(
        name="progressive_basis",
        kind=OneOf(words=words),
        clause=clause,
        note="The five cards that the progressive and the envy bonus are judged on. No "
        "document says; the choice moves the return by hundreds of percent.",
        reading=reading,
        missing="error",
        matters=progressive,
        when="a progressive",
    )


def stake(clause: str, only: tuple[int, ...] = ()) -> Choice:
    """The one stake of the progressive (A47)."""
    return Choice(
        name="progressive_stake",
        kind=Dollars(only=only),
        clause=clause,
        note="The one stake of the progressive at this table.",
        default=100,
        reading="A47",
        missing="warning",
        matters=progressive,
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
        matters=progressive,
        when="a progressive",
    )


def pays_part_of_meter(filing: ParseContext) -> bool:
    """Whether a line of the chosen paytable pays less than a whole meter."""
    letter = filing.letters.get("progressive")
    if letter is None:
        return False
    lines = paytable(filing.game.document, "progressive", letter).lines
    return any(line.pays.unit == "percent" and line.pays.win < 100 for line in lines)


def partial_award_floor(clause: str) -> Choice:
    """Whether a 10 percent award may leave a meter below its reset amount (A45)."""
    return Choice(
        name="partial_award_floor",
        kind=Flag(),
        clause=clause,
        note="Whether a meter is raised to its reset amount after an award of a part of it.",
        default=False,
        reading="A45",
        missing="warning",
        matters=pays_part_of_meter,
        when="a paytable that pays a part of the meter",
    )


def fold(after_fold_clause: str, envy_clause: str) -> tuple[Choice, ...]:
    """What a fold does to the progressive and to envy (A52, A53)."""
    return (
        Choice(
            name="progressive_after_fold",
            kind=Flag(),
            clause=after_fold_clause,
            note="Whether the progressive stays live after a fold.",
            default=True,
            reading="A52",
            missing="warning",
            matters=progressive,
            when="a progressive",
        ),
        Choice(
            name="envy_on_folded_hand",
            kind=Flag(),
            clause=envy_clause,
            note="Whether a folded box still gives and receives envy bonuses.",
            default=True,
            reading="A53",
            missing="warning",
            matters=progressive,
            when="a progressive",
        ),
    )


def envy_schedule(clause: str, letters: tuple[str, ...]) -> Choice:
    """The schedule of the envy bonus, which follows the paytable (A58)."""
    return Choice(
        name="envy_schedule",
        kind=OneOf(words=letters),
        clause=clause,
        note="The schedule of the envy bonus; the letter of the progressive paytable.",
        default=Computed("the progressive's letter", lambda d: d.letters.get("progressive")),
    )


def same_envy_letter(clause: str) -> Callable[[ParseContext], None]:
    """The envy schedule has the letter of the progressive paytable (A58)."""

    def check(filing: ParseContext) -> None:
        letter, chosen = filing.letters.get("progressive"), filing.choice("envy_schedule")
        if letter is not None and chosen != letter:
            filing.error(
                "choices.envy_schedule",
                f'"{chosen}" is not the letter of the progressive paytable, {letter} (A58)',
                clause=clause,
                value=chosen,
                allowed=letter,
            )

    return check
