"""One of several processes that fight for a table or a meter; run by `test_processes`.

python -m tests.ledger.fighter table|meter DATABASE NAME ROUNDS
"""

from __future__ import annotations

import sys

from croupier.errors import Refusal
from croupier.ledger import Ledger
from croupier.table import commands as cmd
from tests.support import UTH, Play, Seat, house

RULES = house(UTH)


def fight_for_table(ledger: Ledger, name: str, rounds: int) -> None:
    """Everybody sends every command of the same rounds; the rules let each through once."""
    table = ledger.open_table("shared", RULES)
    deck = list(range(52))
    for number in range(rounds):

        def send(command: cmd.Command, what: str, number: int = number) -> None:
            try:
                table.do(command, command_id=f"{number} {what}", by=name)
            except Refusal:
                table.catch_up()

        send(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000}, "ann"), "bet")
        send(cmd.NoMoreBets(), "close")
        for step in range(40):
            if table.table.rounds_played > number + 1:
                break
            due = table.due()
            match due.kind:
                case "deal":
                    cards = tuple(deck[: due.cards])
                    send(cmd.DealCards(cards), f"deal {step}")
                case "show":
                    send(cmd.ShowStreet(), f"show {due.street}")
                case "decide":
                    send(cmd.Decide(due.seat, "4x"), "decide")
                case "settle":
                    send(cmd.Settle(), "settle")
                case _:
                    break


def fight_for_meter(ledger: Ledger, name: str, rounds: int) -> None:
    """A royal flush in every round, each of which takes the whole mega meter."""
    table = ledger.open_table(name, RULES, group="linked")
    for _ in range(rounds):
        Play(  # type: ignore[arg-type]
            RULES,
            {1: Seat("Ah Kh", "4x", ante=1000, blind=1000, progressive=100)},
            dealer="3s 4s",
            community="Qh Jh Th 2s 3d",
            table=table,
        ).finish()


def main() -> None:
    what, database, name, rounds = sys.argv[1:]
    with Ledger(database, lock_timeout_ms=30_000) as ledger:
        print("ready", flush=True)
        sys.stdin.readline()  # so that all begin at once
        fight = fight_for_table if what == "table" else fight_for_meter
        fight(ledger, name, int(rounds))


if __name__ == "__main__":
    main()
