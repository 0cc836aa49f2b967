"""Table endpoints: the lobby, and the House, felt and state of a table."""

from __future__ import annotations

from functools import cache

from starlette.requests import Request
from starlette.responses import Response

from croupier.documents.felt import Felt, felt
from croupier.games import House, Wager
from croupier.rulebook import clauses
from croupier.server import protocol as msg
from croupier.server.http.endpoint import EndpointGroup, Query, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.static_files import IMMUTABLE
from croupier.server.practice.private_tables import open_private_table
from croupier.server.tables.frames import snapshot
from croupier.table import Account

ROLE = Query("role", "The role to act or look in, for a person with several.")


class TableEndpoints(EndpointGroup):
    """What a person may see of the tables."""

    @endpoint("GET", "/tables", gives=msg.Lobby, cost=5)
    async def lobby(self, request: Request) -> Response:
        """Every table at which the person has a role."""
        return json_response(self.floor.lobby(await self.guard.person(request)))

    @endpoint("POST", "/tables/{table}/private", gives=msg.PrivateTable, errors="422")
    async def private(self, request: Request) -> Response:
        """Open the player's own table under the House of a practice table, with a seat."""
        person, host, roles = await self.guard.command_access(request, "private table")
        if "player" not in roles:
            await self.guard.deny(request, person.id, "private table", "not a player")
            raise Forbidden(f"{person.id} is not a player here")
        own = await open_private_table(self.floor, host, Account(person.id, "player"))
        return json_response(msg.PrivateTable(own.id))

    @endpoint("GET", "/tables/{table}", gives=msg.HouseCard)
    async def house(self, request: Request) -> Response:
        """The House of a table: wagers, limits, paytables, streets and clauses."""
        host = (await self.guard.table_access(request, "look")).host
        return json_response(house_card(host.id, host.table.submitted))

    @endpoint("GET", "/tables/{table}/felt.svg", documented=False, cost=20)
    async def felt(self, request: Request) -> Response:
        """The drawing of a table's felt, which browsers keep if the address names the House."""
        house = (await self.guard.table_access(request, "look")).host.table.submitted
        named = request.query_params.get("house") == house.digest
        headers = {"cache-control": f"private, {IMMUTABLE}"} if named else None
        return Response(cached_felt(house).svg(), headers=headers, media_type="image/svg+xml")

    @endpoint("GET", "/tables/{table}/state", gives=msg.SnapshotFrame, query=(ROLE,), cost=5)
    async def state(self, request: Request) -> Response:
        """A snapshot: the first frame of a feed."""
        access = await self.guard.table_access(request, "look")
        role = await self.guard.requested_role(request, access, "look") or access.roles[0]
        account = Account(access.person.id, role)
        return json_response(snapshot(access.host, account, access.roles))


@cache
def cached_felt(house: House) -> Felt:
    """The felt of a House, drawn once: the browser shows what is printed."""
    return felt(house)


@cache
def house_card(table_id: str, house: House) -> msg.HouseCard:
    """The message that describes a House to a screen."""
    game = house.game
    return msg.HouseCard(
        id=table_id,
        game=game.key,
        title=game.title,
        tagline=game.tagline,
        operator=house.operator,
        digest=house.digest,
        player_cards=game.player_cards,
        dealer_cards=game.dealer_cards,
        community_cards=game.community_cards,
        places=game.layout.places,
        lines=dict(game.layout.lines),
        wagers=tuple(wager_card(house, wager) for wager in game.wagers if house.offers(wager.name)),
        streets=tuple(
            msg.StreetCard(
                street.name,
                street.when,
                street.clause,
                tuple(msg.OptionCard(o.word, o.clause, o.wager, o.times) for o in street.options),
                street.shown,
            )
            for street in game.streets
        ),
        clauses={clause.id: clause.summary for clause in clauses(game.document)},
        anchors=cached_felt(house).anchors(),
    )


def wager_card(house: House, wager: Wager) -> msg.WagerCard:
    """The message that describes a wager: limits, prerequisites, paytable."""
    limits = house.limits.get(wager.name)
    terms = house.progressive if wager.role == "progressive" else None
    has_paytable = wager.name in house.letters or wager.name in house.game.fixed_paytables
    lines = house.paytable(wager.name).lines if has_paytable else ()
    return msg.WagerCard(
        name=wager.name,
        title=wager.title,
        role=wager.role,
        clause=wager.clause,
        least=terms.stake if terms else limits.minimum if limits else 0,
        most=terms.stake if terms else limits.maximum if limits else None,
        equals=house.game.ante.name if wager.role == "matching" else "",
        needs=house.prerequisites.get(wager.name, ""),
        paytable=tuple(
            msg.PaytableRow(line.hand.replace("_", " "), str(line.pays)) for line in lines
        ),
    )
