"""Watchlist: players whose recorded decisions fit the dealer's hidden cards too well."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec
from rich.console import Group
from rich.table import Table
from rich.text import Text

from croupier.cards import Card, parse_cards
from croupier.documents.formatting import figure_table, json_values
from croupier.errors import BadInput
from croupier.games import House
from croupier.ledger.ledger import Ledger, table_stream
from croupier.ledger.queries.periods import period_between
from croupier.ledger.queries.rounds import RebuiltRound, rebuild_entries, rounds_in_period
from croupier.money import Cents, dollars

if TYPE_CHECKING:
    from croupier.analysis import PlayerEvidence, RecordedDecision

METHOD = (
    "Evidence is the value of one unit bet at fair odds on decisions that fit the dealer's hidden "
    "cards. However honest players play, the probability that any of them is flagged is at most "
    "the false alarm rate."
)


class WatchlistEntry(msgspec.Struct, frozen=True, kw_only=True):
    """The evidence against one player."""

    player: str
    tables: tuple[str, ...]
    rounds: int
    decisions: int
    differing: int
    fitting: int
    evidence: float
    most: float
    look: bool


class Watchlist(msgspec.Struct, frozen=True, kw_only=True):
    """All players of a period, strongest evidence first."""

    false_alarms: float
    threshold: float
    rounds: int
    streets: tuple[str, ...]
    houses: dict[str, str]  # table -> digest of its last House
    players: tuple[WatchlistEntry, ...]


def decisions(
    hand: RebuiltRound, house: House, streets: tuple[str, ...]
) -> Iterator[tuple[int, RecordedDecision]]:
    """The decisions of a round with recorded cards, each with its seat."""
    from croupier.analysis import RecordedDecision, hidden_cards

    community = cards_of(hand.community)
    hidden = hidden_cards(house, cards_of(hand.dealer), community)
    if hand.void or not hidden:
        return
    shown = {street.name: street.shown for street in house.game.streets}
    for number, seat in sorted(hand.seats.items()):
        held = cards_of(seat["cards"])
        if len(held) != house.game.player_cards:
            continue
        for decision in seat["decisions"]:
            street = decision["street"]
            count = shown[street]
            if street in streets and len(community) >= count:
                board = community[:count]
                yield number, RecordedDecision(street, held, board, decision["word"], hidden)


def cards_of(names: list[str]) -> tuple[Card, ...]:
    """Parse card names; empty if any card is unknown."""
    try:
        return tuple(parse_cards(" ".join(names))) if names else ()
    except BadInput:
        return ()


def watch(
    ledger: Ledger,
    *,
    table: str = "",
    since: dt.datetime | None = None,
    until: dt.datetime | None = None,
    streets: tuple[str, ...] = (),
    false_alarms: float = 0.01,
    report: Callable[[int], None] | None = None,
) -> Watchlist:
    """Collect the evidence of every player at tables whose game supports it.

    `streets` limits the decisions to some streets; `report` gets the number of rounds read.
    """
    from croupier import analysis

    if not 0 < false_alarms < 1:
        raise BadInput(f"rate of false alarms: {false_alarms} is not between 0 and 1")
    watched: dict[str, PlayerEvidence] = {}
    where: dict[str, dict[str, int]] = {}
    rounds = 0
    used: dict[str, None] = {}
    houses: dict[str, str] = {}
    for name in [table] if table else ledger.tables():
        for recorded in rounds_in_period(
            ledger, table_stream(name), period_between(ledger, since, until)
        ):
            hand = rebuild_entries(name, recorded, ledger.house)
            house = ledger.house(hand.house)
            if not analysis.has_detector(house):
                continue
            rounds += 1
            houses[name] = hand.house
            names = analysis.detector_streets(house)
            selected = tuple(name for name in names if not streets or name in streets)
            used.update(dict.fromkeys(selected))
            for seat in hand.seats.values():
                where.setdefault(seat["player"], {})
                where[seat["player"]][name] = where[seat["player"]].get(name, 0) + 1
            for number, decision in decisions(hand, house, selected):
                player = hand.seats[number]["player"]
                evidence = watched.setdefault(player, analysis.PlayerEvidence(player))
                evidence.add(analysis.best_answers(house, decision), decision)
            if report:
                report(rounds)
    count = max(1, len(watched))
    entries = [
        WatchlistEntry(
            player=player,
            tables=tuple(where[player]),
            rounds=sum(where[player].values()),
            decisions=evidence.decisions,
            differing=evidence.differing,
            fitting=evidence.fitting,
            evidence=evidence.evidence,
            most=evidence.most,
            look=evidence.alarms(false_alarms, count),
        )
        for player, evidence in watched.items()
    ]
    return Watchlist(
        false_alarms=false_alarms,
        threshold=count / false_alarms,
        rounds=rounds,
        streets=tuple(used),
        houses=houses,
        players=tuple(sorted(entries, key=lambda entry: (-entry.most, entry.player))),
    )


def cost_per_hour(gain: Fraction, ante: Cents, rounds_per_hour: int) -> Fraction:
    """The cost of an exposed card to the house per hour, in cents; `gain` is per ante and round."""
    return gain * ante * rounds_per_hour


def render(watchlist: Watchlist, hourly: dict[str, Fraction] | None = None) -> Group:
    """The watchlist as a Rich table."""
    threshold = f"review at evidence of {watchlist.threshold:,.0f} or more"
    title = f"players, {watchlist.rounds:,} rounds, {threshold}"
    table: Table = figure_table(
        title, "player", "rounds", "decisions", "differing", "evidence", "highest", "look"
    )
    for entry in watchlist.players:
        table.add_row(
            entry.player,
            f"{entry.rounds:,}",
            f"{entry.decisions:,}",
            f"{entry.differing:,}",
            f"{entry.evidence:.3g}",
            f"{entry.most:.3g}",
            "LOOK" if entry.look else "",
        )
    lines = [Text(METHOD)]
    for what, cents in (hourly or {}).items():
        lines.append(Text(f"{what} costs {dollars(round(cents))} per hour and seat"))
    return Group(table, *lines)


def to_json(watchlist: Watchlist, hourly: dict[str, Fraction] | None = None) -> dict[str, Any]:
    """The watchlist as JSON; costs in cents."""
    data: dict[str, Any] = json_values(watchlist)
    return data | {"method": METHOD, "cost_per_hour": json_values(hourly or {})}
