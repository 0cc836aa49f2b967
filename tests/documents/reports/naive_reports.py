"""Naive recomputation of the report figures from raw JSON events.

It imports none of the ledger's accounts or queries, so it is independent of the reports.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

Raw = dict[str, Any]


def stretch(entries: list[Any], start: int, end: int) -> tuple[list[Raw], list[Raw]]:
    """Events before and within a range of log positions."""
    before: list[Raw] = []
    within: list[Raw] = []
    for stored in entries:
        if stored.position >= end:
            continue
        body = json.loads(stored.entry.body)
        metadata = {"_at": stored.entry.at, "_actor": body["by"], "_position": stored.position}
        for event in body["events"]:
            (within if stored.position >= start else before).append({**event, **metadata})
    return before, within


class Brute:
    """The figures of one table, each by a naive loop."""

    def __init__(self, entries: list[Any], start: int = 0, end: int = 2**62) -> None:
        self.before, self.within = stretch(entries, start, end)

    def of(self, *kinds: str) -> list[Raw]:
        return [event for event in self.within if event["kind"] in kinds]

    def total(self, kind: str, field: str) -> int:
        return sum(event[field] for event in self.of(kind))

    def wagers(self) -> dict[str, dict[str, int]]:
        result: dict[str, dict[str, int]] = {}
        for event in self.of("wager_settled"):
            totals = result.setdefault(
                event["wager"],
                {"settled": 0, "handle_cents": 0, "returned_cents": 0, "voided_cents": 0},
            )
            if event["outcome"] == "void":
                totals["voided_cents"] += event["stake"]
            else:
                totals["settled"] += 1
                totals["handle_cents"] += event["stake"]
                totals["returned_cents"] += event["returned"]
        return result

    def win(self) -> int:
        """The win of the house from settlements, less envy bonuses."""
        settled = [e for e in self.of("wager_settled") if e["outcome"] != "void"]
        won = sum(event["stake"] - event["returned"] for event in settled)
        return int(won - self.total("envy_paid", "paid"))

    def corrected(self) -> int:
        """Net corrections into the accounts that make up the inventory win."""
        counted = ("tray", "fills", "credits", "drop", "checks")
        into = [e["amount"] for e in self.of("correction_made") if e["target"] in counted]
        out = [e["amount"] for e in self.of("correction_made") if e["source"] in counted]
        return int(sum(into) - sum(out))

    def drop(self) -> int:
        return self.total("bought_in", "cash")

    def rounds(self) -> int:
        return len(self.of("round_closed"))

    def players(self) -> dict[str, dict[str, int]]:
        result: dict[str, dict[str, int]] = {}
        seats: dict[int, str] = {}
        inside = {id(event) for event in self.within}
        for event in self.before + self.within:
            if event["kind"] == "round_opened":
                seats = {}
            if event["kind"] == "wagers_placed":
                seats[event["seat"]] = event["player"]
            if id(event) not in inside:
                continue
            for who, what, amount in self._moves(event, seats):
                account = result.setdefault(
                    who, dict.fromkeys(("deposits", "winnings", "losses", "withdrawals"), 0)
                )
                account[what] += amount
        return result

    def _moves(self, event: Raw, seats: dict[int, str]) -> list[tuple[str, str, int]]:
        kind = event["kind"]
        if kind in ("bought_in", "chips_added"):
            return [(event["player"], "deposits", event["chips"])]
        if kind in ("cashed_out", "left", "left_during_round", "tipped"):
            return [(event["player"], "withdrawals", event["chips"])]
        if kind in ("paid_by_check", "unclaimed_held"):
            return [(event["player"], "withdrawals", event["amount"])]
        if kind == "envy_paid":
            return [(seats[event["seat"]], "winnings", event["paid"])]
        if kind == "wager_settled" and event["outcome"] != "void":
            gain = event["returned"] - event["stake"]
            what = "winnings" if gain > 0 else "losses"
            return [(seats[event["seat"]], what, abs(gain))]
        return []

    def tray(self, events: list[Raw]) -> int:
        """The chips in the tray after these events."""
        tray, collected, rounds = 0, False, dict[int, dict[str, int]]()
        folded: set[tuple[int, str]] = set()
        live = any(
            event["kind"] == "table_bound" and event["service"] == "attended" for event in events
        )
        for event in events:
            kind = event["kind"]
            if kind == "round_opened":
                rounds, collected, folded = {}, False, set()
            elif kind == "wagers_placed":
                rounds[event["seat"]] = event["stakes"]
            elif kind == "progressive_locked" and not live:
                collected = True
                tray += sum(stakes.get("progressive", 0) for stakes in rounds.values())
            elif kind == "progressive_collected":
                collected = True
                tray += event["amount"]
            elif kind == "wagers_collected":
                folded |= {(event["seat"], wager) for wager in event["wagers"]}
                tray += sum(event["wagers"].values())
            elif kind == "wager_settled":
                in_tray = event["wager"] == "progressive" and collected
                in_tray |= (event["seat"], event["wager"]) in folded
                tray += (0 if in_tray else event["stake"]) - event["returned"]
            elif kind == "envy_paid":
                tray -= event["paid"]
            elif kind == "table_opened":
                tray += event["inventory"]
            elif kind == "table_closed":
                tray -= event["expected"]
            elif kind == "bought_in":
                tray -= event["chips"]
            elif kind == "fill_received":
                tray += event["chips"]
            elif kind == "credit_sent":
                tray -= event["chips"]
            elif kind == "paid_by_check":
                tray += event["amount"]
            elif kind == "correction_made":
                toward = (event["target"] == "tray") - (event["source"] == "tray")
                tray += event["amount"] * toward
        return tray

    def meters(self) -> dict[str, dict[str, Fraction]]:
        """Contributions, awards, seeds and amounts, from the start to the end of the period."""
        meters: dict[str, dict[str, Fraction]] = {}
        fed: dict[str, Fraction] = {}
        for event in self.before + self.within:
            kind = event["kind"]
            if kind == "table_bound":
                for name, value in event["meters"].items():
                    zero = Fraction(0)
                    new = {"fed": zero, "won": zero, "adjusted": zero, "funded": Fraction(value)}
                    meters.setdefault(name, new)  # a change of House does not fund a meter again
            elif kind == "round_opened":
                fed = {}
            elif kind in ("progressive_locked", "player_sat_out"):
                for name, value in event["contributions"].items():
                    fed[name] = fed.get(name, Fraction(0)) + Fraction(value)
                    meters[name]["fed"] += Fraction(value)
            elif kind == "round_voided":
                for name, value in fed.items():
                    meters[name]["fed"] -= value
                fed = {}
            elif kind == "meter_paid":
                meters[event["meter"]]["won"] += event["paid"]
                meters[event["meter"]]["funded"] += Fraction(event["refill"])
            elif kind == "meter_adjusted":
                meters[event["meter"]]["adjusted"] += Fraction(event["amount"])
        for meter in meters.values():
            meter["shows"] = meter["funded"] + meter["fed"] + meter["adjusted"] - meter["won"]
        return meters
