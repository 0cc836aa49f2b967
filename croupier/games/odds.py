"""The posted odds of every offered wager: from its paytable, or from settlement."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from croupier.games.house import House
from croupier.money import Pays
from croupier.rulebook import PaytableLine


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of some wagers, in print order; a line without a hand applies to every win."""

    name: str
    title: str
    wagers: tuple[str, ...]
    clause: str
    lines: tuple[PaytableLine, ...]


def schedules(house: House) -> tuple[Schedule, ...]:
    """The odds of every offered wager, each in one schedule; the envy bonus follows its wager."""
    return (*_without_paytable(house), *_shared_paytables(house), *_paytables(house))


def paytable_lines(house: House, wager: str) -> tuple[PaytableLine, ...]:
    """The lines of a wager's own paytable; empty if it has none."""
    if wager in house.letters or wager in house.game.fixed_paytables:
        return house.paytable(wager).lines
    return ()


def settlement_odds(house: House, wager: str) -> dict[str, list[Pays]]:
    """The odds at which settlement pays a wager, by clause, lowest first."""
    odds: dict[str, list[Pays]] = {}
    for results in house.tabulate().values():
        for result in results:
            if result.wager == wager and result.outcome == "win":
                clause_odds = odds.setdefault(result.clause, [])
                if result.pays not in clause_odds:
                    clause_odds.append(result.pays)
    for clause_odds in odds.values():
        clause_odds.sort(key=lambda pays: Fraction(pays.win, pays.per))
    return dict(sorted(odds.items()))


def _without_paytable(house: House) -> Iterator[Schedule]:
    """Wagers without a paytable; those with equal odds are combined."""
    wagers_by_lines: dict[tuple[PaytableLine, ...], list[str]] = {}
    for wager in house.game.wagers:
        shared = wager.pays_as(house)
        if house.offers(wager.name) and not shared and not paytable_lines(house, wager.name):
            lines = tuple(
                PaytableLine(hand="", pays=pays, clause=clause)
                for clause, odds in settlement_odds(house, wager.name).items()
                for pays in odds
            )
            wagers_by_lines.setdefault(lines, []).append(wager.name)
    for lines, wagers in wagers_by_lines.items():
        yield _schedule(house, wagers[0], wagers, lines[0].clause, lines)


def _shared_paytables(house: House) -> Iterator[Schedule]:
    """Paytables that several wagers share."""
    for table in house.game.fixed_paytables:
        wagers = [
            wager.name
            for wager in house.game.wagers
            if house.offers(wager.name) and wager.pays_as(house) == table
        ]
        if wagers:
            paytable = house.paytable(table)
            yield _schedule(house, table, wagers, paytable.clause, paytable.lines)


def _paytables(house: House) -> Iterator[Schedule]:
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
