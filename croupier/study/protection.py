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
    """The exact value of seen cards: of the dealer, of the board, or the center of a cross.

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
    """A dealer's card or both, and a card of the board by itself or with one: Ultimate, Jackpot."""
    seen = how_many(knows)
    count = seen.pop("dealer", 0)
    return Worth(*dealer_cards.one_play_bet(house, count, report, "".join(seen)))


def texas_bonus(house: House, knows: str, report: workers.Progress) -> Worth:
    """A dealer's card or both, in Texas."""
    return Worth(*dealer_cards.texas_bonus(house, how_many(knows)["dealer"], report))


class KnownCenter:
    """The center of a cross: what first bets are worth beside each of them."""

    def __init__(self, house: House[RunChoices]) -> None:
        self.rules = rules = cross.RunRules(house)
        bets = rules.multiples
        paid = np.array(
            [[[rules.money.by_code(rules.space, rules.staked(one, two, three)) for three in bets]
              for two in bets] for one in bets],
            object,
        ).astype(np.int64)[..., rules.codes]  # fmt: skip
        last = np.maximum(paid.max(axis=2), rules.folds[:, :, None, None])
        self.last = np.ascontiguousarray(last.transpose(2, 3, 0, 1))
        self.folds = np.array([rules.fold_at("second", bet) for bet in bets])
        self.fold_first = rules.fold_at("first") * comb(49, 2) * comb(47, 2)
        self.words = [*(bet.word for bet in rules.bets), "fold"]

    def firsts(self, hand_class: int) -> Longs:
        """Sums over both sides, by center (its place among the fifty) and first bet."""
        classes = cross.run_classes(self.rules, cross.sides(hand_class))
        out = np.zeros((runs.OTHERS, len(self.rules.multiples)), np.int64)
        for center in range(runs.OTHERS):
            known.value_center(
                classes[center], cross.side_cards(), self.last, self.folds, out[center]
            )
        return out

    def best(self, firsts: Longs) -> Longs:
        """The place of the best word for each center."""
        plays = firsts.max(axis=1) > self.fold_first
        chosen: Longs = np.where(plays, firsts.argmax(axis=1), len(self.words) - 1)
        return chosen


def center_of_a_cross(house: House[RunChoices], knows: str, report: workers.Progress) -> Worth:
    """The center of the cross: all that is left to chance are the two sides."""
    what = KnownCenter(house)
    hands, words = starting.hand_classes(), what.words
    firsts, seconds = comb(49, 2), comb(47, 2)

    def one_hand(at: int) -> tuple[Longs, Longs]:
        sums, size = what.firsts(at), int(hands.sizes[at])
        worth = np.zeros(13, np.int64)
        np.add.at(
            worth, cross.sides(at).others >> 2, size * np.maximum(sums.max(axis=1), what.fold_first)
        )
        return worth, size * np.bincount(what.best(sums), minlength=len(words))

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


class KnownLive:
    """One dealer's card of Top Five: what playing is worth beside each of them."""

    def __init__(self, house: House[TopFiveChoices]) -> None:
        (street,) = house.game.streets
        (self.bet,) = payoffs.bets(street.options)
        self.space = FactsSpace.of(house.every_facts(), Contest)
        stakes = {**payoffs.opening_stakes(house.game), self.bet.wager: self.bet.times}
        scaled = payoffs.Scaled([payoffs.Money(house).by_code(self.space, stakes)])
        self.scale, self.pay = scaled.scale, scaled.values[0]
        self.dealt = top_five.sizes_of(house)
        self.others = comb(51 - self.dealt.own, self.dealt.dealer - 1)
        self.cost = int(self.pay[self.space.code(FOLDED)]) * self.others
        self.players = top_five.players_up_to_suits(house)
        self.codes = top_five.contest_codes(self.space)

    def dead(self, size: int) -> int:
        """Dead cards beside a player with so many live ones."""
        return top_five.DEAD - max(0, self.dealt.own - size)

    def totals(self, at: int) -> list[int]:
        """Sums over the dealer's other cards, by known card of the live ones; a dead one last."""
        sets, players = top_five.live_sets(), self.players
        own, size = int(players.masks[at]), int(sets.sizes[players.first[at]])
        live_ways = np.array(top_five.dead_ways(self.dead(size), self.dealt.dealer))
        dead_ways = np.array(top_five.dead_ways(self.dead(size) - 1, self.dealt.dealer - 1))
        counts = np.zeros((top_five.LIVE + 1, len(self.space)), np.int64)
        known.count_with_card(
            own, size, players.values[at], sets.masks, sets.sizes, players.all_values,
            players.qualifying, live_ways, dead_ways, self.codes, counts,
        )  # fmt: skip
        totals: list[int] = (counts @ self.pay).tolist()
        return totals


def live_cards(house: House[TopFiveChoices], knows: str, report: workers.Progress) -> Worth:
    """A dealer's card out of seven: a live one, or one of the dead."""
    what = KnownLive(house)
    players, dealt, cost = what.players, what.dealt, what.cost
    hands = top_five.hands_of(players, dealt.own)
    report(0.0, "live cards")

    def one_player(at: int) -> tuple[list[int], int]:
        """Worth by rank of the known card (dead ones last) and the cards with which to play."""
        own = int(players.masks[at])
        dead, totals = what.dead(own.bit_count()), what.totals(at)
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
    deals_in_all = hands_and_cards * what.others * what.scale
    ranks = [*RANKS[-5:], "dead"]
    share = {rank: Fraction(32 if rank == "dead" else 4, 52) for rank in ranks}
    by_card = {
        rank: Fraction(total, deals_in_all) / share[rank]
        for rank, total in zip(ranks, worth, strict=True)
    }
    ev = Fraction(sum(worth), deals_in_all)
    stays = Fraction(plays, hands_and_cards)
    return Worth(ev, by_card, {what.bet.word: stays, "fold": 1 - stays})
