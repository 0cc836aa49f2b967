"""The odds of every wager on offer: posted paytables, or what the settlement of the House pays."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from croupier.games.house import House
from croupier.money import Pays
from croupier.rulebook import PaytableLine


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """What some wagers are paid: lines in print order; a line without a hand pays every win."""

    name: str
    title: str
    wagers: tuple[str, ...]
    clause: str
    lines: tuple[PaytableLine, ...]


def schedules(house: House) -> tuple[Schedule, ...]:
    """What every offered wager pays, each wager in one schedule, with its envy bonus behind it."""
    return (*_even(house), *_shared(house), *_posted(house))


def paytable_lines(house: House, wager: str) -> tuple[PaytableLine, ...]:
    """The lines of a wager's own paytable; none if it is settled without one."""
    if wager in house.letters or wager in house.game.fixed_paytables:
        return house.paytable(wager).lines
    return ()


def settlement_odds(house: House, wager: str) -> dict[str, list[Pays]]:
    """Each clause that pays a wager without a paytable, with its odds, lowest to highest."""
    odds: dict[str, list[Pays]] = {}
    for results in house.tabulate().values():
        for result in results:
            if result.wager == wager and result.outcome == "win":
                found = odds.setdefault(result.clause, [])
                if result.pays not in found:
                    found.append(result.pays)
    for found in odds.values():
        found.sort(key=lambda pays: Fraction(pays.win, pays.per))
    return dict(sorted(odds.items()))


def _even(house: House) -> Iterator[Schedule]:
    """Wagers that every win pays alike, told together where they pay the same."""
    alike: dict[tuple[PaytableLine, ...], list[str]] = {}
    for wager in house.game.wagers:
        shared = wager.pays_as(house)
        if house.offers(wager.name) and not shared and not paytable_lines(house, wager.name):
            lines = tuple(
                PaytableLine(hand="", pays=pays, clause=clause)
                for clause, found in settlement_odds(house, wager.name).items()
                for pays in found
            )
            alike.setdefault(lines, []).append(wager.name)
    for lines, wagers in alike.items():
        yield _schedule(house, wagers[0], wagers, lines[0].clause, lines)


def _shared(house: House) -> Iterator[Schedule]:
    """Paytables without a spot of their own."""
    for table in house.game.fixed_paytables:
        paid = [
            wager.name
            for wager in house.game.wagers
            if house.offers(wager.name) and wager.pays_as(house) == table
        ]
        if paid:
            printed = house.paytable(table)
            yield _schedule(house, table, paid, printed.clause, printed.lines)


def _posted(house: House) -> Iterator[Schedule]:
    for wager in house.game.wagers:
        if house.offers(wager.name) and (lines := paytable_lines(house, wager.name)):
            clause = house.paytable(wager.name).clause
            yield _schedule(house, wager.name, [wager.name], clause, lines)
            if wager.role == "progressive":
                yield from _envy(house)


def _envy(house: House) -> Iterator[Schedule]:
    if table := house.envy_paytable():
        yield Schedule(
            name="envy",
            title="Envy Bonus",
            wagers=("progressive",),
            clause=table.clause,
            lines=table.lines,
        )


def _schedule(
    house: House, name: str, wagers: list[str], clause: str, lines: tuple[PaytableLine, ...]
) -> Schedule:
    titles = [wager.title for wager in house.game.wagers if wager.name in wagers]
    return Schedule(
        name=name, title=", ".join(titles), wagers=tuple(wagers), clause=clause, lines=lines
    )
