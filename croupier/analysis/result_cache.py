"""Cached results of solved main games, in `disk_cache`.

The key is made of the solver's source digest, the game and edition, the settings, and every
possible net payoff. Houses that pay the same in every case share an entry; any change of the
source code or of a payout invalidates it.
"""

from __future__ import annotations

import contextlib
import hashlib
from fractions import Fraction
from typing import Any

import msgspec

from croupier.analysis import disk_cache, solve
from croupier.analysis.parallel import Progress, no_progress
from croupier.analysis.results import ChartRow, CloseDecision, MainResult, StreetSummary
from croupier.games import House, find
from croupier.games.expected_returns import main_key, precomputed_distribution
from croupier.money import Cents


class _CachedStreet(msgspec.Struct):
    street: str
    situations: int
    actions: dict[str, int]
    marginal: list[tuple[str, str, str]]


class _CachedResult(msgspec.Struct):
    """`MainResult` as JSON, with fractions as text."""

    ev: str
    deals: int
    chart: list[tuple[str, int, dict[str, str], str]]
    distribution: list[tuple[str, int]]
    components: dict[str, str]
    outcomes: dict[str, dict[str, str]]
    actions: dict[str, dict[str, str]]
    average_wager: str
    streets: list[_CachedStreet]


def cache_key(house: House, ante: Cents | None, kind: str = "main", solver: str = "") -> str:
    """The cache key of a result of this kind, computed by `solver` (the game's own by default)."""
    from croupier.analysis.values_at_ante import possible_nets

    values = [*map(str, possible_nets(house, ante)), main_key(house), str(house.game.edition)]
    source = disk_cache.source_digest(solver or house.game.analysis.solver)
    digest = hashlib.sha256("\n".join(values).encode()).hexdigest()[:24]
    return f"{kind}-{source}-{house.game.key}-{digest}"


def main_result(
    house: House, progress: Progress | None = None, ante: Cents | None = None
) -> MainResult:
    """`solve(house, ante=ante).result()`, cached on disk."""
    report = progress or no_progress
    name = cache_key(house, ante)
    result = _load(house, name)
    if result is None:
        result = solve(house, progress=report, ante=ante).result()
        disk_cache.save_text(name, msgspec.json.encode(_to_cached(result)))
    report(1.0, "solved")
    return result


def cached_main_distribution(house: House) -> dict[Fraction, Fraction] | None:
    """Probabilities of the main game's net results in antes; None if they are not stored.

    Reads the precomputed data of the game or the disk cache; never solves.
    """
    shares = precomputed_distribution(house)
    if shares is None and house.game.analysis.solver:
        cached = _load(house, cache_key(house, None))
        if cached is not None and cached.distribution:
            counts = cached.distribution.items()
            shares = {net: Fraction(count, cached.deals) for net, count in counts}
    return shares


def recount_net_distributions(game_key: str) -> dict[str, dict[str, int]]:
    """Solve a game under every setting; the format of its precomputed net distributions."""
    from croupier.analysis import variants

    by_setting = {}
    for settings in variants.combinations_of(find(game_key).analysis.main):
        house = variants.with_settings(variants.standard_house(game_key), settings)
        counts = sorted(main_result(house).distribution.items())
        by_setting[main_key(house)] = {str(net): count for net, count in counts if count}
    return by_setting


def main_value(house: House, ante: Cents | None = None) -> Fraction:
    """The expected value of the main game alone; quicker than `main_result` if not cached."""
    name = cache_key(house, ante)
    cached = _load(house, name)
    if cached is not None:
        return cached.ev
    value = disk_cache.load_text(f"value-{name}")
    if value is not None:
        with contextlib.suppress(ValueError):  # damaged: solved again
            return Fraction(value.decode())
    ev = solve(house, distribution=False, ante=ante).ev
    disk_cache.save_text(f"value-{name}", str(ev).encode())
    return ev


def _load(house: House, name: str) -> MainResult | None:
    text = disk_cache.load_text(name)
    if text is None:
        return None
    try:
        return _from_cached(house, msgspec.json.decode(text, type=_CachedResult))
    except (TypeError, KeyError, ValueError, msgspec.DecodeError):
        return None  # damaged: the caller solves again


def _texts(shares: Any) -> dict[str, str]:
    return {name: str(value) for name, value in shares.items()}


def _shares(texts: dict[str, str]) -> dict[str, Fraction]:
    return {name: Fraction(value) for name, value in texts.items()}


def _to_cached(result: MainResult) -> _CachedResult:
    return _CachedResult(
        ev=str(result.ev),
        deals=result.deals,
        chart=[(row.hand, row.deals, _texts(row.options), row.best) for row in result.chart],
        distribution=[(str(net), count) for net, count in result.distribution.items()],
        components=_texts(result.components),
        outcomes={name: _texts(ends) for name, ends in result.outcomes_by_wager.items()},
        actions={street: _texts(taken) for street, taken in result.actions.items()},
        average_wager=str(result.average_wager),
        streets=[
            _CachedStreet(
                street.street,
                street.situations,
                dict(street.actions),
                [(close.hand, close.board, str(close.gain)) for close in street.marginal],
            )
            for street in result.streets
        ],
    )


def _from_cached(house: House, cached: _CachedResult) -> MainResult:
    from croupier.analysis.payoffs import opening_stakes

    return MainResult(
        game=house.game.key,
        digest=house.digest,
        setting=main_key(house),
        ante=house.game.ante.name,
        compulsory=sum(opening_stakes(house.game).values()),
        ev=Fraction(cached.ev),
        deals=cached.deals,
        chart=tuple(
            ChartRow(hand=hand, deals=deals, options=_shares(options), best=best)
            for hand, deals, options, best in cached.chart
        ),
        distribution={Fraction(net): count for net, count in cached.distribution},
        components=_shares(cached.components),
        outcomes_by_wager={name: _shares(ends) for name, ends in cached.outcomes.items()},
        actions={street: _shares(taken) for street, taken in cached.actions.items()},
        average_wager=Fraction(cached.average_wager),
        streets=tuple(
            StreetSummary(
                street=street.street,
                situations=street.situations,
                actions=street.actions,
                marginal=tuple(
                    CloseDecision(hand, board, Fraction(gain))
                    for hand, board, gain in street.marginal
                ),
            )
            for street in cached.streets
        ),
    )
