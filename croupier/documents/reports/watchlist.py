"""Who to look at: players whose decisions on record fit the dealer's hidden cards too well."""

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
from croupier.documents.console.analysis_renderer import figures
from croupier.errors import BadInput
from croupier.games import House
from croupier.ledger.ledger import Ledger, stream_of
from croupier.ledger.queries.periods import period
from croupier.ledger.queries.rounds import RebuiltRound, every_round, rebuild
from croupier.money import Cents, dollars

if TYPE_CHECKING:
    from croupier.analysis import RecordedDecision, PlayerEvidence

METHOD = (
    "Evidence is what a unit has become that was staked, at fair odds, on decisions that fit the "
    "dealer's hidden cards. Of honest players, however they play, all those watched together are "
    "wrongly listed with at most the chance of a false alarm."
)


class WatchlistEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One player of the record."""

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
    """All players of a period, the most suspicious first."""

    false_alarms: float
    threshold: float
    rounds: int
    streets: tuple[str, ...]
    houses: dict[str, str]  # by table, the digest of its last House
    players: tuple[WatchlistEntry, ...]


def decisions(
    hand: RebuiltRound, house: House, streets: tuple[str, ...]
) -> Iterator[tuple[int, RecordedDecision]]:
    """The decisions of a round whose cards are on record, each with its seat."""
    from croupier.analysis import RecordedDecision
    from croupier.analysis.exposure import detection

    community = cards_of(hand.community)
    hidden = detection.hidden_cards(house, cards_of(hand.dealer), community)
    if hand.void or not hidden:
        return
    shown = {street.name: street.shown for street in house.game.streets}
    for number, seat in sorted(hand.seats.items()):
        held = cards_of(seat["cards"])
        if len(held) != house.game.player_cards:
            continue
        for made in seat["decisions"]:
            count = shown[made["street"]]
            if made["street"] in streets and len(community) >= count:
                board = community[:count]
                yield number, RecordedDecision(made["street"], held, board, made["word"], hidden)


def cards_of(written: list[str]) -> tuple[Card, ...]:
    """Cards that are known; none if one of them is not."""
    try:
        return tuple(parse_cards(" ".join(written))) if written else ()
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
    """Watch every player of every table whose game can be watched; all streets if none is given."""
    from croupier.analysis.exposure import detection

    if not 0 < false_alarms < 1:
        raise BadInput(f"a chance of {false_alarms} for false alarms; expected 0 to 1")
    watched: dict[str, PlayerEvidence] = {}
    where: dict[str, dict[str, int]] = {}
    rounds = 0
    used: dict[str, None] = {}
    houses: dict[str, str] = {}
    for name in [table] if table else ledger.tables():
        for recorded in every_round(ledger, stream_of(name), period(ledger, since, until)):
            hand = rebuild(name, recorded, ledger.house)
            house = ledger.house(hand.house)
            if not detection.has_detector(house):
                continue
            rounds += 1
            houses[name] = hand.house
            names = detection.detector_streets(house)
            looked = tuple(one for one in names if not streets or one in streets)
            used.update(dict.fromkeys(looked))
            for seat in hand.seats.values():
                where.setdefault(seat["player"], {})
                where[seat["player"]][name] = where[seat["player"]].get(name, 0) + 1
            for number, made in decisions(hand, house, looked):
                player = hand.seats[number]["player"]
                one = watched.setdefault(player, detection.PlayerEvidence(player))
                one.add(detection.best_answers(house, made), made)
            if report:
                report(rounds)
    count = max(1, len(watched))
    listed = [
        WatchlistEntry(
            player=player,
            tables=tuple(where[player]),
            rounds=sum(where[player].values()),
            decisions=one.decisions,
            differing=one.differing,
            fitting=one.fitting,
            evidence=one.evidence,
            most=one.most,
            look=one.alarms(false_alarms, count),
        )
        for player, one in watched.items()
    ]
    return Watchlist(
        false_alarms=false_alarms,
        threshold=count / false_alarms,
        rounds=rounds,
        streets=tuple(used),
        houses=houses,
        players=tuple(sorted(listed, key=lambda one: (-one.most, one.player))),
    )


def cost_per_hour(gain: Fraction, ante: Cents, rounds_per_hour: int) -> Fraction:
    """What a seen card costs the house in an hour, in cents: `gain` is of one ante a round."""
    return gain * ante * rounds_per_hour


def render(found: Watchlist, hourly: dict[str, Fraction] | None = None) -> Group:
    """The list as a table for `rich`."""
    title = f"players, {found.rounds:,} rounds, look at evidence of {found.threshold:,.0f} or more"
    table: Table = figures(
        title, "player", "rounds", "decisions", "differing", "evidence now", "at most", "look"
    )
    for one in found.players:
        table.add_row(
            one.player,
            f"{one.rounds:,}",
            f"{one.decisions:,}",
            f"{one.differing:,}",
            f"{one.evidence:.3g}",
            f"{one.most:.3g}",
            "LOOK" if one.look else "",
        )
    lines = [Text(METHOD)]
    for what, cents in (hourly or {}).items():
        lines.append(Text(f"{what} costs {dollars(round(cents))} an hour and seat"))
    return Group(table, *lines)


def to_json(found: Watchlist, hourly: dict[str, Fraction] | None = None) -> dict[str, Any]:
    """The list as JSON; costs in cents."""
    told: dict[str, Any] = msgspec.to_builtins(found)
    told["method"] = METHOD
    told["cost_per_hour"] = {
        what: {"exact": str(cents), "value": float(cents)} for what, cents in (hourly or {}).items()
    }
    return told
