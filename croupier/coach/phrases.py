"""What the coach says: the same words in the browser and in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.coach.coach_messages import Mistakes, OptionValue, ReviewedChoice
from croupier.money import Cents, dollars

WORKING = "The coach is working out the best play of this table"
EVERY_BEST = "every decision was the best one."


def signed(cents: Cents) -> str:
    """A result with its sign: "+$15.00", "-$20.00", "$0.00"."""
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def counted(number: int, thing: str) -> str:
    """ "1 mistake", "2 mistakes"."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def mattered(choices: Sequence[ReviewedChoice]) -> str:
    """The decision of a round that cost most, with what the others cost; "" where none did."""
    mistakes = sorted((one for one in choices if one.cost), key=lambda one: -one.cost)
    if not mistakes:
        return ""
    worst, *others = mistakes
    told = (
        f"The decision that mattered was “{worst.word}” {worst.when}. "
        f"“{worst.options[0].word}” was worth {dollars(worst.cost)} more."
    )
    if others:
        more = ", ".join(f"“{one.word}” {one.when} {dollars(one.cost)}" for one in others)
        told += f" It was not the only one: {more}."
    return told


def account(learned: Mistakes) -> str:
    """The running account in one line."""
    return (
        f"{counted(learned.decisions, 'decision')}, {counted(learned.mistakes, 'mistake')}: "
        f"{dollars(learned.cost)}; luck {signed(learned.luck)}"
    )


def summary(learned: Mistakes) -> str:
    """The evening as the coach saw it."""
    if not learned.decisions:
        return ""
    rounds = f"{counted(learned.decisions, 'decision')} in {counted(learned.rounds, 'round')}"
    if learned.mistakes:
        found = f"{counted(learned.mistakes, 'mistake')} cost {dollars(learned.cost)}"
    else:
        found = "every one was the best"
    helped = "helped with" if learned.luck > 0 else "took"
    luck = f"luck {helped} {dollars(abs(learned.luck))}" if learned.luck else "luck did nothing"
    return f"The coach saw {rounds}: {found}; {luck}."


def compared(worth: OptionValue) -> str:
    """An option against the best one."""
    return f"{dollars(worth.less)} less" if worth.less else "best"
