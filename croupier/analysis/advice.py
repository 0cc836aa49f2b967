"""The best decision at any street, with the exact worth of every option."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from croupier.analysis import disk_cache, solve
from croupier.cards import Card, all_seen, parse_cards
from croupier.errors import BadCards, BadInput
from croupier.games import House, Street
from croupier.games.expected_returns import main_key, named

if TYPE_CHECKING:
    from croupier.analysis.parallel import Progress
    from croupier.analysis.solution import Strategy
    from croupier.table import Round

TIE_RULE = "of options worth the same, the one that risks less comes first"


def money_digest(house: House) -> str:
    """A digest of what moves money in the main game: Houses that agree share a solution."""
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
    """The name of the kept strategy."""
    source = disk_cache.source_digest(house.game.analysis.strategy)
    return f"strategy-{source}-{house.game.key}-{money_digest(house)[:24]}"


def _loaded(house: House, arrays: Mapping[str, Any]) -> Strategy:
    optimal_strategy: Strategy = named(house.game.analysis.strategy)(house, arrays)
    return optimal_strategy


@lru_cache(maxsize=8)
def _strategy(house: House, progress: Progress | None) -> Strategy:
    found = disk_cache.load(strategy_cache_key(house))
    if found is not None:
        return _loaded(house, found)
    optimal_strategy = solve(house, distribution=False, progress=progress).strategy
    arrays: Mapping[str, Any] = optimal_strategy.arrays  # type: ignore[attr-defined]
    disk_cache.save(strategy_cache_key(house), arrays)
    return optimal_strategy


def optimal_strategy(house: House, progress: Progress | None = None) -> Strategy:
    """The best play of a House: solved once, then kept on disk and in memory."""
    return _strategy(house, progress)


def find_street(house: House, board: Sequence[Card], street: str = "") -> Street:
    """The street by its name, or by how many community cards show."""
    streets = house.game.streets
    named = [one for one in streets if (one.name == street if street else one.shown == len(board))]
    if not named:
        expected = ", ".join(f"{one.name} ({one.shown} community cards)" for one in streets)
        what = f"street {street!r}" if street else f"{len(board)} community cards"
        raise BadInput(f"{what}: {house.game.title} has the streets {expected}")
    if named[0].shown != len(board):
        raise BadInput(
            f"{named[0].name}: {named[0].shown} community cards show, got {len(board)} "
            f"[{house.game.key} {named[0].clause}]"
        )
    return named[0]


def advise(
    house: House,
    hand: str | Sequence[Card],
    board: str | Sequence[Card] = (),
    street: str = "",
    bets: Mapping[str, int] | None = None,
    progress: Progress | None = None,
) -> list[tuple[str, Fraction]]:
    """Every legal option with its exact worth for the whole round, best first.

    `bets` are decision wagers made before, in multiples of the ante; where left out, the least
    that leads to this street. Worth is in units of one ante; of options worth the same the one
    that risks less comes first. A cross is given as left, right, top, bottom.
    """
    cards = parse_cards(hand) if isinstance(hand, str) else tuple(hand)
    shown = parse_cards(board) if isinstance(board, str) else tuple(board)
    if len(cards) != house.game.player_cards:
        raise BadCards(f"a player has {house.game.player_cards} cards, got {len(cards)}")
    if len({*cards, *shown}) != len(cards) + len(shown):
        raise BadCards("a card is there twice, in the hand and on the board")
    asked = find_street(house, shown, street)
    made = {**_bets_so_far(house, asked), **_checked(house, asked, bets or {})}
    answers = optimal_strategy(house, progress).ask(asked.name, cards, shown, made)
    return [(answer.option, answer.ev) for answer in answers]


def _checked(house: House, street: Street, bets: Mapping[str, int]) -> Mapping[str, int]:
    """The bets told, if each could have been made on a street before this one."""
    streets = house.game.streets
    before = streets[: streets.index(street)]
    possible: dict[str, set[int]] = {}
    for one in before:
        for option in one.options:
            if option.times:
                possible.setdefault(option.wager, set()).add(option.times)
            if option.word == "check":
                possible.setdefault(next(o.wager for o in one.options if o.times), set()).add(0)
    for wager, times in bets.items():
        if times not in possible.get(wager, set()):
            expected = "; ".join(
                f"{name} {' or '.join(map(str, sorted(sizes)))}" for name, sizes in possible.items()
            )
            raise BadInput(
                f"{wager}={times}: no such bet comes before the {street.name}; expected "
                f"{expected or 'none'} [{house.game.key} {street.clause}]"
            )
    if any(times and _ends_play(house, wager) for wager, times in bets.items()):
        raise BadInput(f"after that bet nothing is asked on the {street.name}")
    return {wager: times for wager, times in bets.items() if times}


def _ends_play(house: House, wager: str) -> bool:
    """Whether a bet is the only one of a round: every street that has one has this one."""
    streets = [
        {option.wager for option in one.options if option.times} for one in house.game.streets
    ]
    return len(streets) > 1 and all(wagers == {wager} for wagers in streets)


def _bets_so_far(house: House, street: Street) -> dict[str, int]:
    """The least that must have been bet to be on a street: where checking was possible, nothing."""
    made = {}
    for before in house.game.streets:
        if before.name == street.name:
            break
        bets = [option for option in before.options if option.times]
        if len(bets) == len(before.options) - 1 and not before.option("check"):
            made[bets[0].wager] = min(option.times for option in bets)
    return made


def information_set(playing: Round, seat: int) -> tuple[str, list[Card], list[Card], dict[str, int]]:
    """What a seat may look at when it decides: street, own cards, board, bets made before."""
    street, box = playing.street, playing.boxes[seat]
    assert street is not None, "nobody has a decision left"
    ante = box.stakes[playing.game.ante.name]
    made = {}
    for wager in playing.game.wagers:
        stake = box.stakes.get(wager.name, 0)
        if wager.role == "decision" and stake:
            if stake % ante:
                raise BadInput(
                    f"{wager.name} is {stake} on an ante of {ante}; advice is for whole multiples"
                )
            made[wager.name] = stake // ante
    return street.name, all_seen(box.cards), all_seen(playing.layout[: street.shown]), made


def hint(house: House, playing: Round, seat: int) -> list[tuple[str, str]]:
    """The options of a seat at a live table, best first, each with its worth as text."""
    answers = optimal_strategy(house).ask(*information_set(playing, seat))
    best = answers[0].ev
    return [
        (answer.option, f"{float(answer.ev):+.4f} antes ({float(answer.ev - best):+.4f})")
        for answer in answers
    ]


def best_option(house: House, playing: Round, seat: int) -> str:
    """The word of the best option of a seat at a live table; fast enough for a million rounds."""
    return optimal_strategy(house).decide(*information_set(playing, seat))
