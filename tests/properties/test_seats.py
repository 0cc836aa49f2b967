"""A seat's results do not depend on the other seats, except for meters and envy bonuses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import names
from croupier.games import House
from croupier.table import Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.properties.test_rounds import MANY
from tests.support.hypothesis_strategies import decks, houses, stakes
from tests.support.rounds import EVERY_GAME


def settled(
    rules: House,
    bets: dict[int, dict[str, int]],
    words: dict[int, list[int]],
    deck: list[int],
) -> Table:
    """A settled round in which each seat picks its decisions by a list of numbers."""
    table = Table(rules)
    for seat, wagers in bets.items():
        table.do(cmd.PlaceWagers(seat, wagers))
    table.do(cmd.NoMoreBets())
    left = list(deck)
    while (due := table.due()).kind != "wagers":
        match due.kind:
            case "deal":
                cards, left = left[: due.cards], left[due.cards :]
                table.do(cmd.DealCards(tuple(names(cards))))
            case "show":
                table.do(cmd.ShowStreet())
            case "decide":
                current = table.in_progress()
                assert current.street is not None
                options = current.street.options
                number = words[due.seat][current.stage]
                table.do(cmd.Decide(due.seat, options[number % len(options)].word))
            case _:
                table.do(cmd.Settle())
    return table


def own_results(table: Table, seat: int) -> dict[str, ev.WagerSettled]:
    """The settlements of a seat that involve no meter."""
    assert table.round is not None
    settled = table.round.boxes[seat].settled
    return {name: event for name, event in settled.items() if not event.pays.endswith("meter")
            and "% of" not in event.pays}  # fmt: skip


@pytest.mark.parametrize("game", EVERY_GAME)
@MANY
@given(data=st.data())
def test_a_seat_does_not_feel_its_neighbours(game: str, data: st.DataObject) -> None:
    """With the same cards a seat gets the same results for any wagers and decisions of others."""
    rules = data.draw(houses(game))
    most = rules.positions
    seats = sorted(data.draw(st.sets(st.integers(1, most), min_size=min(2, most), max_size=4)))
    deck = data.draw(decks(rules, seats))
    answers = st.lists(st.integers(0, 11), min_size=4, max_size=4)
    own = seats[data.draw(st.integers(0, len(seats) - 1))]
    mine, my_words = data.draw(stakes(rules)), data.draw(answers)
    tables = []
    for _ in range(2):
        bets = {seat: data.draw(stakes(rules)) for seat in seats} | {own: mine}
        words = {seat: data.draw(answers) for seat in seats} | {own: my_words}
        tables.append(settled(rules, bets, words, deck))
    first, second = tables
    assert own_results(first, own) == own_results(second, own)
    assert first.round is not None
    assert second.round is not None
    assert first.round.boxes[own].stakes == second.round.boxes[own].stakes
    assert first.round.boxes[own].cards == second.round.boxes[own].cards
