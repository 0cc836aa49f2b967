"""The paytables of the rule documents; the first line that covers a hand applies."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

import msgspec

from croupier.money import Pays, parse_pays
from croupier.rulebook.rule_document import DocumentRef, RuleDocument, find_document


class PaytableLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a paytable: a hand, its payout and the clause."""

    hand: str
    pays: Pays
    clause: str


class Paytable(msgspec.Struct, frozen=True, kw_only=True):
    """The lines of one paytable, in print order."""

    wager: str
    letter: str
    clause: str
    lines: tuple[PaytableLine, ...]


class MeterFloor(msgspec.Struct, frozen=True, kw_only=True):
    """The minimum initial and reset amount of a meter.

    0 means that the paytable does not have the meter (A42).
    """

    meter: str
    minimum_dollars: int
    clause: str


@cache
def _tables(document: RuleDocument) -> dict[str, dict[str, Any]]:
    return tomllib.loads(document.text(document.paytables))


def letters(game: DocumentRef, wager: str) -> tuple[str, ...]:
    """Return the paytable letters of a wager; ("fixed",) where the document prints one table."""
    return tuple(_tables(find_document(game)).get(wager, {}))


def paytable(game: DocumentRef, wager: str, letter: str) -> Paytable:
    """Return one paytable; the letter must be one of `letters`."""
    return _paytable(find_document(game), wager, letter)


@cache
def _paytable(document: RuleDocument, wager: str, letter: str) -> Paytable:
    table = _tables(document)[wager][letter]
    lines = tuple(_parse_line(text) for text in table["lines"])
    return Paytable(wager=wager, letter=letter, clause=table["clause"], lines=lines)


def envy_schedule(game: DocumentRef, letter: str, stake_dollars: int) -> Paytable:
    """Return the paytable of one envy bonus for a progressive stake."""
    return paytable(game, "envy", f"{letter}{stake_dollars}")


def meter_floors(game: DocumentRef, letter: str) -> tuple[MeterFloor, ...]:
    """Return the meters of a progressive paytable, in document order."""
    floors = _tables(find_document(game))["meters"][letter]
    return tuple(
        MeterFloor(meter=meter, minimum_dollars=floor["minimum"], clause=floor["clause"])
        for meter, floor in floors.items()
    )


def _parse_line(text: str) -> PaytableLine:
    hand, *pays, clause = text.split()
    return PaytableLine(hand=hand, pays=parse_pays(" ".join(pays)), clause=clause)
