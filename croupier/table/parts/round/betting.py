"""Betting before "no more bets": placing, changing and withdrawing wagers (chapter 7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.games import House, Wager
from croupier.money import Cents, dollars
from croupier.table.core.messages import Event
from croupier.table.core.roles import Account
from croupier.table.parts.disabling import check_enabled
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round.meter_pools import contributions
from croupier.table.parts.round.state import Round

if TYPE_CHECKING:
    from croupier.table.table import Table


def place_wagers(table: Table, command: msg.PlaceWagers, by: Account, at: int) -> list[Event]:
    """Accept all wagers of the command or none."""
    return place_wagers_under(table.house, table, command, by)


def check_seat(table: Table, seat: int) -> None:
    """Refuse a seat that the table does not have."""
    if not 1 <= seat <= table.house.positions:
        problem = f"there is no seat {seat}; expected 1 to {table.house.positions}"
        raise table.refusal(problem, "seats")


def place_wagers_under(
    house: House, table: Table, command: msg.PlaceWagers, by: Account
) -> list[Event]:
    """Place wagers under another House, whose limits were accepted for this box."""
    current = table.open_round
    if current and current.betting_closed:
        raise table.refusal(
            'wagers cannot be placed, changed or withdrawn after "no more bets"', "late"
        )
    if current is None:
        check_enabled(table)
    seat = command.seat
    check_seat(table, seat)
    box = current.boxes.get(seat) if current else None
    stakes = dict(box.stakes) if box else {}
    for name, amount in in_wager_order(house, command.wagers).items():
        check_offered(house, name)
        if amount < 0:
            raise Refusal(
                f"{name} must be a whole number of cents, 0 or more, got {amount}",
                house.cite("chips")[0],
                game=house.game.key,
            )
        stakes[name] = amount
    if box:  # merged with the wagers already on the box
        stakes = in_wager_order(house, stakes)
    stakes = {name: amount for name, amount in stakes.items() if amount}
    player = command.player or (box.player if box else box_owner(table, seat, by))
    if stakes:
        check_box(house, stakes)
    check_adjacent(table, current, seat, player, bool(stakes))
    events: list[Event] = []
    if current is None:
        number = table.rounds_played + 1
        events.append(
            msg.RoundOpened(number=number, house=house.digest, clauses=house.cite("round"))
        )
    wagers = tuple(stakes)
    clauses = cite_placing(house, wagers)
    events.append(msg.WagersPlaced(seat=seat, player=player, stakes=stakes, clauses=clauses))
    return events


def cite_placing(house: House, wagers: tuple[str, ...]) -> tuple[str, ...]:
    """The clauses on placing these wagers."""
    clauses = [clause for wager in wagers for clause in house.cite(f"place.{wager}")]
    return tuple(dict.fromkeys(clauses))


def in_wager_order(house: House, wagers: Mapping[str, Cents]) -> dict[str, Cents]:
    """Wagers in the order of the game's wager list; unknown ones last, by name."""
    ordered = {w.name: wagers[w.name] for w in house.game.wagers if w.name in wagers}
    if len(ordered) != len(wagers):
        ordered |= {name: wagers[name] for name in sorted(wagers.keys() - ordered.keys())}
    return ordered


def box_owner(table: Table, seat: int, by: Account) -> str:
    """The default owner of a new box: the bettor, or the seat at a table without accounts."""
    return f"seat {seat}" if table.service == "rounds" else by.id


def check_offered(house: House, name: str) -> Wager:
    """The wager with this name; refused unless it is offered before the deal."""
    game = house.game
    wager = game.wager(name)
    if wager is None or not house.offers(name):
        offered = ", ".join(w.name for w in game.wagers if is_placeable(house, w))
        clause = wager.clause if wager else house.cite("required")[0]
        raise Refusal(f"{name} is not offered here; offered: {offered}", clause, game=game.key)
    if wager.role == "decision":
        raise Refusal(
            f"{name} is made during the round, not before the deal",
            house.cite("required")[0],
            game=game.key,
        )
    return wager


def is_placeable(house: House, wager: Wager) -> bool:
    """Whether the wager can be placed before the deal."""
    return house.offers(wager.name) and wager.role != "decision"


def check_box(house: House, stakes: dict[str, Cents]) -> None:
    """Refuse a box that breaks a rule by itself: required wagers, equal amounts, limits."""
    game = house.game

    def refuse(problem: str, clause: str) -> Refusal:
        return Refusal(problem, clause, game=game.key)

    required = house.cite("required")[0]
    ante_name = game.ante.name
    ante = stakes.get(ante_name, 0)
    if not ante:
        first = next(iter(stakes))
        raise refuse(f"place the {ante_name} before {first}", required)
    for wager in game.wagers:
        stake = stakes.get(wager.name, 0)
        if wager.role == "matching" and stake != ante:
            got = dollars(stake) if stake else "nothing"
            raise refuse(
                f"{wager.name} must equal {ante_name} ({dollars(ante)}), got {got}", wager.clause
            )
        if not stake:
            continue
        terms = house.progressive if wager.role == "progressive" else None
        if terms is not None and stake != terms.stake:
            expected = dollars(terms.stake)
            raise refuse(f"{wager.name} must be {expected}, got {dollars(stake)}", "A47")
        limits = house.limits.get(wager.name)
        if limits is None:
            continue
        if stake < limits.minimum or (limits.maximum is not None and stake > limits.maximum):
            most = dollars(limits.maximum) if limits.maximum is not None else "no maximum"
            raise refuse(
                f"{wager.name} must be {dollars(limits.minimum)} to {most}, got {dollars(stake)}",
                house.cite("limits")[0],
            )
    for name, needed in house.prerequisites.items():
        if name in stakes and needed not in stakes:
            raise refuse(f"{name} needs a {needed} wager first", house.cite("prerequisite")[0])
    if house.choices.chip_rounding == "require_even_ante" and ante % 200:
        raise refuse(f"{ante_name} must be an even number of dollars, got {dollars(ante)}", "A24")


def check_adjacent(
    table: Table, current: Round | None, seat: int, player: str, betting: bool
) -> None:
    """Refuse more boxes per player than the House allows, or boxes that are not adjacent."""
    boxes = current.boxes if current else {}
    own = {number for number, box in boxes.items() if box.player == player and number != seat}
    if betting:
        own.add(seat)
    most = table.house.max_adjacent_boxes
    if len(own) > most:
        raise table.refusal(f"{player} may bet on at most {most} box(es), got {len(own)}", "boxes")
    if own and max(own) - min(own) != len(own) - 1:
        seats = ", ".join(map(str, sorted(own)))
        raise table.refusal(f"the boxes of {player} must be adjacent, got {seats}", "boxes")


def no_more_bets(table: Table, command: msg.NoMoreBets, by: Account, at: int) -> list[Event]:
    """Close betting, lock the progressive system and contribute to the meters."""
    house = table.house
    current = table.open_round
    if current is None or not current.boxes:
        raise table.refusal("no wagers are placed", "required")
    if current.betting_closed:
        raise table.refusal("betting is already closed", "no_more_bets")
    seats = tuple(sorted(current.boxes))
    events: list[Event] = [
        msg.BettingClosed(seats=seats, clauses=house.cite("no_more_bets")),
    ]
    if house.offers("progressive"):
        stakes = [box.stakes.get("progressive", 0) for box in current.boxes.values()]
        events.append(
            msg.ProgressiveLocked(
                accepted=sum(map(bool, stakes)),
                contributions=contributions(house, sum(stakes), table.meters),
                clauses=house.cite("lock"),
            )
        )
    return events
