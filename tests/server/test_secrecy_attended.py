"""Non-interference at attended tables; `make secrecy` runs thousands of rounds."""

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

PAIRS = 3


@pytest.mark.parametrize("game", EVERY_GAME)
def test_hidden_cards_do_not_change_a_single_byte_at_an_attended_table(
    tmp_path: Path, game: str
) -> None:
    """All channels, random viewers and moments, cards read or unseen, with irregularities."""

    async def comparing() -> int:
        async with wired(tmp_path) as wire:
            return sum([await check(wire, make_pair(game, f"{game} {n}")) for n in range(PAIRS)])

    assert PAIRS == asyncio.run(comparing())


def test_irregular_and_unseen_rounds_are_among_them() -> None:
    """The compared rounds have exposed cards, wrong numbers, and unseen cards."""
    kinds: set[type[Command]] = set()
    for number in range(30):
        script = Script(UTH, list(DECK), blind=number % 2 == 0, seed=str(number))
        kinds |= {type(each.command) for each in script.commands}
    assert {cmd.TurnHand, cmd.SettleSeat, cmd.FindWrongNumber} <= kinds
    assert 4 <= len({kind_of(kind) for kind in kinds} & set(IRREGULAR))


def test_the_comparison_notices_a_single_card(tmp_path: Path) -> None:
    """With another own card, the bytes of Ann differ and of no other viewer."""
    deck = list(DECK)
    Random(5).shuffle(deck)
    script = Script(UTH, deck, blind=False, seed="3").commands
    dealt = next(n for n, each in enumerate(script) if isinstance(each.command, cmd.ShowStreet))
    own = script[dealt].may_see[ANN] - script[dealt].may_see[BOB]
    card, other = min(own), next(c for c in reversed(deck) if c not in script[dealt].may_see[ANN])
    swap = {card: other, other: card}
    again = Script(UTH, [swap.get(each, each) for each in deck], blind=False, seed="3").commands

    async def compare() -> dict[str, bool]:
        same = {}
        async with wired(tmp_path) as wire:
            for viewer in VIEWERS:
                received = []
                for one in (script, again):
                    host = wire.open(UTH)
                    received.append(await wire.everything(host, viewer, one[: dealt + 1]))
                    wire.close(host)
                same[viewer.id] = received[0] == received[1]
        return same

    expected = {viewer.id: viewer != ANN for viewer in VIEWERS}
    assert expected == asyncio.run(compare())


def test_a_card_reader_is_offered_nothing(tmp_path: Path) -> None:
    """It acts on what is due, not on steps."""
    deck = list(DECK)
    script = Script(UTH, deck, blind=True, seed="1").commands

    async def looking() -> None:
        async with wired(tmp_path) as wire:
            host = wire.open(UTH)
            await wire.everything(host, ANN, script[:6])
            state = host.state(READER)
            assert {} == state.steps
            assert b'"steps":{}' in msgspec.json.encode(state)
            assert state.view.round is not None and state.view.round.due.kind
            wire.close(host)

    asyncio.run(looking())
