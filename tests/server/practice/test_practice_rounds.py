"""Practice tables: whole rounds of every game over WebSockets."""

from __future__ import annotations

import hashlib
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import DECK, Card
from croupier.games import CATALOGUE
from croupier.ledger import Ledger
from croupier.ledger.audit.verify import verify
from croupier.ranking import poker_value
from croupier.server.client import ResponseError
from croupier.server.tables.best_hand import best_five
from tests.support.floor_server import ServerThread, play, run, serving

GAMES = [game.key for game in CATALOGUE]


def events_of(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every event that was shown, in order."""
    return [event for frame in frames for event in frame.get("events", ()) if event is not None]


def last_boxes(frame: dict[str, Any]) -> list[dict[str, Any]]:
    """The boxes of the state of a frame, if it has one."""
    view = frame["state"]["view"]["round"] if "state" in frame else None
    return list(view["boxes"].values()) if view else []


@pytest.mark.parametrize("game", GAMES)
def test_a_round_of_every_game_is_played_over_the_wire(world: ServerThread, game: str) -> None:
    """Sit, buy in, bet, decide, settle; the deck was committed to before the bets."""
    world.open(game, game, seed=1)

    async def playing() -> list[dict[str, Any]]:
        async with await world.client("ann") as ann:
            return await play(ann, game, 3, rounds=2)

    frames = run(playing())
    events = events_of(frames)
    kinds = [event["kind"] for event in events]

    assert "snapshot" == frames[0]["frame"]
    numbers = [frame["sequence"] for frame in frames if frame["frame"] == "entry"]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert 2 == kinds.count("round_closed")
    revealed = [event for event in events if event["kind"] == "deck_revealed"]
    for event in revealed:
        assert hashlib.sha256(event["revealed"].encode()).hexdigest() == event["commitment"]
    commitments = [event["commitment"] for event in events if event["kind"] == "deck_committed"]
    assert revealed[1]["commitment"] in commitments
    second = kinds.index("betting_closed", kinds.index("round_closed"))
    assert kinds.index("deck_committed") < second < kinds.index("cards_dealt", second)
    settled = [event for event in events if event["kind"] == "wager_settled"]
    boxes = [box for frame in frames for box in last_boxes(frame)]
    results = {wager["result"].split()[0] for box in boxes for wager in box["settled"].values()}
    assert settled and results and results <= {"wins", "pushes", "loses"}
    for frame in frames:
        assert len(frame.get("sentences", ())) == len(frame.get("events", ()))


def test_the_record_of_practice_rounds_verifies(tmp_path: Path) -> None:
    """After the server has stopped, the audit decides every command again."""
    with serving(tmp_path) as world:
        world.open("T", "top_five", seed=5)

        async def playing() -> None:
            async with await world.client("ann") as ann:
                await play(ann, "T", 1, rounds=2)

        run(playing())
    with Ledger(world.database, create=False, readonly=True) as ledger:
        verdict = verify(ledger.store)

    assert verdict.ok, str(verdict)
    assert 2 == verdict.rounds


def test_one_request_bets_and_asks_for_the_deal(world: ServerThread) -> None:
    """Repeated under the same id it bets nothing more."""
    world.open("quick", "ultimate_texas_holdem", seed=3)
    bet = {"kind": "deal", "wagers": {"ante": 500, "blind": 500}}

    async def playing() -> tuple[dict[str, Any], dict[str, Any]]:
        async with await world.client("ann") as ann:
            await ann.do("quick", {"kind": "sit_down", "seat": 2})
            await ann.ask("quick", {"kind": "buy_chips", "cash": 100_000})
            with pytest.raises(ResponseError, match="must equal"):
                await ann.ask("quick", {"kind": "deal", "wagers": {"ante": 500, "blind": 1}})
            await ann.ask("quick", bet, id="bet-and-deal")
            async for frame in ann.feed("quick"):
                if "state" in frame and frame["state"]["view"]["round"]["due"]["kind"] == "decide":
                    break
            await ann.ask("quick", bet, id="bet-and-deal")
            return frame["state"]["view"], (await ann.state("quick"))["state"]["view"]

    dealt, again = run(playing())
    assert {"ante": 500, "blind": 500} == dealt["round"]["boxes"]["2"]["stakes"]
    assert dealt == again


@given(st.lists(st.sampled_from(DECK), min_size=5, max_size=7, unique=True))
def test_the_five_cards_of_a_hand_are_the_first_that_make_it(cards: list[Card]) -> None:
    """Leaving out useless cards finds the same five as trying all combinations."""
    value = poker_value(cards)
    first = next(five for five in combinations(cards, 5) if poker_value(five) == value)
    assert first == best_five(tuple(cards))
