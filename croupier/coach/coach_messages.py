"""Coach messages of the protocol: advice, round reviews and replays."""

from __future__ import annotations

import msgspec

from croupier.money import Cents


class OptionValue(msgspec.Struct, frozen=True, kw_only=True):
    """The expected value of an option for the whole round."""

    word: str
    antes: str  # exact, as a fraction
    cents: Cents  # rounded
    less: Cents  # difference from the best option, rounded


class CoachAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """The value of each option, the best first; not `ready` while the game is being solved."""

    ready: bool
    seat: int  # 0 if the player has no decision to make
    street: str
    options: tuple[OptionValue, ...]
    why: str = ""  # the simple rule that applies, and how many cards beat the player
    close: bool = False  # whether a mistake is easy to make: what drills are about


class ReviewedChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A decision the player made, and its cost compared with the best option."""

    seat: int
    street: str
    when: str  # the street in words, for example "after the flop"
    word: str
    options: tuple[OptionValue, ...]
    cost: Cents
    why: str = ""  # why the best option is the best


class MistakeTotals(msgspec.Struct, frozen=True, kw_only=True):
    """A player's mistakes and luck since the coach was turned on."""

    rounds: int
    decisions: int
    mistakes: int
    cost: Cents
    net: Cents  # won or lost
    expected: str  # expected result of the bets under the best play: a fraction, in cents
    luck: Cents  # net minus the expected result plus the cost of mistakes


NO_MISTAKES = MistakeTotals(rounds=0, decisions=0, mistakes=0, cost=0, net=0, expected="0", luck=0)


class RoundReview(msgspec.Struct, frozen=True, kw_only=True):
    """The review of the last round; not `ready` while the game is being solved."""

    ready: bool
    round: int
    choices: tuple[ReviewedChoice, ...]
    mattered: ReviewedChoice | None  # the costliest decision, if one was a mistake
    account: MistakeTotals


class ReplayRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Replay a round with the same deck and wagers and other decisions at one seat."""

    round: int
    seat: int
    words: tuple[str, ...] = ()


class ReplayedRound(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a replayed round, or the options of its next decision."""

    asks: tuple[str, ...]  # options of the next decision; empty at the end of the round
    street: str
    net: Cents | None
    sentences: tuple[str, ...]  # hands, settled wagers and envy bonuses


class PracticeDay(msgspec.Struct, frozen=True, kw_only=True):
    """A player's totals with the coach in one game on one day."""

    day: str  # in ISO format, UTC
    game: str
    title: str
    totals: MistakeTotals


class PracticeHistory(msgspec.Struct, frozen=True):
    """The totals of every day and game, the latest first."""

    days: tuple[PracticeDay, ...]
