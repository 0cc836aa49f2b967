"""What a seen card is worth: the exact value of a game to a player who knows one card too many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS
from croupier.errors import BadInput
from croupier.games import FactsSpace, House
from croupier.games.forms.run_em_twice import RunChoices
from croupier.games.forms.top_five import TopFiveChoices
from croupier.games.returns import named
from croupier.games.top_five import FOLDED, Contest
from croupier.study import cross, holdem, payoffs, play_games, starting, texas, top_five, workers
from croupier.study.kernels import deals, known, runouts, runs, signatures
from croupier.study.tables import tables

Longs = NDArray[np.int64]

DEALER_AND_FLOP = "dealer:1 flop:1"


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


def protect(house: House, knows: str, progress: workers.Progress | None = None) -> Protected:
    """The exact value of seen cards, such as "dealer:1", "dealer:1 flop:1" or "center:1".

    What may be known, and who works it out, is named by the game.
    """
    report = progress or workers.silent
    wanted = " ".join(sorted(knows.lower().replace(",", " ").split()))
    possible = house.game.study.knows
    if wanted not in possible:
        raise BadInput(
            f"knowing {knows!r} is not worked out for {house.game.title}; expected "
            + (" or ".join(map(repr, possible)) or "nothing, it has no study of seen cards")
        )
    found: Protected = named(possible[wanted])(house, wanted, report)
    return found


@lru_cache(maxsize=2)
def boards_beside(card: int, size: int) -> deals.Boards:
    """Flops or turns without a club, up to a renaming of the other suits."""
    left = [other for other in range(52) if other != card]
    every = np.array(list(combinations(left, size)), np.int64)
    return deals.representatives(every, other_suits())


@cache
def other_suits() -> Longs:
    """The renamings of suits that leave clubs alone."""
    orders = deals.suit_orders()
    kept: Longs = orders[orders[:, 0] == 0]
    return kept


@cache
def openings(shown: bool) -> tuple[Longs, int]:
    """What is known at the first decision up to the suits that are not clubs, numbered."""
    cards = np.arange(52 if shown else 1)
    least = np.full((len(cards), deals.HANDS), np.iinfo(np.int64).max)
    for order, hands in zip(deals.suit_orders(), deals.renamed_hands(), strict=True):
        if order[0] == 0:
            renamed = cards >> 2 << 2 | order[cards & 3]
            np.minimum(least, renamed[:, None] * deals.HANDS + hands[None, :], out=least)
    names, ids = np.unique(least, return_inverse=True)
    return ids.reshape(least.shape).astype(np.int64), len(names)


def one_play_bet(house: House, knows: str, report: workers.Progress) -> Protected:
    """Ultimate and Jackpot: thirteen ranks, each about the work of one solve."""
    rules = play_games.PlayRules(house)
    shown = knows == DEALER_AND_FLOP or rules.opening.shown > 0
    by_card: dict[str, Fraction] = {}
    words = ["check", *(bet.word for bet in rules.opening_bets)]
    actions = dict.fromkeys(words, Fraction(0))
    for rank in range(13):
        report(rank / 14, f"dealer's {RANKS[rank]}")
        totals, times = value_card(rules, rank, shown)
        unit = comb(51, 2) * comb(49, 3) * (3 if shown else 1)
        runs = comb(46, 2) * known.OPPONENTS * rules.scale
        by_card[RANKS[rank]] = Fraction(sum(totals.max(axis=1).tolist()), unit * runs)
        for option, word in enumerate(words):
            best = totals.argmax(axis=1) == option
            actions[word] += Fraction(int(times[best].sum()), 13 * unit)
    ev = sum(by_card.values(), Fraction(0)) / 13
    return _protected(house, knows, ev, by_card, actions, report)


def _protected(
    house: House,
    knows: str,
    ev: Fraction,
    by_card: Mapping[str, Fraction],
    actions: Mapping[str, Fraction],
    report: workers.Progress,
) -> Protected:
    from croupier.study import solve

    report(13 / 14, "without it")
    blind = solve(house, distribution=False).ev
    report(1.0, "done")
    return Protected(
        game=house.game.key,
        knows=knows,
        ev=ev,
        blind=blind,
        by_card=by_card,
        actions=actions,
    )


def value_card(rules: play_games.PlayRules, rank: int, shown: bool) -> tuple[Longs, Longs]:
    """Sums by opening and option against a dealer's club of a rank, and deals by opening."""
    card = rank << 2
    ids, count = openings(shown)
    boards = value_boards(rules.pay, rules.fold_floors(known.OPPONENTS), rank)
    plain, clubs, others = early_sums(boards, rank, 3)
    flops = boards_beside(card, 3)
    rank_boards = signatures.multiset_ids(3)[tuple((flops.cards >> 2).T)]
    parts: list[Longs] = []

    def work(first: int, last: int) -> None:
        part = np.zeros((count, len(rules.opening_bets) + 1), np.int64)
        parts.append(part)
        known.decide_flops(
            first, last, card, flops.cards, flops.sizes, rank_boards, holdem.deal_tables(),
            signatures.numbering().masks, holdem.starts(3), plain, clubs, others, ids, part,
        )  # fmt: skip

    workers.over(len(flops.cards), work, parts=8)
    times = np.zeros(count, np.int64)
    apart = ~(deals.hands() == card).any(axis=1)
    if shown:
        for first in range(52):
            free = apart & ~(deals.hands() == first).any(axis=1)
            if first != card:
                np.add.at(times, ids[first, free], comb(48, 2))
    else:
        np.add.at(times, ids[0, apart], comb(49, 3))
    return np.sum(parts, axis=0), times


@dataclass(frozen=True, slots=True)
class KnownBoards:
    """Values on all boards against a dealer's club of one rank."""

    plain: Longs
    clubs: NDArray[np.int32]  # flush boards of clubs
    others: NDArray[np.int32]  # flush boards of another suit


def value_boards(
    pay: Longs, floors: Longs, rank: int, qualifying: int = play_games.QUALIFYING
) -> KnownBoards:
    """Every hand on every board against the 44 second cards."""
    numbering, ranks = signatures.numbering(), tables()
    rows = len(pay)
    plain = np.zeros((holdem.RANK_BOARDS, rows, signatures.RANK_PAIRS), np.int64)
    workers.over(
        holdem.RANK_BOARDS,
        lambda first, last: known.value_rank_boards(
            first, last, signatures.multisets(5), ranks, numbering.type_pairs, rank, qualifying,
            pay, floors, plain,
        ),
    )  # fmt: skip

    def flush_boards(kind: int) -> NDArray[np.int32]:
        out = np.zeros((signatures.FLUSH_BOARDS, rows, signatures.HAND_TYPES), np.int32)
        workers.over(
            signatures.FLUSH_BOARDS,
            lambda first, last: known.value_flush_boards(
                first, last, numbering.flush_masks, numbering.flush_outside, ranks,
                numbering.type_pairs, numbering.rank_pairs, holdem.ranks_of_flush_boards(), kind,
                qualifying, pay, floors, plain, out,
            ),
        )  # fmt: skip
        return out

    return KnownBoards(plain, flush_boards(rank + 13), flush_boards(rank))


def early_sums(boards: KnownBoards, rank: int, early: int) -> tuple[Longs, Longs, Longs]:
    """Sums over runouts without the known card: by ranks, for clubs, and for other suits."""
    gone = np.zeros(13, np.int64)
    gone[rank] = 1
    return (
        holdem.rank_sums(boards.plain, early, gone),
        holdem.suit_sums(boards.clubs, early, runouts.NONE_GONE),
        holdem.suit_sums(boards.others, early, gone),
    )


def three_bets(house: House, knows: str, report: workers.Progress) -> Protected:
    """Texas: the same, with one more level."""
    rules = texas.TexasRules(house)
    by_card, plays = {}, Fraction(0)
    ids, count = openings(False)
    for rank in range(13):
        report(rank / 14, f"dealer's {RANKS[rank]}")
        floors = np.full(2, holdem.NO_FLOOR, np.int64)
        boards = value_boards(rules.pay, floors, rank, texas.ALWAYS_QUALIFIES)
        flops, turns = (sum_early(boards, rank, early, ids[0], count) for early in (3, 4))
        # A deal is counted once per order of turn and river, four flops to every turn.
        totals = 2 * (flops[:, 0] + flops[:, 1]) + 4 * turns[:, 1]
        deals_per_hand = comb(49, 3) * 2 * comb(46, 2) * known.OPPONENTS
        apart = ~(deals.hands() == rank << 2).any(axis=1)
        sizes = np.bincount(ids[0, apart], minlength=count)
        fold = int(rules.fold * rules.scale) * deals_per_hand * sizes
        worth = sum(np.maximum(totals, fold).tolist())
        by_card[RANKS[rank]] = Fraction(worth, comb(51, 2) * deals_per_hand * rules.scale)
        plays += Fraction(int(sizes[totals > fold].sum()), 13 * comb(51, 2))
    actions = {rules.opening.word: plays, "fold": 1 - plays}
    ev = sum(by_card.values(), Fraction(0)) / 13
    return _protected(house, knows, ev, by_card, actions, report)


def sum_early(boards: KnownBoards, rank: int, early: int, ids: Longs, count: int) -> Longs:
    """By starting hand: sums over flops or turns, and of the bet there where it gains."""
    plain, clubs, others = early_sums(boards, rank, early)
    beside = boards_beside(rank << 2, early)
    rank_boards = signatures.multiset_ids(early)[tuple((beside.cards >> 2).T)]
    parts: list[Longs] = []

    def work(first: int, last: int) -> None:
        parts.append(part := np.zeros((count, 2), np.int64))
        known.sum_early(
            first, last, rank << 2, beside.cards, beside.sizes, rank_boards,
            holdem.deal_tables(), signatures.numbering().masks, holdem.starts(early), plain,
            clubs, others, ids, part,
        )  # fmt: skip

    workers.over(len(beside.cards), work)
    total: Longs = np.sum(parts, axis=0)
    return total


def center_of_a_cross(house: House[RunChoices], knows: str, report: workers.Progress) -> Protected:
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
        report(at / len(hands.names) * 13 / 14, hands.names[at])
        parts.append(part)
    worth, chosen = (np.sum([part[at] for part in parts], axis=0) for at in range(2))
    per_rank = 1326 * 50 * firsts * seconds // 13
    by_card = {RANKS[rank]: Fraction(int(worth[rank]), per_rank) for rank in range(13)}
    actions = {
        word: Fraction(count, 1326 * 50) for word, count in zip(words, chosen.tolist(), strict=True)
    }
    ev = sum(by_card.values(), Fraction(0)) / 13
    return _protected(house, knows, ev, by_card, actions, report)


def live_cards(house: House[TopFiveChoices], knows: str, report: workers.Progress) -> Protected:
    """A dealer's card out of seven: a live one, or one of the dead."""
    (street,) = house.game.streets
    (bet,) = payoffs.bets(street.options)
    space = FactsSpace.of(house.every_facts(), Contest)
    stakes = {**payoffs.opening_stakes(house.game), bet.wager: bet.times}
    scaled = payoffs.Scaled([payoffs.Money(house).by_code(space, stakes)])
    pay = scaled.values[0]
    others = comb(44, 6)
    cost = int(pay[space.code(FOLDED)]) * others
    sets = top_five.live_sets()
    players = top_five.players_up_to_suits(house.choices.tie_break_extra_cards)
    hands, codes = top_five.hands_of(players), top_five.contest_codes(space)
    report(0.0, "live cards")

    def one_player(at: int) -> tuple[list[int], int]:
        """Worth by rank of the known card (dead ones last) and the cards with which to play."""
        own, size = int(players.masks[at]), int(sets.sizes[players.first[at]])
        dead = top_five.DEAD - (top_five.HAND - size)
        live_ways = np.array([comb(dead, 7 - held) for held in range(8)])
        dead_ways = np.array([comb(dead - 1, 6 - held) if held < 7 else 0 for held in range(8)])
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
    deals_in_all = comb(52, 7) * 45 * others * scaled.scale
    ranks = [*RANKS[-5:], "dead"]
    share = {rank: Fraction(32 if rank == "dead" else 4, 52) for rank in ranks}
    by_card = {
        rank: Fraction(total, deals_in_all) / share[rank]
        for rank, total in zip(ranks, worth, strict=True)
    }
    ev = Fraction(sum(worth), deals_in_all)
    stays = Fraction(plays, comb(52, 7) * 45)
    return _protected(house, knows, ev, by_card, {bet.word: stays, "fold": 1 - stays}, report)
