"""Counts of dealer hands against a player's set of live cards.

More live cards beat fewer; equal numbers are compared by hand value.
"""

from __future__ import annotations

from typing import Any

import numba

# Standing of the player: by number of live cards; if equal, by hand value.
FEWER, MORE, BEHIND, TIED, AHEAD = range(5)


@numba.njit(cache=True, nogil=True)
def count_against(
    first: int, last: int, players: Any, player_sizes: Any, player_values: Any, masks: Any,
    values: Any, starts: Any, qualifying: int, disjoint_sets: Any, sure: Any, ways: Any,
    facts: Any, counts: Any,
) -> None:  # fmt: skip
    """Count dealer hands by code of facts: counts[player, code].

    `facts[qualifies, standing]` is the code. `masks` and `values` list all sets of live cards by
    size, from `starts[size]`; `ways[own, size]` is the number of ways to complete a dealer hand
    with dead cards, `disjoint_sets[own, size]` the number of sets that share no card with the
    player's, and `sure[size]` whether all sets of a size qualify, so that they need no enumeration.
    Naive twin: tests/analysis/kernels.
    """
    for player in range(first, last):
        own, size, value = players[player], player_sizes[player], player_values[player]
        for other in range(starts.size - 1):
            below = tied = low = total = 0
            if other == size:
                for at in range(starts[other], starts[other + 1]):
                    disjoint = masks[at] & own == 0
                    total += disjoint
                    low += disjoint & (values[at] < qualifying)
                    below += disjoint & (values[at] < value)
                    tied += disjoint & (values[at] == value)
            elif sure[other]:
                total = disjoint_sets[size, other]
            else:
                for at in range(starts[other], starts[other + 1]):
                    disjoint = masks[at] & own == 0
                    total += disjoint
                    low += disjoint & (values[at] < qualifying)
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
