"""Mutants of whole rules of a round: decisions, folds, wagers, payouts, limits, exposed cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import FunctionType
from typing import Any

import msgspec
from msgspec.structs import force_setattr

from croupier import ranking
from croupier.cards import Card
from croupier.games import COMMUNITY, DEALER, Game, House, Slot, hand_names
from croupier.rulebook import duties
from croupier.submission import payout_limit_floor
from croupier.table import commands as cmd
from croupier.table.core.dispatch import COMMAND_ROUTES
from croupier.table.parts.round import resolution, state
from croupier.table.parts.round.resolution import JudgedResult
from croupier.table.parts.round.state import Round
from tools.mutation.mutant import Mutant, by_game, cited, our_games
from tools.mutation.outcomes import replace_code

SIDE_ROLES = ("optional", "progressive")
Verdicts = dict[str, JudgedResult]
Judge = Callable[[Round, int, Verdicts], Verdicts]  # replaces the verdicts of a box


def rounds() -> Iterator[Mutant]:
    """All mutants of rounds."""
    for game in our_games():
        yield from unanswered(game)
        yield from folds(game)
        yield from left_out(game)
        yield from unpaid(game)
        yield from limits(game)
        yield from face_up(game)
    yield from ultimate()
    yield from ranks()


def broken(
    game: Game, name: str, duties: Sequence[str], apply: Callable[[], None], kind: str = "outcome"
) -> Mutant:
    """A mutant of one game, with all clauses of some duties."""
    return Mutant(
        kind=kind,
        name=f"{game.key} {name}",
        place=f"croupier/games/{game.key}/game.py",
        clauses=by_game((game.key, clause) for duty in duties for clause in cited(game, duty)),
        apply=apply,
    )


def judged(game: Game, judge: Judge) -> None:
    """Change the verdicts of the boxes of one game."""
    right = resolution.verdicts

    def wrong(current: Round, seat: int) -> Verdicts:
        verdicts = right(current, seat)
        return judge(current, seat, verdicts) if current.game.key == game.key else verdicts

    resolution.verdicts = wrong


def given_back(verdict: JudgedResult) -> JudgedResult:
    """The verdict as a push."""
    return msgspec.structs.replace(
        verdict, result=msgspec.structs.replace(verdict.result, outcome="push")
    )


# Decisions.


def unanswered(game: Game) -> Iterator[Mutant]:
    """Each option without a bet is not available."""
    for street in game.streets:
        for option in street.options:
            if not option.wager:
                left = tuple(other for other in street.options if other is not option)
                apply = partial(force_setattr, street, "options", left)
                duty = f"decide.{street.name}.{option.word}"
                yield broken(game, f"{street.name}: no {option.word}", [duty], apply, "step")


def folds(game: Game) -> Iterator[Mutant]:
    """Folding on each street costs nothing, although the dealer collected the wagers."""
    for street in game.streets:
        if any(option.word == "fold" for option in street.options):
            judge = partial(fold_for_nothing, street.name)
            own = f"collect.{street.name}"
            duty = own if cited(game, own) else "collect"
            apply = partial(judged, game, judge)
            yield broken(game, f"{street.name}: a fold costs nothing", [duty], apply)


def fold_for_nothing(street: str, current: Round, seat: int, verdicts: Verdicts) -> Verdicts:
    """Return all stakes of a box that folds on a street."""
    if current.boxes[seat].folded_at != street:
        return verdicts
    return {wager: given_back(verdict) for wager, verdict in verdicts.items()}


def left_out(game: Game) -> Iterator[Mutant]:
    """Each side wager is never placed."""
    for wager in game.wagers:
        if wager.role in SIDE_ROLES:
            apply = partial(lay_down_without, game, wager.name)
            yield broken(game, f"{wager.name} is left out", [f"place.{wager.name}"], apply, "step")


def lay_down_without(game: Game, wager: str) -> None:
    """Remove one wager from every command that places wagers."""
    for plans in COMMAND_ROUTES.values():
        plan = plans.get(cmd.PlaceWagers)
        if plan is None:
            continue
        right = plan.spec.decide

        def wrong(table: Any, command: Any, by: Any, at: int, right: Any = right) -> Any:
            wagers = {name: stake for name, stake in command.wagers.items() if name != wager}
            if table.house.game.key == game.key and wagers:
                command = msgspec.structs.replace(command, wagers=wagers)
            return right(table, command, by, at)

        act = msgspec.structs.replace(plan.spec, decide=wrong)
        plans[cmd.PlaceWagers] = msgspec.structs.replace(plan, spec=act)


# Payouts.


def unpaid(game: Game) -> Iterator[Mutant]:
    """Wins and losses of each wager push; bonuses lose with the Ante; losing bets stay."""
    index = duties(game.document)
    for wager in game.wagers:
        paying = [name for name in (f"pay.{wager.name}", f"settle.{wager.name}") if name in index]
        if not paying:
            continue
        for outcome in ("win", "lose"):
            judge = partial(only_given_back, wager.name, outcome)
            apply = partial(judged, game, judge)
            yield broken(game, f"{wager.name} that should {outcome}", paying, apply)
        if wager.role in SIDE_ROLES and game.dealer_cards and f"pay.{wager.name}" in index:
            apply = partial(judged, game, partial(falls_with_the_ante, wager.name))
            yield broken(game, f"{wager.name} falls with the Ante", paying, apply)
    if "settle.loses" in index:
        plain = {w.name for w in game.wagers if f"settle.{w.name}" not in index}
        apply = partial(judged, game, partial(nothing_taken, plain))
        yield broken(game, "losing bets are left", ["settle.loses"], apply)


def only_given_back(
    wager: str, outcome: str, current: Round, seat: int, verdicts: Verdicts
) -> Verdicts:
    """One outcome of one wager pushes."""
    verdict = verdicts.get(wager)
    if verdict is None or verdict.result.outcome != outcome:
        return verdicts
    return verdicts | {wager: given_back(verdict)}


def falls_with_the_ante(wager: str, current: Round, seat: int, verdicts: Verdicts) -> Verdicts:
    """A side wager loses whenever the Ante loses."""
    ante, verdict = verdicts[current.game.ante.name], verdicts.get(wager)
    if verdict is None or ante.result.outcome != "lose":
        return verdicts
    lost = msgspec.structs.replace(verdict.result, outcome="lose")
    return verdicts | {wager: msgspec.structs.replace(verdict, result=lost)}


def nothing_taken(wagers: set[str], current: Round, seat: int, verdicts: Verdicts) -> Verdicts:
    """Losing wagers push."""
    return {
        wager: given_back(verdict)
        if wager in wagers and verdict.result.outcome == "lose"
        else verdict
        for wager, verdict in verdicts.items()
    }


def limits(game: Game) -> Iterator[Mutant]:
    """The payout limit ignores one of its two amounts, or covers the progressive."""
    limit = game.limit
    if limit is None:
        return
    if cited(game, "limit.fixed"):
        lower = partial(force_setattr, limit, "fixed_floor", limit.fixed_floor - 100)
        yield broken(game, "a lower fixed limit", ["limit.fixed"], lower)
        fixed = partial(replace_code, payout_limit_floor.payout_floor, fixed_floor_only)
        yield broken(game, "no limit by the minimum bets", ["limit.minimum"], fixed)
    if cited(game, "limit.exempt"):
        covers = partial(force_setattr, limit, "covers", (*limit.covers, "progressive"))
        yield broken(game, "the limit reaches the progressive", ["limit.exempt"], covers)


def fixed_floor_only(house: House) -> int:
    """`payout_floor` without the maximum win."""
    assert house.game.limit is not None
    return house.game.limit.fixed_floor


def face_up(game: Game) -> Iterator[Mutant]:
    """An exposed card voids the round although one is tolerated, or stays in play."""
    if game.face_up_tolerated:
        none = partial(force_setattr, game, "face_up_tolerated", 0)
        yield broken(game, "no card may lie face up", ["face_up.aside"], none)
        forgotten = partial(replace_code, state.Round.set_aside, still_in_the_deck)
        yield broken(game, "a card that lay face up is used", ["face_up.aside"], forgotten)


def still_in_the_deck(self: Any, card: Card) -> None:
    """`Round.set_aside` where the card can still be dealt."""
    self.exposed.add(card)


# Ultimate.


def ultimate() -> Iterator[Mutant]:
    """The Six Card Bonus uses fewer cards; an electronic table deals fewer."""
    game = next(game for game in our_games() if cited(game, "deal.electronic"))
    box_only = partial(replace_code, hand_names.six_card_hand, four_of_the_box)
    yield broken(game, "six cards without the own two", ["settle.six_card_bonus"], box_only)
    never = partial(replace_code, ranking.super_royal_suit, no_super_royal)
    royals = [f"six_card_bonus.{royal}" for royal in hand_names.SUPER_ROYALS]
    yield broken(game, "no super royal", royals, never)
    for place in (DEALER, COMMUNITY):
        apply = partial(deal_one_less, game, place)
        name = f"electronic: one {place} card less"
        yield broken(game, name, ["deal.electronic"], apply, "step")


def four_of_the_box(cards: Sequence[Card]) -> str:
    """`six_card_hand` without the player's cards."""
    hand: str = poker_hand(ranking.poker_value(tuple(cards)[2:]))  # type: ignore[name-defined]  # noqa: F821
    return hand


def no_super_royal(cards: Sequence[Card]) -> int:
    """`super_royal_suit` that never finds one."""
    return -1


def deal_one_less(game: Game, place: Slot) -> None:
    """Deal one card less to a place on an electronic table."""
    right = game.deal

    def wrong(house: House, seats: Sequence[int]) -> tuple[tuple[Slot, ...], ...]:
        first, *others = right(house, seats)
        if getattr(house.choices, "electronic_version", False):
            fewer = list(first)
            fewer.remove(place)
            first = tuple(fewer)
        return (first, *others)

    force_setattr(game, "deal", wrong)


# Ranks.


def ranks() -> Iterator[Mutant]:
    """Kings above aces, and pairs in reverse order."""
    for game in our_games():
        if game.key == "top_five":
            yield broken(game, "kings above aces", ["compare.cards"], kings_above_aces)
        if not game.dealer_cards:
            reversed_ranks = partial(replace_code, ranking.leading_rank, from_below)
            yield broken(game, "twos above aces", ["compare.category"], reversed_ranks)


def from_below(value: int) -> int:
    """`leading_rank` with the ranks reversed."""
    return 12 - ((value >> 16) & 15)


def kings_above_aces() -> None:
    """Swap kings and aces in Top Five hands."""
    right = ranking.live_card_value
    assert isinstance(right, FunctionType)
    original = FunctionType(right.__code__, right.__globals__, "original", right.__defaults__)
    right.__globals__["original_live_card_value"] = original
    replace_code(right, with_kings_and_aces_swapped)


def with_kings_and_aces_swapped(cards: Sequence[Card], extra_cards: bool = True) -> int:
    """`live_card_value` with kings and aces swapped."""
    offsets = {11: 4, 12: -4}
    swapped = [card + offsets.get(card >> 2, 0) for card in cards]
    value: int = original_live_card_value(swapped, extra_cards)  # type: ignore[name-defined]  # noqa: F821
    return value
