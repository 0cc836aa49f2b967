"""Every paytable of the documents, as printed: the first line that covers a hand applies."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

import msgspec

from croupier.money import Pays, parse_pays
from croupier.rulebook.document_files import About, RuleDocument, document


class PaytableLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a paytable: the hand it names, what it pays and the clause that says so."""

    hand: str
    pays: Pays
    clause: str


class Paytable(msgspec.Struct, frozen=True, kw_only=True):
    """The lines of one table, in print order."""

    wager: str
    letter: str
    clause: str
    lines: tuple[PaytableLine, ...]


class MeterFloor(msgspec.Struct, frozen=True, kw_only=True):
    """The least initial and reset amount of a meter; 0 means the table has no such meter (A42)."""

    meter: str
    minimum_dollars: int
    clause: str


@cache
def _printed(book: RuleDocument) -> dict[str, dict[str, Any]]:
    return tomllib.loads(book.text(book.paytables))


def letters(about: About, wager: str) -> tuple[str, ...]:
    """The letters an operator may choose from; "fixed" where the document prints one table."""
    return tuple(_printed(document(about)).get(wager, {}))


def paytable(about: About, wager: str, letter: str) -> Paytable:
    """One table; the letter must be one of `letters`."""
    return _paytable(document(about), wager, letter)


@cache
def _paytable(book: RuleDocument, wager: str, letter: str) -> Paytable:
    table = _printed(book)[wager][letter]
    lines = tuple(_line(text) for text in table["lines"])
    return Paytable(wager=wager, letter=letter, clause=table["clause"], lines=lines)


def envy_schedule(about: About, letter: str, stake_dollars: int) -> Paytable:
    """What one envy bonus pays for a stake."""
    return paytable(about, "envy", f"{letter}{stake_dollars}")


def meter_floors(about: About, letter: str) -> tuple[MeterFloor, ...]:
    """The meters of a progressive paytable, in the document's order."""
    floors = _printed(document(about))["meters"][letter]
    return tuple(
        MeterFloor(meter=meter, minimum_dollars=floor["minimum"], clause=floor["clause"])
        for meter, floor in floors.items()
    )


def _line(text: str) -> PaytableLine:
    hand, *pays, clause = text.split()
    return PaytableLine(hand=hand, pays=parse_pays(" ".join(pays)), clause=clause)
