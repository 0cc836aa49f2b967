"""Virtual decks: committed to before the betting, revealed after the round, and audited."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from croupier.cards import names
from croupier.ledger import Ledger
from croupier.ledger.audit.deck_commitments import DeckCheck, check, check_stream
from croupier.submission import example
from croupier.table import Account, Command, Event, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.drivers.shuffler import VIRTUAL, CommittedDeck, Shuffler
from tests.support.cli import invoke
from tests.support.floor_server import play, run, serving
from tests.support.rounds import refuses

ANN, BOT = Account("ann", "player"), Account("dealer", "system")


class Practice:
    """A practice table with its events and a deck."""

    def __init__(self, *, live: bool = False) -> None:
        self.table = Table(example("top_five"), service="practice", live=live)
        self.deck = Shuffler(7).deck()
        self.entries: list[tuple[Event, ...]] = []

    def do(self, command: Command, by: Account = BOT) -> None:
        self.entries.append(self.table.do(command, by))

    def sit(self) -> None:
        self.do(cmd.SitDown(1), ANN)
        self.do(cmd.BuyIn(1, 100_000))

    def bet(self) -> None:
        self.do(cmd.PlaceWagers(1, {"ante": 1000}), ANN)

    def finish(self, deck: CommittedDeck | None = None) -> None:
        """Play from the close of the betting to the settlement."""
        cards = names((deck or self.deck).cards)
        self.do(cmd.NoMoreBets())
        while (due := self.table.due()).kind in ("deal", "show", "decide"):
            if due.kind == "deal":
                dealt, cards = cards[: due.cards], cards[due.cards :]
                self.do(cmd.DealCards(tuple(dealt)))
            elif due.kind == "show":
                self.do(cmd.ShowStreet())
            else:
                self.do(cmd.Decide(1, "1x"), ANN)
        self.do(cmd.Settle())

    def audited(self) -> list[DeckCheck]:
        return list(check_stream("T", iter(self.entries)))


def test_a_deck_is_committed_dealt_and_revealed() -> None:
    """The audit recomputes the hash and compares every card."""
    practice = Practice()
    practice.sit()
    practice.do(cmd.CommitDeck(practice.deck.commitment))
    practice.bet()
    practice.finish()
    practice.do(cmd.RevealDeck(practice.deck.revealed))

    (round,) = practice.audited()
    assert ("", 1, 14) == (round.problem, round.round, round.dealt)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (cmd.CommitDeck("not a hash"), "SHA-256"),
        (cmd.RevealDeck("00 As"), "no deck to reveal"),
        (cmd.CommitDeck("0" * 64), "under another deck"),
    ],
)
def test_deck_commands_that_the_table_refuses(command: Command, why: str) -> None:
    """Not a hash, nothing to reveal, another deck after wagers were placed."""
    practice = Practice()
    practice.sit()
    if "another" in why:
        practice.do(cmd.CommitDeck(practice.deck.commitment))
        practice.bet()
    with refuses(VIRTUAL, match=why):
        practice.do(command)


def test_a_deck_is_not_committed_to_after_the_bets_nor_revealed_before_the_end() -> None:
    """The dealer could choose the cards, or the players see them."""
    practice = Practice()
    practice.sit()
    practice.do(cmd.CommitDeck(practice.deck.commitment))
    practice.bet()
    practice.do(cmd.NoMoreBets())
    for command in (cmd.CommitDeck("0" * 64), cmd.RevealDeck(practice.deck.revealed)):
        with refuses(VIRTUAL):
            practice.do(command)


def test_another_deck_than_the_one_committed_to_is_not_revealed() -> None:
    """Nor is the right deck after other cards were dealt."""
    practice, other = Practice(), Shuffler(8).deck()
    practice.sit()
    practice.do(cmd.CommitDeck(practice.deck.commitment))
    practice.bet()
    practice.finish(other)
    with refuses(VIRTUAL, match="not the deck committed to"):
        practice.do(cmd.RevealDeck(other.revealed))
    with refuses(VIRTUAL, match="the cards dealt are not the top cards"):
        practice.do(cmd.RevealDeck(practice.deck.revealed))

    (round,) = practice.audited()
    assert "the deck was never revealed" == round.problem


def test_a_virtual_card_is_never_misread() -> None:
    """The server reads its own deck, so no reading is corrected."""
    practice = Practice()
    practice.sit()
    practice.do(cmd.CommitDeck(practice.deck.commitment))
    practice.bet()
    practice.do(cmd.NoMoreBets())
    dealt = names(practice.deck.cards)
    due = practice.table.due()
    practice.do(cmd.DealCards(tuple(dealt[: due.cards])))
    with refuses(VIRTUAL, match="never misread"):
        practice.do(cmd.CorrectReading(1, 0, dealt[-1], "misread"))


def test_a_live_table_has_no_virtual_deck() -> None:
    """Real money needs real cards."""
    with refuses(VIRTUAL, match="physical cards"):
        Practice(live=True).table.do(cmd.CommitDeck("0" * 64), BOT, at=1)


def test_an_audit_finds_what_a_table_would_have_refused() -> None:
    """Forged events: a late commitment, another deck, other cards, no deck revealed."""
    practice = Practice()
    practice.sit()
    practice.do(cmd.CommitDeck(practice.deck.commitment))
    practice.bet()
    practice.finish()
    practice.do(cmd.RevealDeck(practice.deck.revealed))
    events = [event for entry in practice.entries for event in entry]

    def audited(forged: list[Event]) -> str:
        return next(check_stream("T", iter([forged]))).problem

    commitment = next(event for event in events if isinstance(event, ev.DeckCommitted))
    late = [event for event in events if event is not commitment]
    late.insert(
        late.index(next(e for e in late if isinstance(e, ev.BettingClosed))) + 1, commitment
    )
    other = Shuffler(9).deck().revealed
    shuffled = list(practice.deck.cards)
    Random(1).shuffle(shuffled)

    assert "" == audited(events)
    assert "after the betting" in audited(late)
    assert "not the one" in audited(
        [changed(event, ev.DeckRevealed, revealed=other) for event in events]
    )
    assert "other cards" in audited(
        [changed(event, ev.CardsDealt, cards=tuple(names(shuffled[:14]))) for event in events]
    )
    assert "never" in audited([event for event in events if not isinstance(event, ev.DeckRevealed)])


def changed(event: Event, kind: type[Event], **values: Any) -> Event:
    """The event, with other values if it has this type."""
    return msgspec.structs.replace(event, **values) if isinstance(event, kind) else event


def test_the_command_line_audits_what_the_server_played(tmp_path: Path) -> None:
    """`croupier audit fairness` counts the fair rounds."""
    with serving(tmp_path) as world:
        world.open("T", "top_five")

        async def playing() -> None:
            async with await world.client("ann") as ann:
                await play(ann, "T", 1, rounds=3)

        run(playing())
    arguments = ["audit", "fairness", str(world.database)]
    result = invoke(arguments)
    assert (0, "3 of 3 rounds are fair\n") == (result.exit_code, result.output)
    report = json.loads(invoke([*arguments, "--json", "--table", "T"]).output)
    assert [1, 2, 3] == [each["round"] for each in report["rounds"]]


def test_a_round_outlives_the_server_that_dealt_it(tmp_path: Path) -> None:
    """After a restart the round continues from the same deck."""
    with serving(tmp_path) as world:
        world.open("T", "ultimate_texas_holdem")

        async def until_asked() -> None:
            async with await world.client("ann") as ann:
                await ann.do("T", {"kind": "sit_down", "seat": 2})
                await ann.ask("T", {"kind": "buy_chips", "cash": 100_000})
                bets = {"ante": 1000, "blind": 1000}
                await ann.do("T", {"kind": "place_wagers", "seat": 2, "wagers": bets})
                await ann.ask("T", {"kind": "deal"})
                async for frame in ann.feed("T"):
                    state = frame.get("state")
                    if state and state["view"]["round"]["due"]["kind"] == "decide":
                        return

        async def to_the_end() -> None:
            async with await world.client("ann") as ann:
                await ann.do("T", {"kind": "decide", "seat": 2, "word": "4x"})
                async for frame in ann.feed("T", after=0):
                    if any(e and e["kind"] == "deck_revealed" for e in frame.get("events", ())):
                        return

        run(until_asked())
        world.stop()
        world.start()
        run(to_the_end())
    with Ledger(world.database, create=False, readonly=True) as ledger:
        assert [""] == [each.problem for each in check(ledger.store)]
