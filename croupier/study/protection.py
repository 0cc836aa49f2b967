"""What a seen card is worth: the exact value of a game to a player who knows a card too many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS
from croupier.errors import BadInput
from croupier.games import FactsSpace, House
from croupier.games.forms.run_em_twice import RunChoices
from croupier.games.forms.top_five import TopFiveChoices
from croupier.games.returns import named
from croupier.games.top_five import FOLDED, Contest
from croupier.study import cross, dealer_cards, payoffs, starting, top_five, workers
from croupier.study.kernels import known, runs

Longs = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Protected:
    """The game for a player who knows more than the rules show, per unit of one ante."""

    game: str
    knows: str
    ev: Fraction  # perfect play on everything that is known
    blind: Fraction  # perfect play on what may be seen
    by_card: Mapping[str, Fraction]  # by the rank of the card that is known
    actions: Mapping[str, Fraction]  # how often each first action is best

    @property
    def gain(self) -> Fraction:
        """What the knowledge adds."""
        return self.ev - self.blind


class Worth(NamedTuple):
    """A study of one kind of knowledge: the value, by card, and the first actions."""

    ev: Fraction
    by_card: Mapping[str, Fraction]
    actions: Mapping[str, Fraction]


def protect(house: House, knows: str, progress: workers.Progress | None = None) -> Protected:
    """The exact value of seen cards: of the dealer, of the flop, or the center of a cross.

    What may be known ("dealer:1 flop:1"), and who works it out, is named by the game.
    """
    from croupier.study.kept import main_value

    report = progress or workers.silent
    wanted = " ".join(sorted(knows.lower().replace(",", " ").split()))
    possible = house.game.study.knows
    if wanted not in possible:
        raise BadInput(
            f"knowing {knows!r} is not worked out for {house.game.title}; expected "
            + (" or ".join(map(repr, possible)) or "nothing, it has no study of seen cards")
        )
    study = named(possible[wanted])
    worth: Worth = study(house, wanted, lambda done, what: report(0.95 * done, what))
    report(0.95, "without it")
    blind = main_value(house)
    report(1.0, "done")
    return Protected(
        game=house.game.key,
        knows=wanted,
        ev=worth.ev,
        blind=blind,
        by_card=worth.by_card,
        actions=worth.actions,
    )


def how_many(knows: str) -> dict[str, int]:
    """Cards that are known, by where they lie: "dealer:1 flop:1" is one of each."""
    return {place: int(count) for place, _, count in (w.partition(":") for w in knows.split())}


def one_play_bet(house: House, knows: str, report: workers.Progress) -> Worth:
    """A dealer's card or both, and with one of them a card of the flop: Ultimate and Jackpot."""
    seen = how_many(knows)
    flop_card = "flop" in seen
    return Worth(*dealer_cards.one_play_bet(house, seen["dealer"], report, flop_card=flop_card))


def texas_bonus(house: House, knows: str, report: workers.Progress) -> Worth:
    """A dealer's card or both, in Texas."""
    return Worth(*dealer_cards.texas_bonus(house, how_many(knows)["dealer"], report))


def center_of_a_cross(house: House[RunChoices], knows: str, report: workers.Progress) -> Worth:
    """The center of the cross: all that is left to chance are the two sides."""
    rules = cross.RunRules(house)
    bets = rules.multiples
    paid = np.array(
        [[[rules.money.by_code(rules.space, rules.staked(one, two, three)) for three in bets]
          for two in bets] for one in bets],
        object,
    ).astype(np.int64)[..., rules.codes]  # fmt: skip
    last = np.maximum(paid.max(axis=2), rules.folds[:, :, None, None])
    last = np.ascontiguousarray(last.transpose(2, 3, 0, 1))
    folds = np.array([rules.fold_at("second", bet) for bet in bets])
    hands = starting.hand_classes()
    firsts, seconds = comb(49, 2), comb(47, 2)
    fold_first = rules.fold_at("first") * firsts * seconds
    words = [*(bet.word for bet in rules.bets), "fold"]

    def one_hand(at: int) -> tuple[Longs, Longs]:
        found = cross.sides(at)
        classes = cross.run_classes(rules, found)
        worth, chosen = np.zeros(13, np.int64), np.zeros(len(words), np.int64)
        for center in range(runs.OTHERS):
            out = np.zeros(len(bets), np.int64)
            known.value_center(classes[center], cross.side_cards(), last, folds, out)
            best = int(out.argmax()) if out.max() > fold_first else len(bets)
            chosen[best] += hands.sizes[at]
            worth[found.others[center] >> 2] += hands.sizes[at] * max(int(out.max()), fold_first)
        return worth, chosen

    parts = []
    for at, part in enumerate(workers.pool().map(one_hand, range(len(hands.names)))):
        report(at / len(hands.names), hands.names[at])
        parts.append(part)
    worth, chosen = (np.sum([part[at] for part in parts], axis=0) for at in range(2))
    per_rank = 1326 * 50 * firsts * seconds // 13
    by_card = {RANKS[rank]: Fraction(int(worth[rank]), per_rank) for rank in range(13)}
    actions = {
        word: Fraction(count, 1326 * 50) for word, count in zip(words, chosen.tolist(), strict=True)
    }
    ev = sum(by_card.values(), Fraction(0)) / 13
    return Worth(ev, by_card, actions)


def live_cards(house: House[TopFiveChoices], knows: str, report: workers.Progress) -> Worth:
    """A dealer's card out of seven: a live one, or one of the dead."""
    (street,) = house.game.streets
    (bet,) = payoffs.bets(street.options)
    space = FactsSpace.of(house.every_facts(), Contest)
    stakes = {**payoffs.opening_stakes(house.game), bet.wager: bet.times}
    scaled = payoffs.Scaled([payoffs.Money(house).by_code(space, stakes)])
    pay = scaled.values[0]
    dealt = top_five.sizes_of(house)
    others = comb(51 - dealt.own, dealt.dealer - 1)
    cost = int(pay[space.code(FOLDED)]) * others
    sets = top_five.live_sets()
    players = top_five.players_up_to_suits(house)
    hands, codes = top_five.hands_of(players, dealt.own), top_five.contest_codes(space)
    report(0.0, "live cards")

    def one_player(at: int) -> tuple[list[int], int]:
        """Worth by rank of the known card (dead ones last) and the cards with which to play."""
        own, size = int(players.masks[at]), int(sets.sizes[players.first[at]])
        dead = top_five.DEAD - max(0, dealt.own - size)
        live_ways = np.array(top_five.dead_ways(dead, dealt.dealer))
        dead_ways = np.array(top_five.dead_ways(dead - 1, dealt.dealer - 1))
        counts = np.zeros((top_five.LIVE + 1, len(space)), np.int64)
        known.count_with_card(
            own, size, players.values[at], sets.masks, sets.sizes, players.all_values,
            players.qualifying, live_ways, dead_ways, codes, counts,
        )  # fmt: skip
        totals = (counts @ pay).tolist()
        worth, plays = [0] * 6, 0
        for card in range(top_five.LIVE + 1):
            times = dead if card == top_five.LIVE else 1 - (own >> card & 1)
            worth[card >> 2] += times * max(totals[card], cost)
            plays += times * (totals[card] > cost)
        return worth, plays

    worth, plays = [0] * 6, 0
    found = workers.pool().map(one_player, range(len(players.masks)))
    for times, (part, cards) in zip(hands.tolist(), found, strict=True):
        worth = [total + times * one for total, one in zip(worth, part, strict=True)]
        plays += times * cards
    hands_and_cards = comb(52, dealt.own) * (52 - dealt.own)
    deals_in_all = hands_and_cards * others * scaled.scale
    ranks = [*RANKS[-5:], "dead"]
    share = {rank: Fraction(32 if rank == "dead" else 4, 52) for rank in ranks}
    by_card = {
        rank: Fraction(total, deals_in_all) / share[rank]
        for rank, total in zip(ranks, worth, strict=True)
    }
    ev = Fraction(sum(worth), deals_in_all)
    stays = Fraction(plays, hands_and_cards)
    return Worth(ev, by_card, {bet.word: stays, "fold": 1 - stays})
