"""The deal (chapters 8 to 10), card by card, for every game and dealing method."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.cards import DECK, names
from croupier.errors import BadInput
from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.clauses.examples import STAYING
from tests.support.rounds import (
    JACKPOT,
    RUN,
    THB,
    TOP,
    UTH,
    Play,
    Seat,
    house,
    opening_wagers,
    play,
    refuses,
)

SEATS = (2, 3, 6)
ROUND = "2 3 6 d"  # one card each, seats upward and then the dealer
CROSS = ["center", "left", "top", "right", "bottom"]

# The places in dealing order, stage by stage: seats by number, dealer, community, burn, box.
ORDERS: list[tuple[str, str, dict[str, Any], str, tuple[str, ...]]] = [
    (
        THB,
        "manual_shoe",
        {},
        f"{ROUND} {ROUND} | b c c c | b c | b c",
        ("8.D.2", "8.D.3", "1.B.1", "1.B.2", "11.D.1", "11.F.1", "11.H.1"),
    ),
    (
        THB,
        "hand",
        {},
        f"{ROUND} {ROUND} | b c c c | b c | b c",
        ("9.B.3", "9.B.4", "1.B.1", "1.B.2", "11.D.1", "11.F.1", "11.H.1"),
    ),
    (
        THB,
        "automated_shoe",
        {},
        "2 2 3 3 6 6 d d | b c c c | b c | b c",
        ("10.B.1", "10.B.2", "10.B.3", "10.B.4", "1.B.1", "11.D.1", "11.F.1", "11.H.1"),
    ),
    (
        THB,
        "automated_shoe",
        {"community_first": True},
        "c c c c c 2 2 3 3 6 6 d d",
        ("10.I.1", "10.I.2", "10.B.1", "10.B.2", "10.B.3"),
    ),
    (TOP, "manual_shoe", {}, " ".join([ROUND] * 7), ("8.D.2", "8.D.3", "1.B.4")),
    (TOP, "hand", {}, " ".join([ROUND] * 7), ("9.B.1", "9.B.2", "1.B.4")),
    (TOP, "automated_shoe", {}, "2 " * 7 + "3 " * 7 + "6 " * 7 + "d " * 7, ("10.B.1", "1.B.4")),
    (
        UTH,
        "manual_shoe",
        {"without": ["six_card_bonus"]},
        f"{ROUND} {ROUND} | c c c | c c",
        ("8.D.2", "8.D.3"),
    ),
    (UTH, "manual_shoe", {}, f"{ROUND} {ROUND} x x x x | c c c | c c", ("8.D.2", "8.D.3")),
    (
        UTH,
        "hand",
        {"without": ["six_card_bonus"]},
        f"{ROUND} {ROUND} | b c c c | b c c",
        ("9.B.2", "9.B.3", "11.C.1", "11.E.1"),
    ),
    (UTH, "hand", {}, f"{ROUND} {ROUND} x x x x | b c c c | b c c", ("9.B.2", "9.B.3")),
    (
        UTH,
        "automated_shoe",
        {},
        "x x x x c c c c c d d 2 2 3 3 6 6",
        ("10.B.1", "10.B.2", "10.B.3", "10.F"),
    ),
    (
        UTH,
        "automated_shoe",
        {"dealer_stack_order": "dealer_in_shuffler", "without": ["six_card_bonus"]},
        "c c c c c 2 2 3 3 6 6 d d",
        ("10.B.2", "10.B.4"),
    ),
    (
        UTH,
        "automated_shoe",
        {"electronic_version": True, "without": ["six_card_bonus"]},
        "c c c c c d d 2 2 3 3 6 6",
        ("11.L.1", "11.L.2"),
    ),
    (JACKPOT, "manual_shoe", {}, f"{ROUND} {ROUND} c c c c c", ("8.D.2", "8.D.3")),
    (JACKPOT, "hand", {}, f"{ROUND} {ROUND} c c c c c", ("9.B.2", "9.B.3")),
    (JACKPOT, "automated_shoe", {}, "c c c c c d d 2 2 3 3 6 6", ("10.B.1", "10.B.2")),
    (
        JACKPOT,
        "automated_shoe",
        {"dealer_stack_order": "dealer_in_shuffler"},
        "c c c c c 2 2 3 3 6 6 d d",
        ("10.B.1", "10.B.3"),
    ),
    (RUN, "manual_shoe", {}, "c c c c c 2 3 6 2 3 6", ("8.D.2", "8.D.3", "8.D.4", "1.B.3")),
    (RUN, "hand", {}, "c c c c c 2 3 6 2 3 6", ("9.B.1", "9.B.2", "9.B.3", "1.B.3")),
    (RUN, "automated_shoe", {}, "c c c c c 2 2 3 3 6 6", ("10.B.1", "10.B.2", "1.B.3")),
]
PLACES = {"d": "dealer", "c": "community", "b": "burn", "x": "box"}


def dealt_in_order(game: str, method: str, changes: dict[str, Any]) -> Play:
    """A round of three seats dealt from an unshuffled deck to the showdown."""
    rules = house(game, method, **changes)
    round_ = Play(rules, {seat: Seat("", STAYING[game], **opening_wagers(rules)) for seat in SEATS})
    round_.deck = list(DECK)
    return round_.until("settle")


@pytest.mark.parametrize(
    ("game", "method", "changes", "order"),
    [
        pytest.param(
            game, method, changes, order, id=f"{game}-{method}-{'-'.join(changes) or 'plain'}",
            marks=pytest.mark.proves(game, *claims),
        )
        for game, method, changes, order, claims in ORDERS
    ],
)  # fmt: skip
def test_cards_leave_the_deck_in_the_order_of_the_document(
    game: str, method: str, changes: dict[str, Any], order: str
) -> None:
    """Every card goes to its place: hands, dealer, board, burns and box, stage by stage."""
    played = dealt_in_order(game, method, changes)
    places = [PLACES.get(word, word) for word in order.replace("|", "").split()]
    dealt = [
        (card, str(place))
        for event in played.of(ev.CardsDealt)
        for card, place in zip(event.cards, event.places, strict=True)
    ]
    assert list(zip(names(DECK), places)) == dealt
    round_ = played.table.round
    assert round_ is not None
    piles = {
        "dealer": round_.dealer,
        "community": round_.community,
        "burn": round_.burned,
        "box": round_.six_card_box,
        **{str(seat): box.cards for seat, box in round_.boxes.items()},
    }
    for place, cards in piles.items():
        assert [card for card, at in zip(DECK, places) if at == place] == cards


@pytest.mark.parametrize("method", ["manual_shoe", "hand", "automated_shoe"])
def test_the_cross_is_laid_in_the_submitted_order(method: str) -> None:
    """The cross is listed left, right, top, bottom, center in any dealing order (A108)."""
    played = dealt_in_order(RUN, method, {"cross_order": CROSS})
    assert played.table.round is not None
    laid = dict(zip(CROSS, DECK))
    listed = [laid[place] for place in ("left", "right", "top", "bottom", "center")]
    assert listed == played.table.round.layout


# The community cards face up on each street, and the decision that follows.
STREETS = [
    (THB, [("preflop", 0), ("flop", 3), ("turn", 4), ("", 5)],
     ("11.A", "11.B", "11.D.2", "1.B.4", "11.E.1", "11.F.2", "1.B.10", "11.G.1", "11.H.2")
     + ("1.B.8",)),
    (TOP, [("play", 0)], ("11.A", "11.B", "11.B.1")),
    (UTH, [("preflop", 0), ("flop", 3), ("river", 5)],
     ("11.A", "11.B", "11.C.2", "11.D", "11.E.2", "11.F")),
    (JACKPOT, [("preflop", 1), ("flop", 3), ("river", 5)],
     ("11.A", "11.B", "11.C", "11.D", "11.E", "11.F", "11.G")),
    (RUN, [("first", 0), ("second", 2), ("center", 4), ("", 5)],
     ("11.A", "11.B", "11.B.1", "11.C", "11.D", "11.E", "11.F", "11.G")),
]  # fmt: skip


@pytest.mark.parametrize("method", ["manual_shoe", "hand", "automated_shoe"])
@pytest.mark.parametrize(
    ("game", "streets"),
    [
        pytest.param(game, streets, marks=pytest.mark.proves(game, *claims))
        for game, streets, claims in STREETS
    ],
)
def test_each_street_shows_its_cards(
    game: str, streets: list[tuple[str, int]], method: str
) -> None:
    """A street turns up exactly its community cards, in layout order."""
    played = dealt_in_order(game, method, {})
    assert played.table.round is not None
    layout = names(played.table.round.layout)
    assert [(street, tuple(layout[:count])) for street, count in streets] == [
        (shown.street, shown.community) for shown in played.of(ev.StreetShown)
    ]


HANDS = {THB: "10.B.1", TOP: "10.B.1", UTH: "10.B.3", JACKPOT: "10.B.2", RUN: "10.B.2"}


@pytest.mark.parametrize("game", HANDS)
def test_a_card_leaves_the_deck_once(game: str) -> None:
    """A card already dealt, or an invalid one, is refused and nothing changes."""
    rules = house(game)
    round_ = Play(rules, {1: Seat(**opening_wagers(rules))}).open()
    round_.do(cmd.DealCards(("3s", "4c")))
    one_deck = "3.A" if game in (TOP, RUN) else "3.A.1"
    for cards, clause in [
        (("4c",), one_deck),
        (("4d", "4d"), one_deck),
        ((), HANDS[game]),
        (tuple(names(range(9, 52))), HANDS[game]),
    ]:
        with refuses(clause):
            round_.do(cmd.DealCards(cards))
    for odd in [(8,), (-1,), ("Zs",), ("10",), "As", None]:
        with pytest.raises(BadInput):
            round_.do(cmd.DealCards(odd))  # type: ignore[arg-type]
    assert round_.table.round is not None
    assert [7, 8] == round_.table.round.left_deck


RACK = {THB: "11.J", TOP: "11.D", UTH: "11.K", JACKPOT: "11.L", RUN: "11.K"}
# Without a side wager, and with one that outlives a fold; burns before the fold of a hand deal.
FOLDS = {
    THB: ("fold", "texas_holdem_bonus", 0),
    TOP: ("fold", "top_five_bonus", 0),
    UTH: ("check check fold", "trips", 2),
    JACKPOT: ("check check fold", "player_bonus", 0),
    RUN: ("1x fold", "five_card_bonus", 0),
}


@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=pytest.mark.proves(g, c)) for g, c in RACK.items()]
)
@pytest.mark.parametrize("method", ["hand", "automated_shoe"])
def test_folded_hands_are_in_the_rack_from_the_fold_on(game: str, method: str) -> None:
    """Hands without a live wager come before later burns, the others as they are settled."""
    rules, (fold, side, before) = house(game, method), FOLDS[game]
    seats = {
        1: Seat("", STAYING[game], **opening_wagers(rules)),
        2: Seat("", fold, **opening_wagers(rules)),
        3: Seat("", fold, **opening_wagers(rules, **{side: 100})),
        5: Seat("", fold, **opening_wagers(rules)),
        6: Seat("", STAYING[game], **opening_wagers(rules)),
    }
    played = Play(rules, seats).finish()
    round_ = played.table.round
    assert round_ is not None
    cards = {seat: box.cards for seat, box in round_.boxes.items()}
    expected = round_.burned[:before] + cards[2] + cards[5] + round_.burned[before:]
    kept = [6, 3, 1]
    if game in (TOP, RUN):  # lost hands first; in Run 'Em Twice the bonus comes before the runs
        lost = [seat for seat in kept if "lose" in played.outcomes(seat).values()]
        lost.sort(key=lambda seat: game == RUN and seat != 3)
        kept = lost + [seat for seat in kept if seat not in lost]
    expected += [card for seat in kept for card in cards[seat]]
    expected += round_.dealer + round_.community + round_.six_card_box
    assert names(expected) == list(played.of(ev.RoundClosed)[0].discards)


@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=pytest.mark.proves(g, c)) for g, c in RACK.items()]
)
def test_the_discards_rebuild_every_hand(game: str) -> None:
    """The discard rack holds every card: burns, hands as they are settled, dealer's, layout."""
    played = dealt_in_order(game, "hand", {}).finish()
    closed = played.of(ev.RoundClosed)[0]
    round_ = played.table.round
    assert round_ is not None
    hands = [card for seat in reversed(SEATS) for card in round_.boxes[seat].cards]
    layout = round_.dealer + round_.community + round_.six_card_box
    assert names(round_.burned + hands + layout) == list(closed.discards)
    assert len(round_.left_deck) == 52 - closed.stub


def racked(played: Play) -> list[int]:
    """The seats in the order in which their hands reached the discard rack."""
    (closed,) = played.of(ev.RoundClosed)
    assert played.table.round is not None
    boxes = played.table.round.boxes
    place = {seat: closed.discards.index(names(box.cards)[0]) for seat, box in boxes.items()}
    return sorted(place, key=place.__getitem__)


@pytest.mark.proves(TOP, "11.C.5.a")
@pytest.mark.parametrize("bonus", [{}, {"poker_bonus": 500}])
def test_a_lost_hand_is_in_the_rack_before_a_hand_that_won(bonus: dict[str, int]) -> None:
    """11.C.5.a takes the losers' cards one after the other, 11.D takes what remains."""
    rules = house(TOP)
    ante = opening_wagers(rules, **bonus)
    seats = {
        1: Seat("Ac As Ah 2c 3c 4c 5c", "1x", **ante),
        2: Seat("2d 3d 4d 5d 6d 7d 8d", "1x", **ante),
        3: Seat("Kc Ks Kh Kd Qc 6c 7c", "1x", **ante),
        4: Seat("2h 3h 4h 5h 6h 7h 8h", "1x", **ante),
    }
    played = play(rules, seats, dealer="Tc Td 2s 3s 4s 5s 6s")
    assert {"win"} == {played.outcomes(seat)["play"] for seat in (1, 3)}
    lost = [4, 2, 1] if bonus and "lose" in played.outcomes(1).values() else [4, 2]
    assert [*lost, *(seat for seat in (3, 1) if seat not in lost)] == racked(played)


@pytest.mark.proves(RUN, "11.I.3.a")
def test_a_lost_hand_is_in_the_rack_after_its_last_wager() -> None:
    """Bonuses are settled first, progressives last (A94, A95); hands without a loss remain."""
    rules = house(RUN)
    wagers = opening_wagers(rules)
    stake = {"progressive": 100}
    seats = {
        1: Seat("2c 7d", "1x 1x 1x", **wagers),
        2: Seat("3c 8d", "1x 1x fold", **wagers, five_card_bonus=500),
        3: Seat("Kc Kd", "1x 1x 1x", **wagers),
        4: Seat("4c 9h", "1x 1x 1x", **wagers, **stake),
        5: Seat("2d 7c", "1x 1x fold", **wagers, **stake),
        6: Seat("4d 9c", "1x 1x 1x", **wagers),
    }
    played = play(rules, seats, community="Ks Qd Kh Jd 5s")
    assert "lose" not in played.outcomes(3).values()
    assert [6, 1, 5, 4, 2, 3] == racked(played)  # 2 is turned up for envy bonuses
