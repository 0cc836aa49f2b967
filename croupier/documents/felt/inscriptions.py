"""Required inscriptions of a felt and sign: the odds of every offered wager, and notices.

Odds come from the paytables and settlement, notices from the game.
"""

from __future__ import annotations

import msgspec

from croupier.games import House, title
from croupier.games.layout_notices import limit_amount_notice
from croupier.games.odds import Schedule, schedules
from croupier.money import dollars

ALWAYS = "Every win"


class Inscription(msgspec.Struct, frozen=True):
    """The text of a notice and the clauses that require it."""

    name: str
    words: str
    clauses: tuple[str, ...]


class OddsBlock(msgspec.Struct, frozen=True):
    """An inscribed block of odds: a heading and lines of hand and payout."""

    name: str
    heading: str
    wagers: tuple[str, ...]
    lines: tuple[tuple[str, str], ...]
    clauses: tuple[str, ...]


def odds(house: House) -> tuple[OddsBlock, ...]:
    """The odds of every offered wager."""
    return tuple(_odds_block(house, schedule) for schedule in schedules(house))


def _odds_block(house: House, schedule: Schedule) -> OddsBlock:
    heading = schedule.title
    if schedule.name == "progressive" and house.progressive is not None:
        heading += f" {dollars(house.progressive.stake).removesuffix('.00')}"
    return OddsBlock(
        name=schedule.name,
        heading=heading,
        wagers=schedule.wagers,
        lines=tuple((_hand(line.hand), str(line.pays)) for line in schedule.lines),
        clauses=house.cite("layout.odds", optional=True),
    )


def _hand(name: str) -> str:
    words = title(name) if name else ALWAYS
    return words[0].upper() + words[1:]


def notices(house: House) -> tuple[Inscription, ...]:
    """The notices of the game that apply to this House."""
    return tuple(
        Inscription(notice.name, words, house.cite(f"layout.notice.{notice.name}", optional=True))
        for notice in house.game.layout.notices
        if (words := notice.words(house))
    )


def odds_on_sign(house: House) -> bool:
    """Whether the operator posts the odds on a sign."""
    return bool(house.choices.odds_display == "sign")


def notices_on_sign(house: House) -> bool:
    """Whether the operator posts the notices on a sign."""
    return getattr(house.choices, "notices_display", "felt") == "sign"


def limit_inscription(house: House) -> str:
    """The inscription of the payout limit in dollars; empty if there is none."""
    return "" if house.payout_limit is None else limit_amount_notice(house)


def posted_notices(house: House, *, everything: bool) -> tuple[Inscription, ...]:
    """The notices of a sign; a payout limit that the felt only refers to is posted in dollars."""
    posted = []
    for notice in notices(house):
        if notice.name == "limit" and notice.words != limit_inscription(house):
            posted.append(msgspec.structs.replace(notice, words=limit_inscription(house)))
        elif everything:
            posted.append(notice)
    return tuple(posted)
