"""Casino games: the records that define one, the five games, and the House of an operator.

Start with `game.Game`, then read `texas_holdem_bonus/game.py`, the shortest game. To write a game
in another package, import from here; declare its form with `croupier.games.forms`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from croupier.games.chips import Chip, stake_unit, standard_chips
from croupier.games.choices import Choices, Envy, EnvyChoices, Progressive, ProgressiveChoices
from croupier.games.facts import (
    VERSUS,
    Facts,
    FactsSpace,
    Outcome,
    PaytableFacts,
    Result,
    Results,
    Versus,
    loses,
    pushes,
    settle_paytable,
    versus,
    wins,
)
from croupier.games.game import (
    BOX,
    BURN,
    COMMUNITY,
    DEALER,
    DEALING_METHODS,
    AnalysisSpec,
    Announcement,
    Basis,
    DealingMethod,
    DealtHand,
    Game,
    Layout,
    Notice,
    Option,
    PayoutLimit,
    Procedure,
    Role,
    Slot,
    Street,
    Wager,
    singly,
    stacks,
)
from croupier.games.hand_names import title
from croupier.games.house import POOLS, House, Limits, Meter
from croupier.games.house_codec import canonical_text, digest, house_from_text, with_digest
from croupier.games.proposal import Proposal, line_hands, street_bets
from croupier.games.registry import catalogue, editions, find, installed_games

if TYPE_CHECKING:
    CATALOGUE: tuple[Game, ...]
    GAMES: Mapping[str, Game]

__all__ = [  # noqa: RUF022  # grouped by topic
    # Installed games.
    "CATALOGUE",
    "GAMES",
    "catalogue",
    "editions",
    "find",
    "installed_games",
    # Defining a game: its record, wagers, streets, layout and procedures.
    "AnalysisSpec",
    "Announcement",
    "Basis",
    "DealtHand",
    "Game",
    "Layout",
    "Notice",
    "Option",
    "PayoutLimit",
    "Procedure",
    "Role",
    "Street",
    "Wager",
    "title",
    # Dealing: places for cards, and dealing plans.
    "BOX",
    "BURN",
    "COMMUNITY",
    "DEALER",
    "DEALING_METHODS",
    "DealingMethod",
    "Slot",
    "singly",
    "stacks",
    # Settlement: facts, results and comparison with the dealer.
    "VERSUS",
    "Facts",
    "FactsSpace",
    "Outcome",
    "PaytableFacts",
    "Result",
    "Results",
    "Versus",
    "loses",
    "pushes",
    "settle_paytable",
    "versus",
    "wins",
    # Operator terms: House, choices, meters and chips.
    "POOLS",
    "Chip",
    "Choices",
    "Envy",
    "EnvyChoices",
    "House",
    "Limits",
    "Meter",
    "Progressive",
    "ProgressiveChoices",
    "stake_unit",
    "standard_chips",
    # Canonical text and digest of a House.
    "canonical_text",
    "digest",
    "house_from_text",
    "with_digest",
    # Proposed terms.
    "Proposal",
    "line_hands",
    "street_bets",
]


def __getattr__(name: str) -> Any:
    # Lazy, because importing this package must not import the games.
    if name == "CATALOGUE":
        return catalogue()
    if name == "GAMES":
        return {game.key: game for game in catalogue()}
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
