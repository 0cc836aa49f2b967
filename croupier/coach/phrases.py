"""Texts of the coach."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.coach.coach_messages import MistakeTotals, OptionValue, ReviewedChoice
from croupier.money import Cents, dollars
from croupier.wording import counted

SOLVING = "The coach is solving this game"


def signed_dollars(cents: Cents) -> str:
    """A result with its sign: "+$15.00", "-$20.00", "$0.00"."""
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def costliest_mistake(choices: Sequence[ReviewedChoice]) -> str:
    """The costliest mistake of a round, then the others; "" without mistakes."""
    mistakes = sorted(
        (choice for choice in choices if choice.cost), key=lambda choice: -choice.cost
    )
    if not mistakes:
        return ""
    worst, *others = mistakes
    text = (
        f"“{worst.options[0].word}” {worst.when} was worth {dollars(worst.cost)} more "
        f"than “{worst.word}”."
    )
    if others:
        costs = ", ".join(
            f"“{choice.word}” {choice.when} ({dollars(choice.cost)})" for choice in others
        )
        text += f" Other mistakes: {costs}."
    return text


def totals_line(totals: MistakeTotals) -> str:
    """The running totals in one line."""
    cost = f" ({dollars(totals.cost)})" if totals.cost else ""
    return (
        f"{counted(totals.decisions, 'decision')}, "
        f"{counted(totals.mistakes, 'mistake')}{cost}, luck {signed_dollars(totals.luck)}"
    )


def session_summary(totals: MistakeTotals) -> str:
    """The coach's summary of a session; "" without decisions."""
    if not totals.decisions:
        return ""
    played = f"{counted(totals.decisions, 'decision')} in {counted(totals.rounds, 'round')}"
    if totals.mistakes:
        mistakes = f"{counted(totals.mistakes, 'mistake')} cost {dollars(totals.cost)}"
    else:
        mistakes = "no mistakes"
    if totals.luck > 0:
        luck = f"good luck won {dollars(totals.luck)}"
    elif totals.luck < 0:
        luck = f"bad luck cost {dollars(-totals.luck)}"
    else:
        luck = "luck was even"
    return f"Coach: {played}. {mistakes[0].upper()}{mistakes[1:]}; {luck}."


def compare_to_best(value: OptionValue) -> str:
    """An option compared with the best one: "best" or "$3.00 less"."""
    return f"{dollars(value.less)} less" if value.less else "best"
