"""Replays a recorded round entry by entry, as a camera or a seat saw it, or with all cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec

from croupier.errors import BadInput
from croupier.ledger import Ledger
from croupier.ledger.entry_codec import Recorded
from croupier.ledger.queries.rounds import read_round_entries
from croupier.server import protocol as msg
from croupier.server.tables.best_hand import visible_hands
from croupier.server.tables.subscription import box_owners
from croupier.table import Account, Table, Viewer, kind_of, shown, view
from croupier.table import events as ev
from croupier.table.core.views import round_view
from croupier.table.event_text import EventText, spoken_cards

VIEWPOINTS = ("camera", "whole")  # or the number of a seat


def replay_round_entries(
    ledger: Ledger, table_id: str, number: int, account: Account, eyes: str
) -> msg.RoundReplay:
    """A round as seen from a viewpoint; one in progress only from the camera."""
    entries = read_round_entries(ledger, table_id, number)
    over = any(type(event) is ev.RoundClosed for event in entries[-1].events)
    if not over and eyes != "camera":
        raise BadInput(f"round {number} is in progress: only the camera view is available")
    table = ledger.table_at(table_id, entries[0].position)
    return msg.RoundReplay(
        table=table_id,
        round=number,
        eyes=eyes,
        over=over,
        moments=tuple(_moments(table, entries, account, eyes)),
    )


def _moments(
    table: Table, entries: list[Recorded], account: Account, eyes: str
) -> Iterator[msg.Moment]:
    """The table after each entry, as seen from the viewpoint."""
    for entry in entries:
        for event in entry.events:
            table.evolve(event)
        viewer = _viewer(table, account, eyes)
        table_view = view(table, viewer, entry.at)
        hands = visible_hands(table, viewer)
        if eyes == "whole" and table.round is not None:
            # The round is over: every card that was read is face up.
            open_round = replace(table.round, exposed=set(table.round.gone))
            table_view = msgspec.structs.replace(table_view, round=round_view(open_round, viewer))
        settled, players = eyes == "whole", box_owners(table)
        text = EventText(viewer, table.house.game, players, settled, spoken_cards)
        yield msg.Moment(
            sequence=entry.sequence,
            at=entry.at,
            by=str(entry.by),
            kind=kind_of(entry.envelope.command),
            events=tuple(shown(event, viewer, settled=settled) for event in entry.events),
            sentences=tuple(map(text.describe, entry.events)),
            view=table_view,
            hands=hands,
        )


def _viewer(table: Table, account: Account, eyes: str) -> Viewer:
    """The watcher, or the player who has the seat at that moment."""
    if eyes in VIEWPOINTS:
        return Viewer(account)
    seat = int(eyes)
    boxes = table.round.boxes if table.round is not None else {}
    player = boxes[seat].player if seat in boxes else ""
    own = frozenset(place for place, box in boxes.items() if player and box.player == player)
    return Viewer(Account(player or "nobody", "player"), own)
