"""Required inscriptions of a felt and sign: the odds of every offered wager, and notices.

Odds come from the paytables and settlement, notices from the game.
"""

from __future__ import annotations

import msgspec

from croupier.documents.patron_sentences import wager_descriptions
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
    """An inscribed block of odds: a heading, lines of hand and payout, and what decides them."""

    name: str
    heading: str
    wagers: tuple[str, ...]
    lines: tuple[tuple[str, str], ...]
    clauses: tuple[str, ...]
    basis: str = ""  # "your best five of seven cards"; "" if it is inscribed elsewhere

    @property
    def sentence(self) -> str:
        """The basis as a notice."""
        return f"{self.heading}: {self.basis}"


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
        basis=_basis(house, schedule),
    )


def _basis(house: House, schedule: Schedule) -> str:
    """The cards that decide the wagers of a schedule."""
    described = {each.name: each for each in wager_descriptions(house)}
    if schedule.name in described and schedule.name not in schedule.wagers:  # the envy bonus
        return described[schedule.name].decided_by
    wagers = [described[name] for name in schedule.wagers if described[name].decided_by]
    if len({wager.decided_by for wager in wagers}) == 1:
        return wagers[0].decided_by
    return "; ".join(f"{wager.title}: {wager.decided_by}" for wager in wagers)


def bases(house: House) -> tuple[Inscription, ...]:
    """The cards that decide each wager, as notices of a sign."""
    return tuple(
        Inscription(f"basis-{block.name}", block.sentence, block.clauses)
        for block in odds(house)
        if block.basis
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


def posted_notices(house: House, *, everything: bool) -> tuple[Inscription, ...]:
    """The notices of a sign; a payout limit that the felt only refers to is posted in dollars."""
    posted = []
    for notice in notices(house):
        if notice.name == "limit" and notice.words != limit_amount_notice(house):
            posted.append(msgspec.structs.replace(notice, words=limit_amount_notice(house)))
        elif everything:
            posted.append(notice)
    return tuple(posted)
