"""Wagers before "no more bets": opened, changed, withdrawn, checked when accepted (chapter 7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.games import House, Wager
from croupier.money import Cents, dollars
from croupier.table.core.messages import Event
from croupier.table.core.roles import Account
from croupier.table.parts.round import messages as rec
from croupier.table.parts.round.meter_pools import contributions
from croupier.table.parts.round.state import Round

if TYPE_CHECKING:
    from croupier.table.table import Table

SEATS = 6


def place_wagers(table: Table, command: rec.PlaceWagers, by: Account, at: int) -> list[Event]:
    """Accept a box's stakes or refuse them as a whole."""
    return placed_under(table.house, table, command, by)


def placed_under(house: House, table: Table, command: rec.PlaceWagers, by: Account) -> list[Event]:
    """The same under other limits, where stakes outside of them were accepted."""
    current = table.open_round
    if current and current.betting_closed:
        raise table.refusal(
            'a wager may not be made, increased or withdrawn after "no more bets"', "late"
        )
    seat = command.seat
    if not 1 <= seat <= SEATS:
        raise table.refusal(f"seat {seat} does not exist; expected 1 to {SEATS}", "seats")
    box = current.boxes.get(seat) if current else None
    stakes = dict(box.stakes) if box else {}
    for name, amount in in_order(house, command.wagers).items():
        check_offered(house, name)
        if amount < 0:
            raise Refusal(
                f"{name} must be a whole number of cents, 0 or more, got {amount}",
                house.cite("window")[0],
                game=house.game.key,
            )
        stakes[name] = amount
    if box:  # some lay there before
        stakes = in_order(house, stakes)
    stakes = {name: amount for name, amount in stakes.items() if amount}
    player = command.player or (box.player if box else owner(table, seat, by))
    if stakes:
        check_box(house, stakes)
    check_adjacent(table, current, seat, player, bool(stakes))
    opened: list[Event] = []
    if current is None:
        number = table.rounds_played + 1
        opened.append(
            rec.RoundOpened(number=number, house=house.digest, clauses=house.cite("round"))
        )
    wagers = tuple(stakes)
    clauses = house.cite_cached(("place", *wagers), lambda: cite_placing(house, wagers))
    placed = rec.WagersPlaced(seat=seat, player=player, stakes=stakes, clauses=clauses)
    return [*opened, placed]


def cite_placing(house: House, wagers: tuple[str, ...]) -> tuple[str, ...]:
    """The clauses by which these wagers are placed."""
    found = [clause for wager in wagers for clause in house.cite(f"place.{wager}")]
    return tuple(dict.fromkeys(found))


def in_order(house: House, wagers: Mapping[str, Cents]) -> dict[str, Cents]:
    """As the game lists its wagers, whatever order they were written or read back in."""
    listed = {w.name: wagers[w.name] for w in house.game.wagers if w.name in wagers}
    if len(listed) != len(wagers):
        listed |= {name: wagers[name] for name in sorted(wagers.keys() - listed.keys())}
    return listed


def owner(table: Table, seat: int, by: Account) -> str:
    """Whose a new box is if nobody is named: whoever bets, or the seat where nobody has a name."""
    return f"seat {seat}" if table.service == "rounds" else by.id


def check_offered(house: House, name: str) -> Wager:
    """The wager by that name, if it may be placed before the deal here."""
    game = house.game
    wager = game.wager(name)
    if wager is None or not house.offers(name):
        offered = ", ".join(w.name for w in game.wagers if placeable(house, w))
        clause = wager.clause if wager else house.cite("required")[0]
        raise Refusal(f"{name} is not offered here; offered: {offered}", clause, game=game.key)
    if wager.role == "decision":
        raise Refusal(
            f"{name} is made during the round, not before the deal",
            house.cite("window")[0],
            game=game.key,
        )
    return wager


def placeable(house: House, wager: Wager) -> bool:
    """Whether a player may put the wager down before the deal."""
    return house.offers(wager.name) and wager.role != "decision"


def check_box(house: House, stakes: dict[str, Cents]) -> None:
    """Everything one box must fulfil by itself: required wagers, equal amounts, limits."""
    game = house.game

    def refuse(problem: str, clause: str) -> Refusal:
        return Refusal(problem, clause, game=game.key)

    required = house.cite("required")[0]
    ante_name = game.ante.name
    ante = stakes.get(ante_name, 0)
    if not ante:
        first = next(iter(stakes))
        raise refuse(f"{ante_name} is missing: it must be placed before {first}", required)
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
    """One person bets on neighbouring boxes only, and on no more of them than submitted."""
    boxes = current.boxes if current else {}
    own = {number for number, box in boxes.items() if box.player == player and number != seat}
    if betting:
        own.add(seat)
    most = table.house.max_adjacent_boxes
    if len(own) > most:
        raise table.refusal(f"{player} may bet on {most} box(es), got {len(own)}", "boxes")
    if own and max(own) - min(own) != len(own) - 1:
        listed = ", ".join(map(str, sorted(own)))
        raise table.refusal(f"the boxes of {player} must be adjacent, got {listed}", "boxes")


def no_more_bets(table: Table, command: rec.NoMoreBets, by: Account, at: int) -> list[Event]:
    """Close the betting, lock the progressive system and feed the meters."""
    house = table.house
    current = table.open_round
    if current is None or not current.boxes:
        raise table.refusal("nobody has placed a wager", "required")
    if current.betting_closed:
        raise table.refusal("the betting is closed already", "no_more_bets")
    seats = tuple(sorted(current.boxes))
    events: list[Event] = [
        rec.BettingClosed(seats=seats, clauses=house.cite("no_more_bets")),
    ]
    if house.offers("progressive"):
        stakes = [box.stakes.get("progressive", 0) for box in current.boxes.values()]
        events.append(
            rec.ProgressiveLocked(
                accepted=sum(map(bool, stakes)),
                contributions=contributions(house, sum(stakes), table.meters),
                clauses=house.cite("lock"),
            )
        )
    return events
