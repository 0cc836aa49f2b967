"""`croupier audit players`: who decides as if a hidden card were seen, and what that costs."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import partial
from typing import Annotated, Any

import typer

from croupier.cli.audit_commands import app
from croupier.cli.console import Json, console, with_progress
from croupier.cli.ledger_options import (
    DEFAULT,
    Database,
    OnTable,
    Since,
    Until,
    moment,
    opened,
    progressing,
    refusals,
)


@app.command()
def players(
    database: Database = DEFAULT,
    table: OnTable = "",
    since: Since = "",
    until: Until = "",
    false_alarms: Annotated[
        float, typer.Option(help="The chance that anybody honest is listed to be looked at.")
    ] = 0.01,
    street: Annotated[
        list[str] | None,
        typer.Option(help="Only decisions on this street; the first takes a minute once."),
    ] = None,
    cost: Annotated[
        bool, typer.Option("--cost", help="Work out what a seen dealer's card costs an hour.")
    ] = False,
    rounds_per_hour: Annotated[int, typer.Option(help="How fast the table is, for --cost.")] = 40,
    as_json: Json = False,
) -> None:
    """List players whose decisions fit the dealer's hidden cards better than chance allows."""
    with refusals(), opened(database) as ledger:
        from croupier.documents.reports import watchlist as papers

        zone = ledger.administration.zone
        with progressing("watching") as report:
            found = papers.watch(
                ledger,
                table=table,
                since=moment(since, zone),
                until=moment(until, zone),
                streets=tuple(street or ()),
                false_alarms=false_alarms,
                report=report,
            )
        hourly = hourly_costs(ledger, found.houses, rounds_per_hour) if cost else {}
        if as_json:
            typer.echo(json.dumps(papers.to_json(found, hourly), indent=2))
        else:
            console().print(papers.render(found, hourly))


def hourly_costs(ledger: Any, houses: dict[str, str], rounds_per_hour: int) -> dict[str, Fraction]:
    """What one seen card costs at each table's least ante, by the game's exact value."""
    from croupier import analysis
    from croupier.documents.reports.watchlist import cost_per_hour

    found = {}
    for name, digest in houses.items():
        house = ledger.house(digest)
        limits = house.limits[house.game.ante.name]
        knows = "dealer:1" if house.game.dealer_cards else "center:1"
        worth = with_progress(partial(analysis.protect, house, knows), house.game.title)
        card = "a dealer's card" if house.game.dealer_cards else "the center"
        what = f"{card} seen at {name}"
        found[what] = cost_per_hour(worth.gain, limits.minimum, rounds_per_hour)
    return found
