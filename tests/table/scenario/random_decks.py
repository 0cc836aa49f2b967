"""Random decks for scenarios, most of them stacked with strong, tied or special hands."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from tests.table.scenario import naive_hands as hands
from tests.table.scenario import naive_replay as naive
from tests.table.scenario.scenario_shapes import Place, Scenario

DECK = [rank + suit for rank in hands.RANKS for suit in hands.SUITS]

Wanted = dict[Place, list[str]]  # the cards to deal to each place


def random_deck(rng: random.Random, scenario: Scenario) -> list[str]:
    """Return a shuffled deck, in most cases with chosen cards for some places."""
    layout = naive.Round(scenario)
    spots = [step for steps in layout.plan for step in steps if not str(step).startswith("check")]
    wanted: Wanted = {}
    if rng.random() < 0.65:
        if scenario["game"] == naive.TOP_FIVE:
            stack_top_five(rng, sorted(layout.seats), wanted)
        elif scenario["game"] == naive.RUN:
            stack_run_em_twice(rng, sorted(layout.seats), wanted)
        else:
            stack_holdem(rng, layout, wanted)
    rest = remaining(rng, wanted)
    wanted = {place: list(cards) for place, cards in wanted.items()}
    deck = [wanted[spot].pop(0) if wanted.get(spot) else rest.pop() for spot in spots]
    rest += [card for cards in wanted.values() for card in cards]  # cards that are not dealt
    rng.shuffle(rest)
    return deck + rest


def remaining(rng: random.Random, wanted: Wanted) -> list[str]:
    used = {card for cards in wanted.values() for card in cards}
    rest = [card for card in DECK if card not in used]
    rng.shuffle(rest)
    return rest


def random_hand(rng: random.Random, name: str) -> list[str]:
    """Return five cards of a category, in random order."""
    suit = rng.choice("cdddhs")  # a royal flush of diamonds is special in Jackpot Hold 'Em
    if name == "royal_flush":
        hand = [rank + suit for rank in "AKQJT"]
    elif name in ("straight_flush", "straight"):
        low = rng.choice([0, 0, 0, *range(1, 9)])  # the five-high straight more often
        ranks = ("A" + hands.RANKS)[low : low + 5]
        hand = [rank + suit for rank in ranks]
        if name == "straight":
            hand[0] = hand[0][0] + rng.choice(hands.SUITS.replace(suit, ""))
    elif name == "four_of_a_kind":
        first, second = rng.sample(hands.RANKS, 2)
        hand = [first + s for s in hands.SUITS] + [second + suit]
    elif name == "full_house":
        first, second = rng.sample(hands.RANKS, 2)
        hand = [first + s for s in rng.sample(hands.SUITS, 3)]
        hand += [second + s for s in rng.sample(hands.SUITS, 2)]
    else:
        category = hands.CATEGORIES.index(name)
        while True:
            if name == "flush":
                hand = [rank + suit for rank in rng.sample(hands.RANKS, 5)]
            else:
                hand = rng.sample(DECK, 5)
            if hands.rank_hand(hand)[0] == category:
                break
    rng.shuffle(hand)
    return hand


def random_category(rng: random.Random) -> str:
    return rng.choice(
        ["royal_flush"] * 4 + ["straight_flush"] * 5 + ["four_of_a_kind"] * 4 + hands.CATEGORIES[1:]
    )


def strong_pair(rng: random.Random, rest: list[str], board: list[str]) -> list[str]:
    """Return two cards that make a strong hand with the board, from random candidates."""
    suits = [card[1] for card in board]
    suit = max(suits, key=suits.count)
    suited = [card for card in rest if card[1] == suit]
    matching = [card for card in rest if card[0] in {other[0] for other in board}]
    pairs: list[Sequence[str]] = [rng.sample(rest, 2) for _ in range(10)]
    for cards in (suited, matching):
        some: list[Sequence[str]] = list(itertools.combinations(cards, 2))
        pairs += rng.sample(some, min(25, len(some)))
    if rng.random() < 0.5 and len(suited) > 1:
        pairs += itertools.combinations(suited, 2)
        board = board[:3]
    return list(max(pairs, key=lambda pair: hands.best_hand([*pair, *board])))


def give_strong_pairs(
    rng: random.Random, wanted: Wanted, places: Sequence[Place], board: list[str]
) -> None:
    if rng.random() < 0.5:
        return
    for place in rng.sample(places, len(places)):
        if place not in wanted and rng.random() < 0.6:
            wanted[place] = strong_pair(rng, remaining(rng, wanted), board)


def random_pocket(rng: random.Random, rest: list[str]) -> list[str]:
    """Return two hole cards that the pair wagers pay, if any are left."""
    aces = [card for card in rest if card[0] == "A"]
    if aces and rng.random() < 0.6:
        ace = aces[0]
        wanted = [card for card in rest if card[0] in "AKQJ" and card != ace]
        if rng.random() < 0.4:
            wanted = [card for card in wanted if card[1] == ace[1]] or wanted
        return [ace, rng.choice(wanted or rest[:1])]
    pairs = [pair for pair in itertools.combinations(rest, 2) if pair[0][0] == pair[1][0]]
    return list(rng.choice(pairs))


def stack_holdem(rng: random.Random, layout: naive.Round, wanted: Wanted) -> None:
    places: list[Place] = [*sorted(layout.seats), "dealer"]
    themes = ["flop", "flop", "flop", "seven", "board", "board", "aces", "clash", "pocket"]
    if "six_card_bonus" in layout.letters:
        themes += ["box", "box"]
    theme = rng.choice(themes)
    hand = random_hand(rng, random_category(rng))
    place = rng.choice(places)
    if theme == "flop":
        wanted[place], wanted["community"] = hand[:2], hand[2:]
    elif theme == "seven":
        wanted[place] = hand[:2]
        wanted["community"] = hand[2:] + rng.sample([c for c in DECK if c not in hand], 2)
        rng.shuffle(wanted["community"])
    elif theme == "board":
        wanted["community"] = hand
    elif theme == "aces":
        aces = rng.choice([["Ah", "Ad", "As", "Ac"], ["As", "Ah", "Ad", "Ac"]])
        wanted[rng.choice(places[:-1])], wanted["dealer"] = aces[:2], aces[2:]
        if rng.random() < 0.3:
            wanted[rng.choice(places[:-1])] = wanted.pop("dealer")
    elif theme == "clash":  # both sides strong: straight flushes, or two fours of a kind
        suit = rng.choice(hands.SUITS)
        low = rng.randint(0, 7)
        ranks = hands.RANKS[low : low + 6]
        wanted["community"] = [ranks[i] + suit for i in (1, 2, 3)]
        if rng.random() < 0.4:
            suits = rng.sample(hands.SUITS, 4)
            wanted["community"] = [rank + s for rank in ranks[:2] for s in suits[:2]]
            wanted[places[0]] = [ranks[0] + s for s in suits[2:]]
            wanted["dealer"] = [ranks[1] + s for s in suits[2:]]
    elif theme == "pocket":
        for seat in places[:-1]:
            wanted[seat] = random_pocket(rng, remaining(rng, wanted))
    elif theme == "box":
        suit = rng.choice("ddchs")
        six = [rank + suit for rank in rng.choice(["AKQJT9", "AKQJT9", "AKQJT2", "KQJT98"])]
        if rng.random() < 0.4:
            six = hand + [rng.choice([card for card in DECK if card not in hand])]
        rng.shuffle(six)
        wanted[rng.choice(places[:-1])], wanted["box"] = six[:2], six[2:]
    board = wanted.get("community", [])
    rest = remaining(rng, wanted)
    if len(board) < 5 and rng.random() < 0.9:
        wanted["community"] = board + rest[: 5 - len(board)]
    if "community" in wanted:
        give_strong_pairs(rng, wanted, places, wanted["community"])


def stack_run_em_twice(rng: random.Random, seats: list[int], wanted: Wanted) -> None:
    seat = rng.choice(seats)
    hand = random_hand(rng, random_category(rng))
    theme = rng.choice(["first", "first", "second", "cross", "both", "pair"])
    if theme == "cross":
        for place, card in zip(["left", "right", "top", "bottom", "center"], hand):
            wanted[place] = [card]
    elif theme == "both":  # a royal flush one way, a straight flush the other
        suit = rng.choice(hands.SUITS)
        middle = [rank + suit for rank in rng.sample("QJT", 3)]
        lines = rng.sample([["left", "right"], ["top", "bottom"]], 2)
        wanted[seat], wanted["center"] = middle[:2], middle[2:]
        for line, ranks in zip(lines, ["AK", "98"]):
            for place, rank in zip(line, ranks):
                wanted[place] = [rank + suit]
    elif theme == "pair":
        if rng.random() < 0.2:
            wanted[seat] = ["Ah", "Ad"]
        for other in seats:
            wanted.setdefault(other, random_pocket(rng, remaining(rng, wanted)))
    else:
        line = ["left", "right"] if theme == "first" else ["top", "bottom"]
        wanted[seat] = hand[:2]
        for place, card in zip([*line, "center"], hand[2:]):
            wanted[place] = [card]
    board = [wanted[place][0] for place in ("left", "center", "right") if place in wanted]
    if len(board) == 3:
        give_strong_pairs(rng, wanted, seats, board)


def stack_top_five(rng: random.Random, seats: list[int], wanted: Wanted) -> None:
    low = [card for card in DECK if hands.rank_of(card) < hands.TEN]
    live = [card for card in DECK if hands.rank_of(card) >= hands.TEN]
    rng.shuffle(low)
    rng.shuffle(live)
    seat = rng.choice(seats)
    places: list[Place] = [*seats, "dealer"]
    theme = rng.choice(["tie", "tie", "tie", "category", "category", "count", "dealer", "dealer"])
    if theme == "tie":  # the same ranks on both sides, then perhaps more live cards
        size = rng.choice([0, 1, 2, 3, 4, 5, 5, 5])
        tied = rng.sample("AAKKQQJJTT", size)
        suits = {rank: rng.sample(hands.SUITS, 4) for rank in "AKQJT"}
        wanted["dealer"] = [rank + suits[rank].pop() for rank in tied]
        wanted[seat] = [rank + suits[rank].pop() for rank in tied]
        live = [card for card in live if card not in wanted["dealer"] + wanted[seat]]
        extra = rng.choice([0, 0, 1, 2]) if size == 5 else 0
        for hand in (wanted["dealer"], wanted[seat]):
            hand += [live.pop() for _ in range(extra)]
    elif theme == "category":
        name = rng.choice(["royal_flush", "four_of_a_kind", "full_house", "straight", "two_pair"])
        index = hands.CATEGORIES.index(name)
        hand = ["As", "Ks", "Qs", "Js", "Ts"]
        while name != "royal_flush" and hands.rank_hand(hand)[0] != index:
            hand = rng.sample(live, 5)
        wanted[rng.choice((seat, "dealer"))] = hand
        live = [card for card in live if card not in hand]
    elif theme == "count":
        for place in rng.sample(places, min(2, len(places))):
            wanted[place] = [live.pop() for _ in range(rng.choice([0, 1, 4, 5, 6, 7, 7]))]
    else:  # around the hand that the dealer needs
        ranks = rng.choice(["QJ", "QJ", "QT", "JT", "KT", "AT", "TT", "A", "", "TJQ"])
        wanted["dealer"] = []
        for rank in ranks:
            card = next(card for card in live if card[0] == rank)
            live.remove(card)
            wanted["dealer"].append(card)
        if rng.random() < 0.5:
            wanted[seat] = [live.pop() for _ in range(len(ranks))]
    for cards in wanted.values():
        while len(cards) < 7:
            cards.append(low.pop())
        rng.shuffle(cards)
