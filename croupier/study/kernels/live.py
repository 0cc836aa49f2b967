"""Top Five: sets of live cards against sets of live cards that share none with them."""

from __future__ import annotations

from typing import Any

import numba

# by count: behind, ahead; equal counts: behind, tied, ahead; first unqualified, then qualified
OUTCOMES = 10


@numba.njit(cache=True, nogil=True)
def count_against(
    first: int, last: int, players: Any, player_sizes: Any, player_values: Any, masks: Any,
    values: Any, starts: Any, qualifying: int, apart_sets: Any, sure: Any, ways: Any,
    counts: Any,
) -> None:  # fmt: skip
    """Dealer hands by outcome: counts[player, outcome]. Naive twin: tests/twins.

    `masks` and `values` list all sets of live cards by size, from `starts[size]`; `ways[own,
    size]` says how many sets of dead cards fill up a dealer's hand with so many live ones,
    `apart_sets[own, size]` how many sets of live ones avoid the player's, and `sure[size]` that
    all of that size qualify, so that none of them need be looked at.
    """
    for player in range(first, last):
        own, size, value = players[player], player_sizes[player], player_values[player]
        for other in range(starts.size - 1):
            below = tied = low = total = 0
            if other == size:
                for at in range(starts[other], starts[other + 1]):
                    apart = masks[at] & own == 0
                    total += apart
                    low += apart & (values[at] < qualifying)
                    below += apart & (values[at] < value)
                    tied += apart & (values[at] == value)
            elif sure[other]:
                total = apart_sets[size, other]
            else:
                for at in range(starts[other], starts[other + 1]):
                    apart = masks[at] & own == 0
                    total += apart
                    low += apart & (values[at] < qualifying)
            filled = ways[size, other]
            if other > size:
                counts[player, 0] += low * filled
                counts[player, 5] += (total - low) * filled
            elif other < size:
                counts[player, 1] += low * filled
                counts[player, 6] += (total - low) * filled
            elif value < qualifying:
                counts[player, 2] += (low - below - tied) * filled
                counts[player, 7] += (total - low) * filled
                counts[player, 3] += tied * filled
                counts[player, 4] += below * filled
            else:
                counts[player, 7] += (total - below - tied) * filled
                counts[player, 8] += tied * filled
                counts[player, 4] += low * filled
                counts[player, 9] += (below - low) * filled
