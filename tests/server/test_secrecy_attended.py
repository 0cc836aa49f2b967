"""Non-interference at tables that people serve; `make secrecy` does the same by the thousand."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import msgspec
import pytest

from croupier.cards import DECK
from croupier.table import Command, kind_of
from croupier.table import commands as cmd
from tests.support.attended_table import ANN, BOB
from tests.support.round_scripts import IRREGULAR, READER, VIEWERS, Script, make_pair
from tests.support.rounds import EVERY_GAME, UTH
from tools.secrecy import check, wired

PAIRS = 6


@pytest.mark.parametrize("game", EVERY_GAME)
def test_nobody_tells_decks_apart_at_a_table_that_people_serve(tmp_path: Path, game: str) -> None:
    """All channels, random viewers and moments, cards read or unseen, with irregularities."""

    async def comparing() -> int:
        async with wired(tmp_path) as wire:
            return sum([await check(wire, make_pair(game, f"{game} {n}")) for n in range(PAIRS)])

    assert PAIRS == asyncio.run(comparing())


def test_irregular_and_unseen_rounds_are_among_them() -> None:
    """The rounds that are compared have exposed cards, wrong numbers, and cards nobody has seen."""
    kinds: set[type[Command]] = set()
    for number in range(30):
        script = Script(UTH, list(DECK), blind=number % 2 == 0, seed=str(number))
        kinds |= {type(one.command) for one in script.commands}
    assert {cmd.TurnHand, cmd.Showdown, cmd.FindWrongNumber} <= kinds
    assert 4 <= len({kind_of(kind) for kind in kinds} & set(IRREGULAR))


def test_a_single_card_is_noticed_by_those_who_may_see_it(tmp_path: Path) -> None:
    """Ann's own card exchanged: her bytes differ, and nobody else's do."""
    deck = list(DECK)
    Random(5).shuffle(deck)
    script = Script(UTH, deck, blind=False, seed="3").commands
    dealt = next(n for n, one in enumerate(script) if isinstance(one.command, cmd.ShowStreet))
    own = script[dealt].may_see[ANN] - script[dealt].may_see[BOB]
    card, other = min(own), next(c for c in reversed(deck) if c not in script[dealt].may_see[ANN])
    swap = {card: other, other: card}
    again = Script(UTH, [swap.get(each, each) for each in deck], blind=False, seed="3").commands

    async def told() -> dict[str, bool]:
        same = {}
        async with wired(tmp_path) as wire:
            for viewer in VIEWERS:
                said = []
                for one in (script, again):
                    desk = wire.open(UTH)
                    said.append(await wire.everything(desk, viewer, one[: dealt + 1]))
                    wire.close(desk)
                same[viewer.id] = said[0] == said[1]
        return same

    expected = {viewer.id: viewer != ANN for viewer in VIEWERS}
    assert expected == asyncio.run(told())


def test_a_card_reader_is_offered_nothing(tmp_path: Path) -> None:
    """It learns from what is due when cards are read, and from nothing else."""
    deck = list(DECK)
    script = Script(UTH, deck, blind=True, seed="1").commands

    async def looking() -> None:
        async with wired(tmp_path) as wire:
            desk = wire.open(UTH)
            await wire.everything(desk, ANN, script[:6])
            state = desk.state(READER)
            assert () == state.steps
            assert b'"steps":[]' in msgspec.json.encode(state)
            assert state.view.round is not None and state.view.round.due.kind
            wire.close(desk)

    asyncio.run(looking())
