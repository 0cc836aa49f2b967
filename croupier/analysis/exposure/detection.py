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
from croupier.games.expected_returns import named

Cards: TypeAlias = tuple[Card, ...]
# Shares of what one has that are staked each time; nobody knows how often a cheat looks.
STAKED = (0.05, 0.2, 0.5, 0.8)
# A cheat may see the same of the dealer's cards every time, as one that is dealt last and flashes:
# half of the stakes are on all hidden cards alike, the rest on each place by itself.
PLACES = 7
WEIGHTS = (1 / 2, *[1 / (2 * PLACES)] * PLACES)


class RecordedDecision(NamedTuple):
    """An answer on record, and the cards that nobody should have seen: the dealer's, a center."""

    street: str
    cards: tuple[Card, ...]
    board: tuple[Card, ...]
    word: str
    dealer: tuple[Card, ...]


@dataclass(slots=True)
class PlayerEvidence:
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


class Detector(NamedTuple):
    """How the decisions of one game are compared with a hidden card; named by the game.

    `streets` are those that are compared, `hidden_cards(house, dealer, community)` are the cards
    of a finished round that should not have been seen (none if unknown), and `best_answers` gives
    the best answer for each of the unseen cards.
    """

    streets: Callable[[House[Any]], tuple[str, ...]]
    hidden_cards: Callable[[House[Any], Cards, Cards], Cards]
    best_answers: Callable[
        [House[Any], RecordedDecision, Sequence[Card], Progress], dict[Card, str]
    ]


def detector(house: House) -> Detector | None:
    """The detector of this game, if it has one."""
    code = house.game.analysis.detector
    return named(code) if code else None


def has_detector(house: House) -> bool:
    """Whether decisions of this game can be compared with hidden cards."""
    return bool(house.game.analysis.detector)


def detector_streets(house: House) -> tuple[str, ...]:
    """The streets whose decisions are compared."""
    known = detector(house)
    return known.streets(house) if known else ()


def hidden_cards(house: House, dealer: Cards, community: Cards) -> Cards:
    """The cards of a finished round that should not have been seen; none if they are unknown."""
    known = detector(house)
    return known.hidden_cards(house, dealer, community) if known else ()


def best_answers(
    house: House, decision: RecordedDecision, progress: Progress | None = None
) -> dict[Card, str]:
    """The best answer on a street for each hidden card that could have been seen.

    Raises `BadInput` on a street that is not compared.
    """
    known = detector(house)
    if known is None or decision.street not in known.streets(house):
        raise BadInput(
            f"{house.game.title}, {decision.street}: decisions on a seen card are not compared here"
        )
    unseen = [c for c in range(52) if c not in decision.cards and c not in decision.board]
    return known.best_answers(house, decision, unseen, progress or no_progress)


def first_street(house: House) -> tuple[str, ...]:
    """Only the first street."""
    return (house.game.streets[0].name,)


def dealer_cards(house: House, dealer: Cards, community: Cards) -> Cards:
    """The dealer's hand, if all of it was recorded."""
    return dealer if len(dealer) == house.game.dealer_cards else ()


def with_clubs(card: Card, suit: int) -> Card:
    """A card with a suit and clubs exchanged."""
    own = card & 3
    new = {suit: 0, 0: suit}.get(own, own)
    return card >> 2 << 2 | new


def best_openings(
    house: House, solve: Callable[[KnownCards], NDArray[np.int64]], progress: Progress
) -> NDArray[np.int64]:
    """The best opening option by rank of the seen card and by own cards: 13 solves, cached."""
    source = disk_cache.source_digest(house.game.analysis.solver)
    name = f"knowing-{source}-{house.game.key}-{money_digest(house)[:24]}"
    cached = disk_cache.load(name)
    if cached is not None:
        return cached["best"].astype(np.int64)
    best = []
    for at, known in enumerate(known_cards.every_known(dealer=1)):
        progress(at / 13, f"openings beside a dealer's {known.name}")
        best.append(solve(known))
    disk_cache.save(name, {"best": np.stack(best)})
    return np.stack(best)
