"""Private practice tables: each player has one of their own for each practice table of the floor.

It has the House of that table, the player seated with chips, and companions only on request.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from croupier.clock import now_ms
from croupier.errors import Refusal
from croupier.money import Cents
from croupier.server import protocol as msg
from croupier.server.auth.person import private_table_id
from croupier.server.tables.host import TableHost
from croupier.table import Account, Envelope
from croupier.table import commands as cmd

if TYPE_CHECKING:
    from croupier.server.floor import Floor

CHIPS: Cents = 500_00  # bought for a player who has none


async def open_private_table(floor: Floor, shared: TableHost, player: Account) -> TableHost:
    """The player's own table under the House of a practice table, with the player seated."""
    if shared.driver is None or shared.is_private:
        raise Refusal(f"{shared.id} has no private tables; take a seat there", "seated")
    id = private_table_id(shared.id, player.id)
    host = await floor.open(id, shared.table.submitted, service="practice")
    dealer = floor.dealers[id]
    if host.table.seats.seat_of(player.id) is None:
        middle = (host.table.house.positions + 1) // 2
        await host.execute(_envelope(player, cmd.SitDown(middle)))
    if not host.table.book.rack(player.id) and not host.table.boxes_of(player.id):
        await dealer.ask(msg.BuyChips(CHIPS), player, secrets.token_hex(12))
    return host


def _envelope(by: Account, command: cmd.SitDown) -> Envelope:
    return Envelope(secrets.token_hex(12), by, now_ms(), command)
