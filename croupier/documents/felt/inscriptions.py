"""What a felt and a sign have to say: the odds of every wager on offer and the notices.

Nothing is stated here: odds come from paytables and settlement, notices from the game.
"""

from __future__ import annotations

import msgspec

from croupier.games import House, title
from croupier.games.layout_notices import limit_amount
from croupier.games.odds import Schedule, schedules
from croupier.money import dollars

ALWAYS = "Every win"


class Inscription(msgspec.Struct, frozen=True):
    """A notice in words, with the clauses that command it."""

    name: str
    words: str
    clauses: tuple[str, ...]


class Odds(msgspec.Struct, frozen=True):
    """The odds of some wagers as they are inscribed: a heading and lines of hand and payout."""

    name: str
    heading: str
    wagers: tuple[str, ...]
    lines: tuple[tuple[str, str], ...]
    clauses: tuple[str, ...]


def odds(house: House) -> tuple[Odds, ...]:
    """The odds of every wager on offer."""
    return tuple(_odds(house, schedule) for schedule in schedules(house))


def _odds(house: House, schedule: Schedule) -> Odds:
    heading = schedule.title
    if schedule.name == "progressive" and house.progressive is not None:
        heading += f" {dollars(house.progressive.stake).removesuffix('.00')}"
    return Odds(
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
    """The notices of the game that are true here."""
    found = []
    for notice in house.game.layout.notices:
        if words := notice.words(house):
            clauses = house.cite(f"layout.notice.{notice.name}", optional=True)
            found.append(Inscription(notice.name, words, clauses))
    return tuple(found)


def odds_on_sign(house: House) -> bool:
    """Whether the operator chose to post the odds."""
    return bool(house.choices.odds_display == "sign")


def notices_on_sign(house: House) -> bool:
    """Whether the operator chose to post the notices."""
    return getattr(house.choices, "notices_display", "felt") == "sign"


def amount(house: House) -> str:
    """The payout limit in dollars; nothing where there is none."""
    return "" if house.payout_limit is None else limit_amount(house)


def posted_notices(house: House, *, everything: bool) -> tuple[Inscription, ...]:
    """The notices of a sign; a limit that the felt only refers to is posted in dollars."""
    found = []
    for said in notices(house):
        if said.name == "limit" and said.words != amount(house):
            found.append(msgspec.structs.replace(said, words=amount(house)))
        elif everything:
            found.append(said)
    return tuple(found)
