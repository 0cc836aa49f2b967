"""The games: what they are made of, what an operator makes of them, and where to find them.

Other rooms use what is named here; beside it `croupier.games.forms` (the vocabulary of forms),
`croupier.games.hand_names` (names of hands), `croupier.games.expected_returns` (exact returns from kept counts),
`croupier.games.odds` and `croupier.games.layout_notices` (what a felt or a screen says of a House),
and the facts of a single game from its own module.
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
from croupier.games.payout_limit import (
    MaximumWin,
    WagerWin,
    covered_wagers,
    maximum_win_at_minimum,
    payout_floor,
)
from croupier.games.proposal import Proposal, line_hands, street_bets
from croupier.games.registry import catalogue, editions, find, installed_games

if TYPE_CHECKING:
    CATALOGUE: tuple[Game, ...]
    GAMES: Mapping[str, Game]

__all__ = [
    "BOX",
    "BURN",
    "CATALOGUE",
    "COMMUNITY",
    "DEALER",
    "DEALING_METHODS",
    "GAMES",
    "POOLS",
    "VERSUS",
    "AnalysisSpec",
    "Announcement",
    "Basis",
    "Chip",
    "Choices",
    "DealingMethod",
    "DealtHand",
    "Envy",
    "EnvyChoices",
    "Facts",
    "FactsSpace",
    "Game",
    "House",
    "Layout",
    "Limits",
    "MaximumWin",
    "Meter",
    "Notice",
    "Option",
    "Outcome",
    "PayoutLimit",
    "PaytableFacts",
    "Procedure",
    "Progressive",
    "ProgressiveChoices",
    "Proposal",
    "Result",
    "Results",
    "Role",
    "Slot",
    "Street",
    "Versus",
    "Wager",
    "WagerWin",
    "canonical_text",
    "catalogue",
    "covered_wagers",
    "digest",
    "editions",
    "find",
    "house_from_text",
    "installed_games",
    "line_hands",
    "loses",
    "maximum_win_at_minimum",
    "payout_floor",
    "pushes",
    "settle_paytable",
    "singly",
    "stacks",
    "stake_unit",
    "standard_chips",
    "street_bets",
    "title",
    "versus",
    "wins",
    "with_digest",
]


def __getattr__(name: str) -> Any:
    # Asked for when they are read, so that importing this room imports no game.
    if name == "CATALOGUE":
        return catalogue()
    if name == "GAMES":
        return {game.key: game for game in catalogue()}
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
