"""Notices that follow from what a House is, in the words that a layout or a sign carries."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.game import AnyHouse, Street
from croupier.money import dollars

MULTIPLICATION_SIGN = "\N{MULTIPLICATION SIGN}"
POSTED_LIMIT = "Subject to the posted payout limit"


def multiples_notice(house: AnyHouse) -> str:
    """How much each later wager is in antes; wagers that are made alike are told together."""
    alike: dict[str, list[str]] = {}
    for wager in house.game.wagers:
        if wager.role == "decision":
            alike.setdefault(made(house, wager.name), []).append(wager.title)
    return "; ".join(f"{join_words(titles, 'and')} {how}" for how, titles in alike.items())


def made(house: AnyHouse, wager: str) -> str:
    """How one wager is made, at each moment at which it can be."""
    game = house.game
    moments = [
        (told, street.when)
        for street in game.streets
        if (told := bet_multiples(street, wager, any_amount=game.any_amount(house)))
    ]
    (first, when), *later = moments
    if not later:
        return f"{first} the {game.ante.title}"
    return ", ".join([f"{first} the {game.ante.title} {when}", *map(" ".join, later)])


def bet_multiples(street: Street, wager: str, *, any_amount: bool) -> str:
    """The multiples of a wager on a street; nothing if it has none."""
    found = sorted(option.times for option in street.options if option.wager == wager)
    if any_amount and len(found) > 1:
        return f"{found[0]}{MULTIPLICATION_SIGN} to {found[-1]}{MULTIPLICATION_SIGN}"
    return join_words([f"{number}{MULTIPLICATION_SIGN}" for number in found], "or")


def limit_notice(house: AnyHouse) -> str:
    """The payout limit as the operator chose to inscribe it; nothing where there is none."""
    if house.payout_limit is None:
        return ""
    generic = getattr(house.choices, "payout_limit_notice", "") == "generic_reference"
    return POSTED_LIMIT if generic else limit_amount_notice(house)


def limit_amount_notice(house: AnyHouse) -> str:
    """The payout limit in dollars, which is what a generic inscription refers to."""
    assert house.payout_limit is not None, f"{house.game.key} has no payout limit here"
    return f"Payout limit {dollars(house.payout_limit).removesuffix('.00')} per hand"


def join_words(words: Sequence[str], link: str) -> str:
    """ "a, b or c"."""
    *before, last = words or [""]
    return f"{', '.join(before)} {link} {last}" if before else last
