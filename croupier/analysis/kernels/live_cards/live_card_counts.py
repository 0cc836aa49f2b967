"""Top Five: sets of live cards against sets of live cards that share none with them."""

from __future__ import annotations

from typing import Any

import numba

# How two hands stand: by count; where the counts are equal, by rank.
FEWER, MORE, BEHIND, TIED, AHEAD = range(5)


@numba.njit(cache=True, nogil=True)
def count_against(
    first: int, last: int, players: Any, player_sizes: Any, player_values: Any, masks: Any,
    values: Any, starts: Any, qualifying: int, apart_sets: Any, sure: Any, ways: Any,
    facts: Any, counts: Any,
) -> None:  # fmt: skip
    """Dealer hands by code of facts: counts[player, code]. Naive twin: tests/analysis/twins.

    `facts[qualifies, how two hands stand]` is the code.

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
            below_par, qualified = facts[0], facts[1]
            if other > size:
                counts[player, below_par[FEWER]] += low * filled
                counts[player, qualified[FEWER]] += (total - low) * filled
            elif other < size:
                counts[player, below_par[MORE]] += low * filled
                counts[player, qualified[MORE]] += (total - low) * filled
            elif value < qualifying:
                counts[player, below_par[BEHIND]] += (low - below - tied) * filled
                counts[player, qualified[BEHIND]] += (total - low) * filled
                counts[player, below_par[TIED]] += tied * filled
                counts[player, below_par[AHEAD]] += below * filled
            else:
                counts[player, qualified[BEHIND]] += (total - below - tied) * filled
                counts[player, qualified[TIED]] += tied * filled
                counts[player, below_par[AHEAD]] += low * filled
                counts[player, qualified[AHEAD]] += (below - low) * filled
