"""Houses for random shifts: every dealing and shuffling method, with one deck or two."""

from __future__ import annotations

from functools import cache
from typing import Any

from croupier.games import House
from tests.support.rounds import RUN, THB, TOP, UTH, house

CHIPS = ["1 white", "5 red", "25 green", "100 black", "500 purple", "1000 yellow"]
IN_SHUFFLER = "dealer_in_shuffler"
SHOE: dict[str, Any] = {"manual_shoe_location": "right of the dealer"}


@cache
def houses(game: str) -> tuple[House, ...]:
    """Return Houses of a game with different methods, decks, positions and choices."""
    boxes = {} if game == THB else {"max_adjacent_boxes": 2}
    several = {"max_adjacent_boxes_approval": "B 1 of 2026-01-01"} if game == RUN else {}
    # The cards that wait in the shuffler, and the Six Card box after a change of method.
    waiting: dict[str, Any] = {} if game in (THB, RUN) else {"dealer_stack_order": IN_SHUFFLER}
    placed: dict[str, Any] = {"six_card_deal_position": "after_hands"} if game == UTH else {}
    approved: dict[str, Any] = {f"{name}_approval": "D 3 of 2026-01-01" for name in placed}
    steps: dict[str, Any] = {"run_bet_steps": "any_amount"} if game == RUN else {}

    all_first: dict[str, Any] = {} if game == THB else {"showdown_order": "all_first"}

    def make(
        method: str, shuffle: str, decks: int = 1, positions: int = 6, **choices: Any
    ) -> House:
        positions = 6 if game in (TOP, RUN) else positions
        table = {"shuffle_method": shuffle, "decks": decks, "positions": positions, **boxes}
        if game != THB or method == "manual_shoe":
            choices = SHOE | choices
        choices = several | choices
        return house(game, method, table=table, **choices)

    device: dict[str, Any] = {
        "continuous_device": True,
        "continuous_device_approval": "Device 7, 2031-01-02",
    }
    return (
        make("automated_shoe", "counting_shuffler", 2, idle_minutes=10),
        make("automated_shoe", "shuffler", 1, stub_count_every=2, **placed, **approved),
        make("manual_shoe", "manual", positions=3, stub_count_every=3, **steps),
        make("manual_shoe", "shuffler_loading_shoe", 2),
        make("manual_shoe", "counting_shuffler", deck_change_hours=1),
        make("hand", "shuffler", 2, stub_count_every=5, idle_minutes=30),
        make("hand", "counting_shuffler", 1, positions=2, **all_first),
        make("automated_shoe", "counting_shuffler", 1, **device),
        make("automated_shoe", "manual", 1, stub_count_every=1, **all_first),
        make("automated_shoe", "counting_shuffler", 1, chip_set=CHIPS),
        make("automated_shoe", "counting_shuffler", 2, **waiting, **placed, **approved),
        make("automated_shoe", "shuffler", 2, **SHOE, **waiting, **placed, **approved),
    )
