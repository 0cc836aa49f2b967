"""Texas 10.I, Ultimate 10.F: the community cards come first; each street shows only its own."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.cards import names
from croupier.table import Account, shown, view, viewer_of
from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.support.attended_table import ANN, DEE, FLO, Floor
from tests.support.rounds import THB, UTH, house

DEVICE: dict[str, Any] = {
    "community_first": True,
    "continuous_device": True,
    "continuous_device_approval": "Device 7, 2031-01-02",
}
ONE = {"shuffle_method": "counting_shuffler", "decks": 1}
EYE = Account("eye", "surveillance")
# Community cards face up: Texas 11.D, F and H; Ultimate 11.C and E. Then the decisions.
SHOWN = {
    THB: {"preflop": 0, "flop": 3, "turn": 4, "river": 5},
    UTH: {"preflop": 0, "flop": 3, "river": 5},
}
DECISIONS = {THB: ["2x", "check", "check"], UTH: ["check", "check", "1x"]}


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(THB, marks=pytest.mark.proves(THB, "10.I.1", "10.I.2")),
        pytest.param(UTH, marks=pytest.mark.proves(UTH, "10.F")),
    ],
)
def test_each_street_shows_only_its_cards(game: str) -> None:
    """No view and no event discloses a card before its street."""
    floor = Floor(house(game, table=ONE, **(DEVICE if game == THB else {}))).ready()
    floor.bet()
    floor.close_bets()
    floor.deal()
    current = floor.table.dealing
    assert current is not None
    board = names(current.community)
    assert (5, 0) == (len(board), len(current.pending))
    stub_goes_at_once(floor)
    words = list(DECISIONS[game])
    checked = before = 0
    for street, count in SHOWN[game].items():
        due = floor.table.due()
        assert ("show", street) == (due.kind, due.street)
        checked = check_hidden(floor, board, checked, faces=before)
        (event,) = floor.do(cmd.ShowStreet(), DEE)
        assert isinstance(event, ev.StreetShown)
        assert board[:count] == list(event.community)
        checked = check_hidden(floor, board, checked, faces=count)
        if words:
            floor.decide(words.pop(0))
            checked = check_hidden(floor, board, checked, faces=count)
        before = count
    floor.settle()


def stub_goes_at_once(floor: Floor) -> None:
    """Discard the stub before the first decision, since no card is pending."""
    floor.do(cmd.DiscardStub(), DEE)


def check_hidden(floor: Floor, board: list[str], start: int, *, faces: int) -> int:
    """Assert that no view, and no event from `start` on, shows more than these faces."""
    hidden = set(board[faces:])
    for person in (ANN, DEE, FLO, EYE):
        viewer = viewer_of(floor.table, person)
        seen = view(floor.table, viewer).round
        assert seen is not None
        assert (*board[:faces], *["??"] * (5 - faces)) == seen.community, person
        for event in floor.events[start:]:
            text = str(shown(event, viewer))
            assert not [card for card in hidden if f"'{card}'" in text], (person, text)
    return len(floor.events)
