"""Notices that a layout or a sign shows, derived from the terms of a House."""

from __future__ import annotations

from croupier.games.game import AnyHouse, Street
from croupier.money import dollars
from croupier.wording import join_words

MULTIPLICATION_SIGN = "\N{MULTIPLICATION SIGN}"
GENERIC_LIMIT = "Subject to the posted payout limit"
NO_LIMIT = "No payout limit per hand"


def multiples_notice(house: AnyHouse) -> str:
    """The multiples of the ante of each decision wager; equal wagers are combined."""
    titles_by_bets: dict[str, list[str]] = {}
    for wager in house.game.wagers:
        if wager.role == "decision":
            titles_by_bets.setdefault(_bets(house, wager.name), []).append(wager.title)
    return "; ".join(
        f"{join_words(titles, 'and')} {bets}" for bets, titles in titles_by_bets.items()
    )


def _bets(house: AnyHouse, wager: str) -> str:
    """The multiples of one wager on each street where it can be made."""
    game = house.game
    bets = [
        (multiples, street.when)
        for street in game.streets
        if (multiples := bet_multiples(street, wager, any_amount=game.any_amount(house)))
    ]
    (first, when), *later = bets
    if not later:
        return f"{first} the {game.ante.title}"
    return ", ".join([f"{first} the {game.ante.title} {when}", *map(" ".join, later)])


def bet_multiples(street: Street, wager: str, *, any_amount: bool) -> str:
    """The multiples of a wager on a street, "3x or 4x"; "" if it has none."""
    multiples = sorted(option.times for option in street.options if option.wager == wager)
    if any_amount and len(multiples) > 1:
        return f"{multiples[0]}{MULTIPLICATION_SIGN} to {multiples[-1]}{MULTIPLICATION_SIGN}"
    return join_words([f"{number}{MULTIPLICATION_SIGN}" for number in multiples], "or")


def odds_on_sign(house: AnyHouse) -> bool:
    """Whether the operator posts the odds on a sign."""
    return bool(house.choices.odds_display == "sign")


def notices_on_sign(house: AnyHouse) -> bool:
    """Whether the operator posts the notices on a sign."""
    return getattr(house.choices, "notices_display", "felt") == "sign"


def limit_on_sign(house: AnyHouse) -> bool:
    """Whether the layout only refers to a posted payout limit."""
    return getattr(house.choices, "payout_limit_notice", "amount") == "generic_reference"


def limit_notice(house: AnyHouse) -> str:
    """The payout limit, as an amount or a generic reference by choice (A154)."""
    return GENERIC_LIMIT if limit_on_sign(house) else limit_amount_notice(house)


def limit_amount_notice(house: AnyHouse) -> str:
    """The payout limit in dollars; a sign shows it where the layout has a generic reference."""
    if house.payout_limit is None:
        return NO_LIMIT
    return f"Payout limit {dollars(house.payout_limit).removesuffix('.00')} per hand"
