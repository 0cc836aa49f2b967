"""Who plays as if a hidden card were seen: a sequential test on decisions, with its false alarms.

A player who has not seen the dealer's card decides whatever he likes, well or badly, but not by
that card: given what may be seen, the card is any of the unseen ones. So for each decision the
share of unseen cards under which the answer would be best, had that card been seen, is a chance
that no honest player can beat on average. A stake on "the answer fits the card that lies there"
at these fair odds is a game that honest players, whatever their skill, leave as they entered it;
what was won is the evidence (an e-value). It passes 1/a, ever, with chance a at the most (Ville
1939), however long one watches and whenever one stops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from math import exp, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import disk_cache
from croupier.analysis.advice import money_digest
from croupier.analysis.exposure import holdem_exposure, known_cards
from croupier.analysis.kernels.enumerate import flops
from croupier.analysis.lookup_tables import rank_hands
from croupier.analysis.parallel import Progress, silent
from croupier.analysis.solvers.single_raise import PlayRules
from croupier.cards import Card
from croupier.errors import BadInput
from croupier.games import House
from croupier.games.run_em_twice import boards as cross
from croupier.games.run_em_twice import solver
from croupier.games.run_em_twice.exposure import KnownCenter
from croupier.games.run_em_twice.form import RunChoices
from croupier.games.run_em_twice.game import CENTER as CENTER_PLACE
from croupier.games.texas_holdem_bonus.solver import TexasRules
from croupier.games.top_five import solver as top_five
from croupier.games.top_five.exposure import KnownLive
from croupier.games.top_five.form import TopFiveChoices
from croupier.ranking import CATEGORY_SHIFT

# Shares of what one has that are staked each time; nobody knows how often a cheat looks.
STAKED = (0.05, 0.2, 0.5, 0.8)
# A cheat may see the same of the dealer's cards every time, as one that is dealt last and flashes:
# half of the stakes are on all hidden cards alike, the rest on each place by itself.
PLACES = 7
WEIGHTS = (1 / 2, *[1 / (2 * PLACES)] * PLACES)
# Who values a hidden card, and so says how its games are watched.
ONE_BET, TEXAS, LIVE, CENTER = (
    f"croupier.analysis.exposure.exposed_cards:{name}"
    for name in ("one_play_bet", "texas_bonus", "live_cards", "cards_of_a_cross")
)


class RecordedDecision(NamedTuple):
    """An answer on record, and the cards that nobody should have seen: the dealer's, a center."""

    street: str
    cards: tuple[Card, ...]
    board: tuple[Card, ...]
    word: str
    dealer: tuple[Card, ...]


@dataclass(slots=True)
class Watched:
    """What the decisions of one player say so far."""

    player: str
    decisions: int = 0
    differing: int = 0  # those in which a seen card could change the answer
    fitting: int = 0  # of those, answers that fit the dealer's cards better than by chance
    logs: list[list[float]] = field(default_factory=lambda: [[0.0] * len(STAKED) for _ in WEIGHTS])
    most: float = 1.0  # the strongest evidence at any moment

    @property
    def evidence(self) -> float:
        """The e-value: what one unit staked has become."""
        return sum(
            weight * sum(map(exp, logs)) / len(logs)
            for weight, logs in zip(WEIGHTS, self.logs, strict=True)
        )

    def add(self, best: Mapping[Card, str], decision: RecordedDecision) -> None:
        """One more decision, with the best answer for every card that could be seen."""
        self.decisions += 1
        if len(set(best.values())) == 1:
            return
        self.differing += 1
        gain = fit(best, decision)
        self.fitting += gain > 1
        hidden = decision.dealer[:PLACES]
        gains = [gain, *(fit(best, decision._replace(dealer=(card,))) for card in hidden)]
        for logs, gain in zip(self.logs, gains, strict=False):
            logs[:] = [
                total + log(1 - share + share * gain)
                for total, share in zip(logs, STAKED, strict=True)
            ]
        self.most = max(self.most, self.evidence)

    def alarms(self, false_alarms: float, players: int) -> bool:
        """Whether to look closer, if so many players are watched and so few may be wronged."""
        return self.most >= players / false_alarms


def fit(best: Mapping[Card, str], decision: RecordedDecision) -> float:
    """What a unit becomes that was staked on an answer that fits one of the dealer's cards.

    On average over the unseen cards it stays a unit, whatever the answer is.
    """
    share = sum(word == decision.word for word in best.values()) / len(best)
    if not share:
        return 1.0  # no card makes this the best answer: nothing to be learned
    fits = sum(best[card] == decision.word for card in decision.dealer) / len(decision.dealer)
    return fits / share


def watched_by(house: House) -> str:
    """Who values a hidden card of this game; "" where nobody does."""
    knows = house.game.analysis.knows
    found = knows.get("dealer:1") or knows.get("center:1") or ""
    return found if found in (ONE_BET, TEXAS, LIVE, CENTER) else ""


def watchable(house: House) -> bool:
    """Whether decisions of this game can be compared here."""
    return bool(watched_by(house))


def watched_streets(house: House) -> tuple[str, ...]:
    """The streets that are compared: all of Ultimate and Jackpot, elsewhere the first."""
    names = tuple(street.name for street in house.game.streets)
    return names if watched_by(house) == ONE_BET else names[: watchable(house)]


def hidden_cards(
    house: House, dealer: tuple[Card, ...], community: tuple[Card, ...]
) -> tuple[Card, ...]:
    """The cards of a finished round that nobody should have seen; none if they are not known."""
    if watched_by(house) == CENTER:
        return community[CENTER_PLACE:]
    return dealer if len(dealer) == house.game.dealer_cards else ()


@lru_cache(maxsize=4)
def rules_of(house: House) -> PlayRules:
    """The streets and payoffs of a House with one bet."""
    return PlayRules(house)


def best_answers(
    house: House, decision: RecordedDecision, progress: Progress | None = None
) -> dict[Card, str]:
    """The best answer on a street for each hidden card that could have been seen."""
    if decision.street not in watched_streets(house):
        raise BadInput(
            f"{house.game.title}, {decision.street}: decisions on a seen card are not compared here"
        )
    unseen = [c for c in range(52) if c not in decision.cards and c not in decision.board]
    detector = watched_by(house)
    if detector == TEXAS:
        return _texas(house, decision, unseen, progress or silent)
    if detector == LIVE:
        return _live(house, decision, unseen)
    if detector == CENTER:
        return _center(house, decision, unseen)
    rules = rules_of(house)
    if decision.street == rules.opening.name:
        return _openings(rules, decision, unseen, progress or silent)
    if decision.street == rules.flop.name:
        return _flop(rules, decision, unseen)
    return _river(rules, decision, unseen)


def _openings(
    rules: PlayRules, decision: RecordedDecision, unseen: Sequence[Card], progress: Progress
) -> dict[Card, str]:
    table = _opening_table(rules.house, progress)
    shown = rules.opening.shown
    ids = known_cards.openings((0,), shown).ids
    words = ["check", *(bet.word for bet in rules.opening_bets)]
    found = {}
    for card in unseen:
        held = [_renamed(one, card & 3) for one in decision.cards]
        first = _renamed(decision.board[0], card & 3) if shown else 0
        found[card] = words[int(table[card >> 2, ids[first, flops.hand_number(held)]])]
    return found


def _renamed(card: Card, suit: int) -> Card:
    """A card with a suit and clubs exchanged."""
    mine = card & 3
    new = {suit: 0, 0: suit}.get(mine, mine)
    return card >> 2 << 2 | new


def _texas(
    house: House, decision: RecordedDecision, unseen: Sequence[Card], progress: Progress
) -> dict[Card, str]:
    """Play or fold before the flop of Texas."""
    table = _opening_table(house, progress)
    ids = known_cards.openings((0,), 0).ids
    words = "fold", TexasRules(house).opening.word
    found = {}
    for card in unseen:
        held = [_renamed(one, card & 3) for one in decision.cards]
        found[card] = words[int(table[card >> 2, ids[0, flops.hand_number(held)]])]
    return found


@lru_cache(maxsize=4)
def _known_live(house: House[TopFiveChoices]) -> KnownLive:
    return KnownLive(house)


def _live(house: House, decision: RecordedDecision, unseen: Sequence[Card]) -> dict[Card, str]:
    """Play or fold in Top Five: live cards one by one, the dead ones alike.

    Totals are by the suits of the player's class; the hand is renamed to them, and cards with it.
    """
    what = _known_live(house)
    order = top_five.least_order(decision.cards)
    at = int(np.searchsorted(what.players.masks, top_five.least_mask(decision.cards)))
    totals = what.totals(at)
    words = "fold", what.bet.word
    found = {}
    for card in unseen:
        live = card - top_five.FIRST_LIVE
        place = live >> 2 << 2 | order[live & 3] if live >= 0 else top_five.LIVE
        found[card] = words[totals[place] > what.cost]
    return found


@lru_cache(maxsize=4)
def _known_center(house: House[RunChoices]) -> KnownCenter:
    return KnownCenter(house)


@lru_cache(maxsize=169)
def _best_centers(house: House[RunChoices], hand_class: int) -> tuple[int, ...]:
    what = _known_center(house)
    return tuple(what.best(what.firsts(hand_class)).tolist())


def _center(house: House, decision: RecordedDecision, unseen: Sequence[Card]) -> dict[Card, str]:
    """The first bet of Run 'Em Twice beside each center, suits renamed to the hand's class."""
    hand_class, order = solver.renaming(decision.cards)
    best = _best_centers(house, hand_class)
    others = cross.sides(hand_class).others
    words = _known_center(house).words
    return {
        card: words[best[int(np.searchsorted(others, card >> 2 << 2 | order[card & 3]))]]
        for card in unseen
    }


@lru_cache(maxsize=4)
def _opening_table(house: House, progress: Progress) -> NDArray[np.int64]:
    """The best opening option by rank of the seen card and what one holds: 13 solves, kept."""
    source = disk_cache.source_digest(house.game.analysis.solver)
    name = f"knowing-{source}-{house.game.key}-{money_digest(house)[:24]}"
    kept = disk_cache.load(name)
    if kept is not None:
        return kept["best"].astype(np.int64)
    best = []
    for at, what in enumerate(known_cards.every_known(dealer=1)):
        progress(at / 13, f"openings beside a dealer's {what.name}")
        if watched_by(house) == TEXAS:
            plays, folds, _ = holdem_exposure.texas_openings(
                TexasRules(house), what, holdem_exposure.Board()
            )
            best.append((plays > folds).astype(np.int64))
        else:
            rules = rules_of(house)
            board = holdem_exposure.Board(open=rules.opening.shown)
            totals, _ = holdem_exposure.value_openings(rules, what, board)
            best.append(totals.argmax(axis=1))
    disk_cache.save(name, {"best": np.stack(best)})
    return np.stack(best)


def _river(rules: PlayRules, decision: RecordedDecision, unseen: Sequence[Card]) -> dict[Card, str]:
    """All 990 hands of the dealer; those with a card are what is left when it was seen."""
    sums = _last_bet(rules, decision.cards, np.array([decision.board]), np.array([unseen]))[0][0]
    fold = int(rules.fold * rules.scale) * (len(unseen) - 1)
    words = rules.river_bet.word, "fold"
    return {card: words[total <= fold] for card, total in zip(unseen, sums.tolist(), strict=True)}


def _flop(rules: PlayRules, decision: RecordedDecision, unseen: Sequence[Card]) -> dict[Card, str]:
    """All runouts and all hands of the dealer: bet now, or check and bet or fold the river."""
    runouts = list(combinations(range(len(unseen)), 2))
    cards = np.array(unseen)
    boards = np.array([[*decision.board, *cards[list(pair)]] for pair in runouts])
    rest = np.array([np.delete(cards, pair) for pair in runouts])
    later, now = _last_bet(rules, decision.cards, boards, rest)
    fold = int(rules.fold * rules.scale) * (rest.shape[1] - 1)
    checks, bets = np.zeros((2, 52))
    np.add.at(checks, rest, np.maximum(later, fold))
    np.add.at(bets, rest, now)
    return {card: rules.flop_bet.word if bets[card] > checks[card] else "check" for card in unseen}


def _last_bet(
    rules: PlayRules,
    hand: Sequence[Card],
    boards: NDArray[np.int64],
    rest: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """By board and seen card: sums over the dealer's other cards of the river and the flop bet."""
    size = rest.shape[1]
    pairs = np.array(list(combinations(range(size), 2)))
    holds = np.zeros((len(pairs), size))
    holds[np.arange(len(pairs))[:, None], pairs] = 1
    dealer = rest[:, pairs].reshape(-1, 2)
    full = np.concatenate([dealer, np.repeat(boards, len(pairs), axis=0)], axis=1)
    theirs = rank_hands(full).reshape(len(boards), len(pairs))
    own = rank_hands(np.concatenate([np.tile(hand, (len(boards), 1)), boards], axis=1))[:, None]
    outcome = 3 * (theirs >= rules.qualifying) + 1 + (own > theirs) - (own < theirs)
    kind = own >> CATEGORY_SHIFT
    later, now = (rules.pay[row][kind, outcome].astype(np.float64) @ holds for row in (0, 1))
    return later, now
