"""Main games that were worked out before: results on disk, by what is paid and by the solver.

Houses that pay the same in every case share a result, so a game is solved once although it is
looked at by its odds and as offered at an ante that nothing rounds or cuts.
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
from croupier.games.expected_returns import kept_shares, main_key
from croupier.money import Cents


class _Street(msgspec.Struct):
    street: str
    situations: int
    actions: dict[str, int]
    marginal: list[tuple[str, str, str]]


class _Kept(msgspec.Struct):
    """A result as it lies on disk, fractions as text."""

    ev: str
    deals: int
    chart: list[tuple[str, int, dict[str, str], str]]
    distribution: list[tuple[str, int]]
    components: dict[str, str]
    outcomes: dict[str, dict[str, str]]
    actions: dict[str, dict[str, str]]
    average_wager: str
    streets: list[_Street]


def cache_key(house: House, ante: Cents | None, kind: str = "main", solver: str = "") -> str:
    """The name under which a result is kept: who worked it out, the game and all that is paid."""
    from croupier.analysis.as_offered import possible_nets

    values = [*map(str, possible_nets(house, ante)), main_key(house), str(house.game.edition)]
    source = disk_cache.source_digest(solver or house.game.analysis.solver)
    digest = hashlib.sha256("\n".join(values).encode()).hexdigest()[:24]
    return f"{kind}-{source}-{house.game.key}-{digest}"


def main_result(
    house: House, progress: Progress | None = None, ante: Cents | None = None
) -> MainResult:
    """What `solve(house, ante=ante).result()` answers, from the disk where it is known."""
    report = progress or no_progress
    name = cache_key(house, ante)
    found = _loaded(house, name)
    if found is None:
        found = solve(house, progress=report, ante=ante).result()
        disk_cache.save_text(name, msgspec.json.encode(_written(found)))
    report(1.0, "solved")
    return found


def cached_main_distribution(house: House) -> dict[Fraction, Fraction] | None:
    """How often each net result of the main game comes, in antes, where that is known at once.

    Nothing is solved for it: it comes with the game, or from the disk.
    """
    shares = kept_shares(house)
    if shares is None and house.game.analysis.solver:
        found = _loaded(house, cache_key(house, None))
        if found is not None and found.distribution:
            counts = found.distribution.items()
            shares = {net: Fraction(count, found.deals) for net, count in counts}
    return shares


def recount_net_distributions(game_key: str) -> dict[str, dict[str, int]]:
    """The net results of a game under every setting, worked out anew, as they are kept."""
    from croupier.analysis import variants

    found = {}
    for settings in variants.combinations_of(find(game_key).analysis.main):
        house = variants.with_settings(variants.standard_house(game_key), settings)
        counts = sorted(main_result(house).distribution.items())
        found[main_key(house)] = {str(net): count for net, count in counts if count}
    return found


def main_value(house: House, ante: Cents | None = None) -> Fraction:
    """The value alone, which is quicker where nothing is known yet."""
    name = cache_key(house, ante)
    found = _loaded(house, name)
    if found is not None:
        return found.ev
    value = disk_cache.load_text(f"value-{name}")
    if value is not None:
        with contextlib.suppress(ValueError):  # damaged: worked out again
            return Fraction(value.decode())
    ev = solve(house, distribution=False, ante=ante).ev
    disk_cache.save_text(f"value-{name}", str(ev).encode())
    return ev


def _loaded(house: House, name: str) -> MainResult | None:
    text = disk_cache.load_text(name)
    if text is None:
        return None
    try:
        return _read(house, msgspec.json.decode(text, type=_Kept))
    except (TypeError, KeyError, ValueError, msgspec.DecodeError):
        return None  # what is kept is damaged


def _texts(shares: Any) -> dict[str, str]:
    return {name: str(value) for name, value in shares.items()}


def _shares(texts: dict[str, str]) -> dict[str, Fraction]:
    return {name: Fraction(value) for name, value in texts.items()}


def _written(result: MainResult) -> _Kept:
    return _Kept(
        ev=str(result.ev),
        deals=result.deals,
        chart=[(row.hand, row.deals, _texts(row.options), row.best) for row in result.chart],
        distribution=[(str(net), count) for net, count in result.distribution.items()],
        components=_texts(result.components),
        outcomes={name: _texts(ends) for name, ends in result.outcomes_by_wager.items()},
        actions={street: _texts(taken) for street, taken in result.actions.items()},
        average_wager=str(result.average_wager),
        streets=[
            _Street(
                street.street,
                street.situations,
                dict(street.actions),
                [(close.hand, close.board, str(close.gain)) for close in street.marginal],
            )
            for street in result.streets
        ],
    )


def _read(house: House, kept: _Kept) -> MainResult:
    from croupier.analysis.payoffs import opening_stakes

    return MainResult(
        game=house.game.key,
        digest=house.digest,
        setting=main_key(house),
        ante=house.game.ante.name,
        compulsory=sum(opening_stakes(house.game).values()),
        ev=Fraction(kept.ev),
        deals=kept.deals,
        chart=tuple(
            ChartRow(hand=hand, deals=deals, options=_shares(options), best=best)
            for hand, deals, options, best in kept.chart
        ),
        distribution={Fraction(net): count for net, count in kept.distribution},
        components=_shares(kept.components),
        outcomes_by_wager={name: _shares(ends) for name, ends in kept.outcomes.items()},
        actions={street: _shares(taken) for street, taken in kept.actions.items()},
        average_wager=Fraction(kept.average_wager),
        streets=tuple(
            StreetSummary(
                street=one.street,
                situations=one.situations,
                actions=one.actions,
                marginal=tuple(
                    CloseDecision(hand, board, Fraction(gain)) for hand, board, gain in one.marginal
                ),
            )
            for one in kept.streets
        ),
    )
