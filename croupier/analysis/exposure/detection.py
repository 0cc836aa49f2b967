"""Detection of hole carding: a sequential test (e-value) on recorded decisions.

The null hypothesis is that a player has not seen the hidden card. Given the visible cards, the
hidden card is then uniform over the unseen ones, however well or badly the player decides. For
each decision, a unit is bet at fair odds on "the decision is optimal for the actual hidden
card"; under the null hypothesis its expected value stays one. The accumulated wealth is an
e-value: it ever exceeds 1/a with probability a at most (Ville 1939), whenever the test is stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import disk_cache
from croupier.analysis.advice import money_digest
from croupier.analysis.exposure import known_cards
from croupier.analysis.exposure.known_cards import KnownCards
from croupier.analysis.parallel import Progress, no_progress
from croupier.cards import Card
from croupier.errors import BadInput
from croupier.games import House
from croupier.games.game import load_code

Cards: TypeAlias = tuple[Card, ...]
# Shares of the wealth bet each time; how often a cheat sees the card is unknown.
STAKED = (0.05, 0.2, 0.5, 0.8)
# A cheat may always see the same one of the dealer's cards, such as the last one dealt: half of
# the wealth is bet on all hidden cards alike, the rest on each position separately.
PLACES = 7
WEIGHTS = (1 / 2, *[1 / (2 * PLACES)] * PLACES)


class RecordedDecision(NamedTuple):
    """A recorded decision and the cards that were hidden from the player."""

    street: str
    cards: tuple[Card, ...]
    board: tuple[Card, ...]
    word: str
    dealer: tuple[Card, ...]


@dataclass(slots=True)
class PlayerEvidence:
    """The running e-value of one player's decisions."""

    player: str
    decisions: int = 0
    differing: int = 0  # decisions in which the hidden card could change the best option
    fitting: int = 0  # of these, decisions that fit the hidden cards better than by chance
    logs: list[list[float]] = field(default_factory=lambda: [[0.0] * len(STAKED) for _ in WEIGHTS])
    most: float = 1.0  # the largest e-value so far

    @property
    def evidence(self) -> float:
        """The e-value: what an initial unit has become."""
        return sum(
            weight * sum(map(exp, logs)) / len(logs)
            for weight, logs in zip(WEIGHTS, self.logs, strict=True)
        )

    def add(self, best: Mapping[Card, str], decision: RecordedDecision) -> None:
        """Add a decision, with the best option for every possible hidden card."""
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
        """Whether to raise an alarm, at this false alarm rate over all watched players."""
        return self.most >= players / false_alarms


def fit(best: Mapping[Card, str], decision: RecordedDecision) -> float:
    """The factor by which a bet on "the decision fits a hidden card" changes.

    Its average over the unseen cards is one, whatever the decision is.
    """
    share = sum(word == decision.word for word in best.values()) / len(best)
    if not share:
        return 1.0  # no card makes this decision the best: no evidence either way
    fits = sum(best[card] == decision.word for card in decision.dealer) / len(decision.dealer)
    return fits / share


class Detector(NamedTuple):
    """A game's hooks for the detection of seen cards.

    `streets` are the tested streets, `hidden_cards(house, dealer, community)` the cards of a
    finished round that were hidden (none if unknown), and `best_answers` the best option for each
    unseen card.
    """

    streets: Callable[[House[Any]], tuple[str, ...]]
    hidden_cards: Callable[[House[Any], Cards, Cards], Cards]
    best_answers: Callable[
        [House[Any], RecordedDecision, Sequence[Card], Progress], dict[Card, str]
    ]


def detector(house: House) -> Detector | None:
    """The detector of this game, if it has one."""
    code = house.game.analysis.detector
    return load_code(code) if code else None


def has_detector(house: House) -> bool:
    """Whether this game's decisions can be tested."""
    return bool(house.game.analysis.detector)


def detector_streets(house: House) -> tuple[str, ...]:
    """The streets whose decisions are tested."""
    hooks = detector(house)
    return hooks.streets(house) if hooks else ()


def hidden_cards(house: House, dealer: Cards, community: Cards) -> Cards:
    """The cards of a finished round that were hidden; none if they are unknown."""
    hooks = detector(house)
    return hooks.hidden_cards(house, dealer, community) if hooks else ()


def best_answers(
    house: House, decision: RecordedDecision, progress: Progress | None = None
) -> dict[Card, str]:
    """The best option for each card that the hidden card could be.

    Raises `BadInput` on a street that is not tested.
    """
    hooks = detector(house)
    if hooks is None or decision.street not in hooks.streets(house):
        raise BadInput(
            f"{house.game.title}, {decision.street}: decisions on a seen card are not tested here"
        )
    unseen = [c for c in range(52) if c not in decision.cards and c not in decision.board]
    return hooks.best_answers(house, decision, unseen, progress or no_progress)


def first_street(house: House) -> tuple[str, ...]:
    """The first street alone, for `Detector.streets`."""
    return (house.game.streets[0].name,)


def dealer_cards(house: House, dealer: Cards, community: Cards) -> Cards:
    """The dealer's hand, if it was recorded completely."""
    return dealer if len(dealer) == house.game.dealer_cards else ()


def with_clubs(card: Card, suit: int) -> Card:
    """A card with `suit` and clubs exchanged."""
    own = card & 3
    new = {suit: 0, 0: suit}.get(own, own)
    return card >> 2 << 2 | new


def best_openings(
    house: House, solve: Callable[[KnownCards], NDArray[np.int64]], progress: Progress
) -> NDArray[np.int64]:
    """The best opening option by rank of the hidden card and by own cards: 13 solves, cached."""
    source = disk_cache.source_digest(house.game.analysis.solver)
    name = f"knowing-{source}-{house.game.key}-{money_digest(house)[:24]}"
    cached = disk_cache.load(name)
    if cached is not None:
        return cached["best"].astype(np.int64)
    best = []
    for at, known in enumerate(known_cards.every_known(dealer=1)):
        progress(at / 13, f"openings against a dealer's {known.name}")
        best.append(solve(known))
    disk_cache.save(name, {"best": np.stack(best)})
    return np.stack(best)
