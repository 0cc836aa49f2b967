"""Houses for random shifts: every dealing and shuffling method, with one deck or two."""

from __future__ import annotations

from functools import cache
from typing import Any

from croupier.games import House
from tests.support.rounds import RUN, THB, house

CHIPS = ["1 white", "5 red", "25 green", "100 black", "500 purple", "1000 yellow"]
SHOE = {"manual_shoe_location": "right of the dealer"}


@cache
def houses(game: str) -> tuple[House, ...]:
    """Return Houses of a game with different methods, decks and choices."""
    boxes = {} if game in (THB, RUN) else {"max_adjacent_boxes": 2}
    steps: dict[str, Any] = {"run_bet_steps": "any_amount"} if game == RUN else {}

    def make(method: str, shuffle: str, decks: int = 1, **choices: Any) -> House:
        table = {"shuffle_method": shuffle, "decks": decks, **boxes}
        if game != THB or method == "manual_shoe":
            choices = SHOE | choices
        return house(game, method, table=table, **choices)

    device: dict[str, Any] = {
        "continuous_device": True,
        "continuous_device_approval": "Device 7, 2031-01-02",
    }
    return (
        make("automated_shoe", "counting_shuffler", 2, idle_minutes=10),
        make("automated_shoe", "shuffler", 1, stub_count_every=2),
        make("manual_shoe", "manual", stub_count_every=3, **steps),
        make("manual_shoe", "shuffler_loading_shoe", 2),
        make("manual_shoe", "counting_shuffler", deck_change_hours=1),
        make("hand", "shuffler", 2, stub_count_every=5, idle_minutes=30),
        make("hand", "counting_shuffler", 1),
        make("automated_shoe", "counting_shuffler", 1, **device),
        make("automated_shoe", "manual", 1, stub_count_every=1),
        make("automated_shoe", "counting_shuffler", 1, chip_set=CHIPS),
    )
