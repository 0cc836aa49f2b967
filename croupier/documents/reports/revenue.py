"""Revenue sections: table revenue, game accounts, wagers, unfinished rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from croupier.documents.reports.model import Column, Row, Section, percentage
from croupier.games import House
from croupier.ledger.queries.activity import Activity

TABLE_COLUMNS = (
    Column("table", "table"),
    Column("rounds", "rounds", "count"),
    Column("opening", "opening inventory", "cents"),
    Column("fills", "fills", "cents"),
    Column("credits", "credits", "cents"),
    Column("checks", "checks", "cents"),
    Column("drop", "drop", "cents"),
    Column("closing", "closing inventory", "cents"),
    Column("win", "win by inventory", "cents"),
    Column("settled", "win by settlements", "cents"),
    Column("pending", "progressive in tray", "cents"),
    Column("short", "counted short", "cents"),
    Column("corrected", "corrected", "cents"),
    Column("difference", "difference", "cents"),
    Column("handle", "handle", "cents"),
    Column("win_percent_of_drop", "win % of drop", "percent"),
    Column("win_percent_of_handle", "win % of handle", "percent"),
)
TABLE_NOTES = (
    "win by inventory = closing + credits + drop - opening - fills - checks",
    "difference = win by inventory - win by settlements - progressive in tray + counted short"
    " - corrected",
)


def tables(activities: Iterable[Activity]) -> Section:
    """Table revenue: inventories, fills, credits and drop reconciled with settlements."""
    rows = [_table(activity) for activity in activities]
    if len(rows) > 1:
        rows.append(_total(rows))
    return Section(title="Table revenue", columns=TABLE_COLUMNS, rows=list(rows), notes=TABLE_NOTES)


def _table(activity: Activity) -> dict[str, Any]:
    moved = {name: int(activity.moved(name)) for name in ("fills", "credits", "checks", "drop")}
    opening = int(Fraction(activity.opening.get("tray", 0))) + activity.brought
    closing = int(Fraction(activity.closing.get("tray", 0))) + activity.taken
    win = closing + moved["credits"] + moved["drop"] - opening + moved["fills"] + moved["checks"]
    handle = sum(totals.handle for totals in activity.wagers.values())
    settled = sum(totals.win for totals in activity.wagers.values()) - activity.envy
    pending = activity.collected_after - activity.collected_before
    short = int(activity.moved("difference"))
    row = {
        "table": activity.table,
        "rounds": activity.rounds,
        "opening": opening,
        "fills": -moved["fills"],
        "credits": moved["credits"],
        "checks": -moved["checks"],
        "drop": moved["drop"],
        "closing": closing,
        "win": win,
        "settled": settled,
        "pending": pending,
        "short": short,
        "corrected": activity.corrected,
        "difference": win - settled - pending + short - activity.corrected,
        "handle": handle,
    }
    return _with_percentages(row)


def _with_percentages(row: dict[str, Any]) -> dict[str, Any]:
    row["win_percent_of_drop"] = percentage(row["win"], row["drop"])
    row["win_percent_of_handle"] = percentage(row["settled"], row["handle"])
    return row


def _total(rows: list[dict[str, Any]]) -> dict[str, Any]:
    summed = [column.key for column in TABLE_COLUMNS if column.kind in ("count", "cents")]
    total: dict[str, Any] = {key: sum(row[key] for row in rows) for key in summed}
    return _with_percentages({"table": "all", **total})


ACCOUNT_COLUMNS = (
    Column("table", "table"),
    Column("player", "player"),
    Column("deposits", "deposits", "cents"),
    Column("winnings", "winnings", "cents"),
    Column("losses", "losses", "cents"),
    Column("withdrawals", "withdrawals", "cents"),
    Column("net", "player's win or loss", "cents"),
)


def accounts(activities: Iterable[Activity]) -> Section:
    """Deposits, winnings, losses and withdrawals by player, with totals per table."""
    rows: list[Row] = []
    for activity in activities:
        players = sorted(activity.players.values(), key=lambda player: player.player)
        player_rows = [
            {
                "table": activity.table,
                "player": player.player,
                "deposits": player.deposits,
                "winnings": player.winnings,
                "losses": player.losses,
                "withdrawals": player.withdrawals,
                "net": player.winnings - player.losses,
            }
            for player in players
        ]
        rows += player_rows
        if player_rows:
            keys = [column.key for column in ACCOUNT_COLUMNS if column.kind == "cents"]
            total = {key: sum(row[key] for row in player_rows) for key in keys}  # type: ignore[misc]
            rows.append({"table": activity.table, "player": "all players", **total})
    return Section(title="Game accounts", columns=ACCOUNT_COLUMNS, rows=rows)


WAGER_COLUMNS = (
    Column("table", "table"),
    Column("game", "game"),
    Column("wager", "wager"),
    Column("settled", "settled", "count"),
    Column("handle", "handle", "cents"),
    Column("returned", "paid back", "cents"),
    Column("win", "win", "cents"),
    Column("win_percent_of_handle", "win % of handle", "percent"),
    Column("payout_percent_of_handle", "payout % of handle", "percent"),
    Column("voided", "voided", "cents"),
    Column("withheld", "cut by limit", "cents"),
)


def wagers(activities: Iterable[Activity], find_house: Callable[[str], House]) -> Section:
    """Handle, returns and win by table and wager."""
    rows: list[Row] = []
    for activity in activities:
        for (digest, _), totals in sorted(activity.wagers.items()):
            rows.append(
                {
                    "table": activity.table,
                    "game": find_house(digest).game.key,
                    "wager": totals.wager,
                    "settled": totals.settled,
                    "handle": totals.handle,
                    "returned": totals.returned,
                    "win": totals.win,
                    "win_percent_of_handle": percentage(totals.win, totals.handle),
                    "payout_percent_of_handle": percentage(totals.returned, totals.handle),
                    "voided": totals.voided,
                    "withheld": totals.withheld,
                }
            )
        if activity.envy:
            row = {"table": activity.table, "game": "", "wager": "envy bonuses", "settled": 0}
            rows.append({**row, "handle": 0, "returned": activity.envy, "win": -activity.envy})
    return Section(title="Wagers", columns=WAGER_COLUMNS, rows=rows)


def unfinished(activities: Iterable[Activity]) -> Section:
    """Rounds in progress and money on the layout at the end of the period; not part of the win."""
    columns = (
        Column("table", "table"),
        Column("round", "round", "count"),
        Column("layout", "wagers on the layout", "cents"),
        Column("held", "unclaimed", "cents"),
    )
    rows: list[Row] = [
        {
            "table": activity.table,
            "round": activity.open_round,
            "layout": int(Fraction(activity.closing.get("layout", 0))),
            "held": held(activity),
        }
        for activity in activities
        if activity.open_round or held(activity)
    ]
    return Section(title="Unfinished at the end", columns=columns, rows=rows)


def held(activity: Activity) -> int:
    """Money held for players who left before they were paid."""
    accounts = activity.closing.items()
    return sum(int(Fraction(amount)) for name, amount in accounts if name.startswith("held:"))
