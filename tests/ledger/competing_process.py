"""One of several processes that compete for a table, a meter or a dealer.

python -m tests.ledger.competing_process table|meter|people DATABASE NAME ROUNDS
"""

from __future__ import annotations

import sys
import time

from croupier.cards import DECK, names
from croupier.errors import Refusal
from croupier.ledger import IdTaken, Ledger
from croupier.table import Account, Command
from croupier.table import commands as cmd
from tests.support.recorded_rounds import SYSTEM, play_round
from tests.support.rounds import UTH, Seat, house

RULES = house(UTH)


def compete_for_table(ledger: Ledger, name: str, rounds: int) -> None:
    """Every process sends all commands of the same rounds; each is accepted once."""
    recorded = ledger.open_table("shared", RULES, by=SYSTEM)
    table, program = recorded.table, Account(name, "system")

    def send(command: Command, step: str) -> None:
        number = table.rounds_played + (table.open_round is None)
        try:
            recorded.do(command, program, id=f"{number} {step}")
        except (Refusal, IdTaken):  # another process was first
            recorded.catch_up()

    while table.rounds_played < rounds or table.open_round is not None:
        time.sleep(0.002)  # without a pause, one process keeps getting SQLite's lock
        due = table.due()
        match due.kind:
            case "wagers" if table.open_round is None:
                send(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000}, "ann"), "bet")
            case "wagers":
                send(cmd.NoMoreBets(), "close")
            case "deal":
                send(cmd.DealCards(tuple(names(DECK[: due.cards]))), f"deal {due.street}")
            case "show":
                send(cmd.ShowStreet(), f"show {due.street}")
            case "decide":
                send(cmd.Decide(due.seat, "4x"), "decide")
            case "settle":
                send(cmd.Settle(), "settle")


def compete_for_meter(ledger: Ledger, name: str, rounds: int) -> None:
    """A royal flush in every round, each of which wins the whole mega meter."""
    recorded = ledger.open_table(name, RULES, by=SYSTEM, group="linked")
    seats = {1: Seat("Ah Kh", "4x", ante=1000, blind=1000, progressive=100)}
    for _ in range(rounds):
        play_round(recorded, seats, dealer="3s 4s", community="Qh Jh Th 2s 3d").finish()


def compete_for_dealer(ledger: Ledger, name: str, rounds: int) -> None:
    """The only dealer takes and leaves the post at the table of this process."""
    recorded = ledger.open_table(name, RULES, by=SYSTEM, service="attended")
    dee = Account("dee", "dealer")
    for _ in range(rounds):
        while recorded.table.posts.dealer != dee.id:
            try:
                recorded.do(cmd.TakePost(), dee)
            except Refusal:
                time.sleep(0.005)
        recorded.do(cmd.LeavePost(), dee)


COMPETITIONS = {
    "table": compete_for_table,
    "meter": compete_for_meter,
    "people": compete_for_dealer,
}


def main() -> None:
    resource, database, name, rounds = sys.argv[1:]
    with Ledger(database, lock_timeout_ms=30_000) as ledger:
        print("ready", flush=True)
        sys.stdin.readline()  # all processes begin at the same time
        COMPETITIONS[resource](ledger, name, int(rounds))


if __name__ == "__main__":
    main()
