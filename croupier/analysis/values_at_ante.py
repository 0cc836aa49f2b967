"""Values as offered at an ante: with rounded winnings and the payout limit applied."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from croupier.analysis.parallel import Progress, no_progress
from croupier.analysis.result_cache import main_value
from croupier.analysis.results import ValueAtAnte
from croupier.errors import BadInput
from croupier.games import House
from croupier.money import Cents, dollars

if TYPE_CHECKING:
    from collections.abc import Mapping

STEPS = (1, 2, 5)  # times every power of ten, in dollars
UNLIMITED = 100  # largest ante as a multiple of the minimum, where no maximum is set


def check_ante(house: House, ante: Cents) -> None:
    """Raise `BadInput` if the ante is outside the House's limits."""
    wager = house.game.ante
    limits = house.limits.get(wager.name)
    least = limits.minimum if limits else 1
    most = limits.maximum if limits else None
    if ante < least or (most is not None and ante > most):
        up_to = "any amount" if most is None else dollars(most)
        raise BadInput(
            f"an ante of {dollars(ante)} is outside the limits; expected {dollars(least)} to "
            f"{up_to} [{house.game.key} {wager.clause}]"
        )


def antes(house: House) -> list[Cents]:
    """The minimum and maximum ante, and round amounts between them."""
    limits = house.limits.get(house.game.ante.name)
    least = limits.minimum if limits else 100
    most = (limits.maximum if limits else None) or least * UNLIMITED
    between = [step * 10**power for power in range(2, 10) for step in STEPS]
    return sorted({least, most, *(ante for ante in between if least < ante < most)})


def values_by_ante(house: House, progress: Progress | None = None) -> tuple[ValueAtAnte, ...]:
    """The main game's value from the minimum ante to the maximum.

    Antes with identical payouts are solved once.
    """
    report = progress or no_progress
    solved: dict[tuple[Fraction, ...], Fraction] = {}
    values = []
    amounts = antes(house)
    for position, ante in enumerate(amounts):
        report(position / len(amounts), f"ante {dollars(ante)}")
        nets = possible_nets(house, ante)
        if nets not in solved:
            solved[nets] = main_value(house, ante)
        values.append(ValueAtAnte(ante, solved[nets]))
    report(1.0, "antes")
    return tuple(values)


def possible_nets(house: House, ante: Cents | None) -> tuple[Fraction, ...]:
    """Every net result that can occur, in antes: Houses with the same ones have the same value."""
    from croupier.analysis.payoffs import opening_stakes, payoffs_at

    money = payoffs_at(house, ante)
    opening = opening_stakes(house.game)
    main = [
        facts
        for facts in house.every_facts()
        if any(result.wager in opening for result in house.settle(facts))
    ]
    return tuple(
        value for stakes in _stakes(house) for value in money.by_code(main, {**opening, **stakes})
    )


def _stakes(house: House) -> Iterator[Mapping[str, int]]:
    """Every combination of bets that the streets allow."""
    streets = [
        [(option.wager, option.times) for option in street.options] for street in house.game.streets
    ]
    for chosen in product(*streets):
        yield {wager: times for wager, times in chosen if times}
