"""Advice: the exact expected value of every legal option, at any street."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from croupier.analysis import disk_cache, solve
from croupier.cards import Card, parse_cards, require_seen
from croupier.errors import BadCards, BadInput
from croupier.games import House, Street
from croupier.games.expected_returns import main_key
from croupier.games.game import load_code

if TYPE_CHECKING:
    from croupier.analysis.parallel import Progress
    from croupier.analysis.solution import Strategy
    from croupier.table import Round

TIE_RULE = "of options with equal value, the one that risks less comes first"


def money_digest(house: House) -> str:
    """A digest of every settlement of the main game: Houses with the same one share a solution."""
    main = {w.name for w in house.game.wagers if w.role in ("ante", "matching", "decision")}
    results = sorted(
        f"{facts!r} {result!r}"
        for facts in house.every_facts()
        for result in house.settle(facts)
        if result.wager in main
    )
    text = "\n".join([house.game.key, str(house.game.edition), main_key(house), *results])
    return hashlib.sha256(text.encode()).hexdigest()


def strategy_cache_key(house: House) -> str:
    """The disk cache key of a strategy: solver source digest, game, and `money_digest`."""
    source = disk_cache.source_digest(house.game.analysis.strategy)
    return f"strategy-{source}-{house.game.key}-{money_digest(house)[:24]}"


def _from_arrays(house: House, arrays: Mapping[str, Any]) -> Strategy:
    strategy: Strategy = load_code(house.game.analysis.strategy)(house, arrays)
    return strategy


@lru_cache(maxsize=8)
def _strategy(house: House, progress: Progress | None) -> Strategy:
    cached = disk_cache.load(strategy_cache_key(house))
    if cached is not None:
        return _from_arrays(house, cached)
    strategy = solve(house, distribution=False, progress=progress).strategy
    arrays: Mapping[str, Any] = strategy.arrays  # type: ignore[attr-defined]
    disk_cache.save(strategy_cache_key(house), arrays)
    return strategy


def optimal_strategy(house: House, progress: Progress | None = None) -> Strategy:
    """The optimal strategy of a House: solved once, then cached in memory and on disk."""
    return _strategy(house, progress)


def find_street(house: House, board: Sequence[Card], street: str = "") -> Street:
    """The street with this name or, without a name, with this many community cards."""
    streets = house.game.streets
    matches = [s for s in streets if (s.name == street if street else s.shown == len(board))]
    if not matches:
        expected = ", ".join(f"{s.name} ({s.shown} community cards)" for s in streets)
        what = f"street {street!r}" if street else f"{len(board)} community cards"
        raise BadInput(f"{what}: {house.game.title} has the streets {expected}")
    match = matches[0]
    if match.shown != len(board):
        raise BadInput(
            f"{match.name} has {match.shown} community cards, got {len(board)} "
            f"[{house.game.key} {match.clause}]"
        )
    return match


def advise(
    house: House,
    hand: str | Sequence[Card],
    board: str | Sequence[Card] = (),
    street: str = "",
    bets: Mapping[str, int] | None = None,
    progress: Progress | None = None,
) -> list[tuple[str, Fraction]]:
    """Every legal option with its exact expected value for the whole round, best first.

    `bets` are the decision wagers made before, in multiples of the ante; if left out, the least
    that leads to this street. Values are in antes; of options with equal value the one that risks
    less comes first. A cross is given as left, right, top, bottom. Raises `BadCards` or `BadInput`
    if cards, street or bets are impossible.

        >>> from croupier import advise, example
        >>> advise(example("top_five"), "Ah Kd Qc 9s 8h 7d 2c")[0]
        ('1x', Fraction(11375, 38786))
    """
    cards = parse_cards(hand) if isinstance(hand, str) else tuple(hand)
    shown = parse_cards(board) if isinstance(board, str) else tuple(board)
    if len(cards) != house.game.player_cards:
        raise BadCards(f"a player has {house.game.player_cards} cards, got {len(cards)}")
    if len({*cards, *shown}) != len(cards) + len(shown):
        raise BadCards("a card appears twice in the hand and on the board")
    current = find_street(house, shown, street)
    made = {**_least_bets(house, current), **_checked_bets(house, current, bets or {})}
    options = optimal_strategy(house, progress).ask(current.name, cards, shown, made)
    return [(option.option, option.ev) for option in options]


def _checked_bets(house: House, street: Street, bets: Mapping[str, int]) -> Mapping[str, int]:
    """The bets, if each could have been made on a street before this one."""
    streets = house.game.streets
    possible: dict[str, set[int]] = {}
    for earlier in streets[: streets.index(street)]:
        for option in earlier.options:
            if option.times:
                possible.setdefault(option.wager, set()).add(option.times)
            if option.word == "check":
                wager = next(o.wager for o in earlier.options if o.times)
                possible.setdefault(wager, set()).add(0)
    for wager, times in bets.items():
        if times not in possible.get(wager, set()):
            expected = "; ".join(
                f"{name} {' or '.join(map(str, sorted(sizes)))}" for name, sizes in possible.items()
            )
            raise BadInput(
                f"{wager}={times}: this bet cannot precede the {street.name}; expected "
                f"{expected or 'none'} [{house.game.key} {street.clause}]"
            )
    if any(times and _ends_play(house, wager) for wager, times in bets.items()):
        raise BadInput(f"after that bet there is no decision on the {street.name}")
    return {wager: times for wager, times in bets.items() if times}


def _ends_play(house: House, wager: str) -> bool:
    """Whether this wager is the only bet of a round: every street with a bet has this one."""
    streets = [
        {option.wager for option in street.options if option.times} for street in house.game.streets
    ]
    return len(streets) > 1 and all(wagers == {wager} for wagers in streets)


def _least_bets(house: House, street: Street) -> dict[str, int]:
    """The smallest bets that lead to a street; none where checking was possible."""
    made = {}
    for before in house.game.streets:
        if before.name == street.name:
            break
        bets = [option for option in before.options if option.times]
        if len(bets) == len(before.options) - 1 and not before.option("check"):
            made[bets[0].wager] = min(option.times for option in bets)
    return made


def information_set(
    playing: Round, seat: int
) -> tuple[str, list[Card], list[Card], dict[str, int]]:
    """The information set of a seat that decides: street, own cards, board, bets made before.

    Raises `BadInput` if a bet is not a whole multiple of the ante.
    """
    street, box = playing.street, playing.boxes[seat]
    assert street is not None, "no decisions are left in this round"
    ante = box.stakes[playing.game.ante.name]
    made = {}
    for wager in playing.game.wagers:
        stake = box.stakes.get(wager.name, 0)
        if wager.role == "decision" and stake:
            if stake % ante:
                raise BadInput(
                    f"{wager.name} is {stake} on an ante of {ante}; advice needs whole multiples"
                )
            made[wager.name] = stake // ante
    return street.name, require_seen(box.cards), require_seen(playing.layout[: street.shown]), made


def hint(house: House, playing: Round, seat: int) -> list[tuple[str, str]]:
    """The options of a seat at a live table, best first, each with its value as text."""
    options = optimal_strategy(house).ask(*information_set(playing, seat))
    best = options[0].ev
    return [
        (option.option, f"{float(option.ev):+.4f} antes ({float(option.ev - best):+.4f})")
        for option in options
    ]


def best_option(house: House, playing: Round, seat: int) -> str:
    """The word of a seat's best option at a live table; fast enough for millions of rounds."""
    return optimal_strategy(house).decide(*information_set(playing, seat))
