"""Linked tables against the stream of their shared meters: the two must tell the same story."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from croupier.ledger import codec
from croupier.ledger import events as lev
from croupier.ledger.groups import PREFIX as GROUP
from croupier.ledger.segments import TABLE, Checked, Place
from croupier.ledger.store import Store

DAYS = "days"


def check(store: Store, found: list[Checked]) -> Iterator[Place]:
    """Every contribution and award of a linked table has its twin in the group, in order."""
    groups = [checked for checked in found if checked.stream.startswith(GROUP)]
    twins: dict[str, list[list[Any]]] = {}
    for group in groups:
        for table, moves in group.group_moves.items():
            twins.setdefault(table, []).extend(moves)
    values = {group.stream: group.values for group in groups}
    tables: dict[str, list[Checked]] = {}
    for checked in found:
        if checked.stream.startswith(TABLE):
            tables.setdefault(checked.stream, []).append(checked)
    for stream, parts in sorted(tables.items()):
        parts.sort(key=lambda checked: checked.end)
        own = [move for part in parts for move in part.moves]
        yield from _compare(stream, own, twins.pop(stream, []))
        for part in parts:
            for sequence, position, meters in part.reads:
                if not any(held.get(position) == meters for held in values.values()):
                    yield stream, sequence, "read values that the shared meters did not have"
    for stream in twins:
        yield stream, 0, "the shared meters name a table that is not on record"
    yield from _check_days(store)


def _check_days(store: Store) -> Iterator[Place]:
    """What was closed and signed must be a head of this very record."""
    for row in store.read(DAYS):
        event = codec.decode(row)
        if isinstance(event, lev.DayClosed):
            number, signed = event.number, event.head
        elif isinstance(event, lev.HeadSigned):
            statement = msgspec.json.decode(event.statement)
            number, signed = statement["number"], statement["head"]
        else:
            continue
        found = next(store.heads(after=number - 1), None)
        if found is None or (found.number, found.hash) != (number, signed):
            yield DAYS, row.sequence, f"head {number} is not the one that was named"


def _compare(
    stream: str, moves: list[tuple[int, list[Any]]], twins: list[list[Any]]
) -> Iterator[Place]:
    waiting = iter(twins)
    for sequence, move in moves:
        if move[0] == "void":
            continue  # it may give back nothing; what it does give back is checked by values
        twin = next((twin for twin in waiting if not _gives_back(twin, move)), None)
        if twin is None or twin[: len(move)] != move:
            yield stream, sequence, f"the shared meters have {twin} where the table has {move}"
            return
    left = [twin for twin in waiting if not _gives_back(twin, None)]
    if left:
        yield stream, 0, f"the shared meters have {left[0]}, which the table does not"


def _gives_back(twin: list[Any], move: list[Any] | None) -> bool:
    """Whether a group's entry is the return of a voided round, which names amounts, not values."""
    if twin[0] != "fed" or not twin[4]:
        return False
    return move is None or move[0] != "fed" or twin[2] != move[2]
