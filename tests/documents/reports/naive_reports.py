"""Every figure of the reports once more, from raw JSON events, by obvious loops.

Nothing here imports the ledger's accounts or queries: the two routes must agree.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

Raw = dict[str, Any]


def stretch(entries: list[Any], start: int, end: int) -> tuple[list[Raw], list[Raw]]:
    """Events before a stretch of the log and in it, by the positions of their entries."""
    before: list[Raw] = []
    within: list[Raw] = []
    for stored in entries:
        if stored.position >= end:
            continue
        body = json.loads(stored.entry.body)
        known = {"_at": stored.entry.at, "_actor": body["by"], "_position": stored.position}
        for event in body["events"]:
            (within if stored.position >= start else before).append({**event, **known})
    return before, within


class Brute:
    """The figures of one table, one naive loop after the other."""

    def __init__(self, entries: list[Any], start: int = 0, end: int = 2**62) -> None:
        self.before, self.within = stretch(entries, start, end)

    def of(self, *kinds: str) -> list[Raw]:
        return [event for event in self.within if event["kind"] in kinds]

    def total(self, kind: str, field: str) -> int:
        return sum(event[field] for event in self.of(kind))

    def wagers(self) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for event in self.of("wager_settled"):
            one = found.setdefault(
                event["wager"],
                {"settled": 0, "handle_cents": 0, "returned_cents": 0, "voided_cents": 0},
            )
            if event["outcome"] == "void":
                one["voided_cents"] += event["stake"]
            else:
                one["settled"] += 1
                one["handle_cents"] += event["stake"]
                one["returned_cents"] += event["returned"]
        return found

    def win(self) -> int:
        """What settlements and envy bonuses left with the house."""
        settled = [e for e in self.of("wager_settled") if e["outcome"] != "void"]
        won = sum(event["stake"] - event["returned"] for event in settled)
        return int(won - self.total("envy_paid", "paid"))

    def corrected(self) -> int:
        """What corrections brought into the accounts that an inventory win is counted by."""
        counted = ("tray", "fills", "credits", "drop", "checks")
        into = [e["amount"] for e in self.of("correction_made") if e["target"] in counted]
        out = [e["amount"] for e in self.of("correction_made") if e["source"] in counted]
        return int(sum(into) - sum(out))

    def drop(self) -> int:
        return self.total("bought_in", "cash")

    def rounds(self) -> int:
        return len(self.of("round_closed"))

    def players(self) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
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
                one = found.setdefault(
                    who, dict.fromkeys(("deposits", "winnings", "losses", "withdrawals"), 0)
                )
                one[what] += amount
        return found

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
        live = any(
            event["kind"] == "table_bound" and event["service"] == "attended" for event in events
        )
        for event in events:
            kind = event["kind"]
            if kind == "round_opened":
                rounds, collected = {}, False
            elif kind == "wagers_placed":
                rounds[event["seat"]] = event["stakes"]
            elif kind == "progressive_locked" and not live:
                collected = True
                tray += sum(stakes.get("progressive", 0) for stakes in rounds.values())
            elif kind == "progressive_collected":
                collected = True
                tray += event["amount"]
            elif kind == "wager_settled":
                there = event["wager"] == "progressive" and collected
                tray += (0 if there else event["stake"]) - event["returned"]
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
        """Contributions, awards, seeds and what shows, from the beginning to the period's end."""
        found: dict[str, dict[str, Fraction]] = {}
        fed: dict[str, Fraction] = {}
        for event in self.before + self.within:
            kind = event["kind"]
            if kind == "table_bound":
                for name, value in event["meters"].items():
                    zero = Fraction(0)
                    new = {"fed": zero, "won": zero, "adjusted": zero, "funded": Fraction(value)}
                    found.setdefault(name, new)  # another House does not fund a meter anew
            elif kind == "round_opened":
                fed = {}
            elif kind in ("progressive_locked", "player_sat_out"):
                for name, value in event["contributions"].items():
                    fed[name] = fed.get(name, Fraction(0)) + Fraction(value)
                    found[name]["fed"] += Fraction(value)
            elif kind == "round_voided":
                for name, value in fed.items():
                    found[name]["fed"] -= value
                fed = {}
            elif kind == "meter_paid":
                found[event["meter"]]["won"] += event["paid"]
                found[event["meter"]]["funded"] += Fraction(event["refill"])
            elif kind == "meter_adjusted":
                found[event["meter"]]["adjusted"] += Fraction(event["amount"])
        for one in found.values():
            one["shows"] = one["funded"] + one["fed"] + one["adjusted"] - one["won"]
        return found
