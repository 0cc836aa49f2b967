"""The games: what they are made of, what an operator makes of them, and where to find them.

Other rooms use what is named here; beside it `croupier.games.forms` (the vocabulary of forms),
`croupier.games.hands` (names of hands), `croupier.games.returns` (exact returns from kept counts),
`croupier.games.settings` (a House with other paytables and readings),
`croupier.games.odds` and `croupier.games.notices` (what a felt or a screen says of a House),
and the facts of a single game from its own module.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from croupier.games.catalogue import catalogue, editions, find, installed
from croupier.games.chips import Chip, stake_unit, usual_chips
from croupier.games.choices import Choices, Envy, EnvyChoices, Progressive, ProgressiveChoices
from croupier.games.facts import (
    VERSUS,
    Facts,
    FactsSpace,
    Outcome,
    Posted,
    Result,
    Settled,
    Versus,
    loses,
    pushes,
    settle_posted,
    versus,
    wins,
)
from croupier.games.game import (
    BOX,
    BURN,
    COMMUNITY,
    DEALER,
    DEALING_METHODS,
    Announcement,
    Basis,
    DealingMethod,
    Game,
    Layout,
    Notice,
    Option,
    PayoutLimit,
    Procedure,
    Role,
    Seen,
    Slot,
    Street,
    Study,
    Wager,
    singly,
    stacks,
)
from croupier.games.hands import title
from croupier.games.house import POOLS, House, Limits, Meter
from croupier.games.most import Most, Share, covered_wagers, most_at_minimum, payout_floor
from croupier.games.proposals import Proposal, bets_of, line_hands
from croupier.games.terms import canonical_text, digest, house_from_text, with_digest

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
    "Announcement",
    "Basis",
    "Chip",
    "Choices",
    "DealingMethod",
    "Envy",
    "EnvyChoices",
    "Facts",
    "FactsSpace",
    "Game",
    "House",
    "Layout",
    "Limits",
    "Meter",
    "Most",
    "Notice",
    "Option",
    "Outcome",
    "PayoutLimit",
    "Posted",
    "Procedure",
    "Progressive",
    "ProgressiveChoices",
    "Proposal",
    "Result",
    "Role",
    "Seen",
    "Settled",
    "Share",
    "Slot",
    "Street",
    "Study",
    "Versus",
    "Wager",
    "bets_of",
    "canonical_text",
    "catalogue",
    "covered_wagers",
    "digest",
    "editions",
    "find",
    "forms",
    "house_from_text",
    "installed",
    "line_hands",
    "loses",
    "most_at_minimum",
    "notices",
    "odds",
    "payout_floor",
    "pushes",
    "returns",
    "settings",
    "settle_posted",
    "singly",
    "stacks",
    "stake_unit",
    "title",
    "usual_chips",
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
    if name in ("forms", "notices", "odds", "returns", "settings"):  # doors of their own
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
