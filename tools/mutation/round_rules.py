"""Whole rules of a round broken: answers, folds, wagers left out, wins unpaid, limits forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import FunctionType
from typing import Any

import msgspec
from msgspec.structs import force_setattr

from croupier import ranking
from croupier.cards import Card
from croupier.games import COMMUNITY, DEALER, Game, House, Slot, hand_names, payout_limit
from croupier.rulebook import duties
from croupier.table import commands as cmd
from croupier.table.core.dispatch import COMMAND_ROUTES
from croupier.table.parts.round import settlement, state
from croupier.table.parts.round.settlement import JudgedResult
from croupier.table.parts.round.state import Round
from tools.mutation.mutant import Mutant, by_game, cited, our_games
from tools.mutation.outcomes import always

ASIDE = ("optional", "progressive")  # the roles of wagers that nobody has to make
Verdicts = dict[str, JudgedResult]
Judge = Callable[[Round, int, Verdicts], Verdicts]  # what is made of a box's verdicts


def rounds() -> Iterator[Mutant]:
    """All of them."""
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
    """One rule of a game broken, for every clause of some duties."""
    return Mutant(
        kind=kind,
        name=f"{game.key} {name}",
        place=f"croupier/games/{game.key}/game.py",
        clauses=by_game((game.key, clause) for duty in duties for clause in cited(game, duty)),
        apply=apply,
    )


def judged(game: Game, judge: Judge) -> None:
    """What becomes of the wagers of a box is changed before it is paid."""
    right = settlement.verdicts

    def wrong(current: Round, seat: int) -> Verdicts:
        found = right(current, seat)
        return judge(current, seat, found) if current.game.key == game.key else found

    settlement.verdicts = wrong


def given_back(verdict: JudgedResult) -> JudgedResult:
    """A stake that neither wins nor loses."""
    return msgspec.structs.replace(
        verdict, result=msgspec.structs.replace(verdict.result, outcome="push")
    )


# Answers.


def unanswered(game: Game) -> Iterator[Mutant]:
    """Each answer without a bet, a fold or a check, is not open to a player."""
    for street in game.streets:
        for option in street.options:
            if not option.wager:
                left = tuple(each for each in street.options if each is not option)
                apply = partial(force_setattr, street, "options", left)
                duty = f"decide.{street.name}.{option.word}"
                yield broken(game, f"{street.name}: no {option.word}", [duty], apply, "step")


def folds(game: Game) -> Iterator[Mutant]:
    """On each street a fold costs nothing."""
    for street in game.streets:
        if any(option.word == "fold" for option in street.options):
            judge = partial(fold_for_nothing, street.name)
            duty = f"decide.{street.name}.fold"
            apply = partial(judged, game, judge)
            yield broken(game, f"{street.name}: a fold costs nothing", [duty], apply)


def fold_for_nothing(street: str, current: Round, seat: int, found: Verdicts) -> Verdicts:
    """Whoever folds on a street gets everything back."""
    if current.boxes[seat].folded_at != street:
        return found
    return {wager: given_back(verdict) for wager, verdict in found.items()}


def left_out(game: Game) -> Iterator[Mutant]:
    """Each optional wager never reaches the layout."""
    for wager in game.wagers:
        if wager.role in ASIDE:
            apply = partial(lay_down_without, game, wager.name)
            yield broken(game, f"{wager.name} is left out", [f"place.{wager.name}"], apply, "step")


def lay_down_without(game: Game, wager: str) -> None:
    """A player's wagers arrive without one of them."""
    for plans in COMMAND_ROUTES.values():
        plan = plans.get(cmd.PlaceWagers)
        if plan is None:
            continue
        right = plan.spec.decide

        def wrong(table: Any, command: Any, by: Any, at: int, right: Any = right) -> Any:
            laid = {name: stake for name, stake in command.wagers.items() if name != wager}
            if table.house.game.key == game.key and laid:
                command = msgspec.structs.replace(command, wagers=laid)
            return right(table, command, by, at)

        act = msgspec.structs.replace(plan.spec, decide=wrong)
        plans[cmd.PlaceWagers] = msgspec.structs.replace(plan, spec=act)


# Payment.


def unpaid(game: Game) -> Iterator[Mutant]:
    """Each wager that wins is only given back, each that loses too; bonuses fall with the Ante."""
    index = duties(game.document)
    for wager in game.wagers:
        paying = [name for name in (f"pay.{wager.name}", f"settle.{wager.name}") if name in index]
        if not paying:
            continue
        for outcome in ("win", "lose"):
            judge = partial(only_given_back, wager.name, outcome)
            apply = partial(judged, game, judge)
            yield broken(game, f"{wager.name} that should {outcome}", paying, apply)
        if wager.role in ASIDE and game.dealer_cards and f"pay.{wager.name}" in index:
            apply = partial(judged, game, partial(falls_with_the_ante, wager.name))
            yield broken(game, f"{wager.name} falls with the Ante", paying, apply)
    if "settle.loses" in index:
        plain = {w.name for w in game.wagers if f"settle.{w.name}" not in index}
        apply = partial(judged, game, partial(nothing_taken, plain))
        yield broken(game, "losing bets are left", ["settle.loses"], apply)


def only_given_back(
    wager: str, outcome: str, current: Round, seat: int, found: Verdicts
) -> Verdicts:
    """One wager with one outcome pushes."""
    verdict = found.get(wager)
    if verdict is None or verdict.result.outcome != outcome:
        return found
    return found | {wager: given_back(verdict)}


def falls_with_the_ante(wager: str, current: Round, seat: int, found: Verdicts) -> Verdicts:
    """A wager that looks at the player's hand alone is lost to the dealer."""
    ante, verdict = found[current.game.ante.name], found.get(wager)
    if verdict is None or ante.result.outcome != "lose":
        return found
    lost = msgspec.structs.replace(verdict.result, outcome="lose")
    return found | {wager: msgspec.structs.replace(verdict, result=lost)}


def nothing_taken(wagers: set[str], current: Round, seat: int, found: Verdicts) -> Verdicts:
    """What is lost stays with the player."""
    return {
        wager: given_back(verdict)
        if wager in wagers and verdict.result.outcome == "lose"
        else verdict
        for wager, verdict in found.items()
    }


def limits(game: Game) -> Iterator[Mutant]:
    """The payout limit is only one of its two amounts, or reaches what it should not."""
    limit = game.limit
    if limit is None:
        return
    if cited(game, "limit.fixed"):
        lower = partial(force_setattr, limit, "fixed_floor", limit.fixed_floor - 100)
        yield broken(game, "a lower fixed limit", ["limit.fixed"], lower)
        fixed = partial(always, payout_limit.payout_floor, fixed_floor_only)
        yield broken(game, "no limit by the minimum bets", ["limit.minimum"], fixed)
    if cited(game, "limit.exempt"):
        covers = partial(force_setattr, limit, "covers", (*limit.covers, "progressive"))
        yield broken(game, "the limit reaches the progressive", ["limit.exempt"], covers)


def fixed_floor_only(house: House) -> int:
    """`payout_floor` where the minimum bets do not count."""
    assert house.game.limit is not None
    return house.game.limit.fixed_floor


def face_up(game: Game) -> Iterator[Mutant]:
    """A card found face up voids the round although one is tolerated; or it is still in play."""
    if game.face_up_tolerated:
        none = partial(force_setattr, game, "face_up_tolerated", 0)
        yield broken(game, "no card may lie face up", ["face_up.aside"], none)
        forgotten = partial(always, state.Round.set_aside, still_in_the_deck)
        yield broken(game, "a card that lay face up is used", ["face_up.aside"], forgotten)


def still_in_the_deck(self: Any, card: Card) -> None:
    """`Round.set_aside` where the card may be dealt all the same."""
    self.exposed.add(card)


# Ultimate.


def ultimate() -> Iterator[Mutant]:
    """The Six Card Bonus looks at fewer cards; an electronic table deals fewer."""
    game = next(each for each in our_games() if cited(each, "deal.electronic"))
    box_only = partial(always, hand_names.six_card_hand, four_of_the_box)
    seen = ["settle.six_card_bonus"]
    yield broken(game, "six cards without the own two", seen, box_only)
    never = partial(always, ranking.super_royal_suit, no_super_royal)
    royals = [f"six_card_bonus.{royal}" for royal in hand_names.SUPER_ROYALS]
    yield broken(game, "no super royal", royals, never)
    for place in (DEALER, COMMUNITY):
        apply = partial(deal_one_less, game, place)
        name = f"electronic: one {place} card less"
        yield broken(game, name, ["deal.electronic"], apply, "step")


def four_of_the_box(cards: Sequence[Card]) -> str:
    """`six_card_hand` where the player's own cards do not count."""
    found: str = poker_hand(ranking.poker_value(tuple(cards)[2:]))  # type: ignore[name-defined]  # noqa: F821
    return found


def no_super_royal(cards: Sequence[Card]) -> int:
    """`super_royal_suit` where there is none."""
    return -1


def deal_one_less(game: Game, place: Slot) -> None:
    """An electronic table deals one card less to a place."""
    right = game.deal

    def wrong(house: House, seats: Sequence[int]) -> tuple[tuple[Slot, ...], ...]:
        first, *others = right(house, seats)
        if getattr(house.choices, "electronic_version", False):
            fewer = list(first)
            fewer.remove(place)
            first = tuple(fewer)
        return (first, *others)

    force_setattr(game, "deal", wrong)


# Ranks of single cards.


def ranks() -> Iterator[Mutant]:
    """An ace is below a king; pairs rank from the two down."""
    for game in our_games():
        if game.key == "top_five":
            yield broken(game, "kings above aces", ["compare.cards"], kings_above_aces)
        if not game.dealer_cards:
            reversed_ranks = partial(always, ranking.leading_rank, from_below)
            yield broken(game, "twos above aces", ["compare.category"], reversed_ranks)


def from_below(value: int) -> int:
    """`leading_rank` where the two is the best."""
    return 12 - ((value >> 16) & 15)


def kings_above_aces() -> None:
    """Top Five hands with kings and aces exchanged."""
    right = ranking.live_card_value
    assert isinstance(right, FunctionType)
    kept = FunctionType(right.__code__, right.__globals__, "kept", right.__defaults__)
    right.__globals__["right_top_five_value"] = kept
    always(right, exchanged)


def exchanged(cards: Sequence[Card], extra_cards: bool = True) -> int:
    """`live_card_value` where a king is worth an ace."""
    other = {11: 4, 12: -4}
    worth = [card + other.get(card >> 2, 0) for card in cards]
    found: int = right_top_five_value(worth, extra_cards)  # type: ignore[name-defined]  # noqa: F821
    return found
