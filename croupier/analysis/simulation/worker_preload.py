"""Preloaded by the fork server, so that every worker process shares it.

Loading the compiler and the kernels is most of a worker's start-up time and the same for all games.
"""

from __future__ import annotations

import numpy as np

from croupier.analysis.kernels.simulate import philox
from croupier.analysis.simulation import blocks  # noqa: F401 - what workers run

philox.deal_many(
    0, np.zeros(2, np.uint64), philox.rejection_thresholds(), np.empty((1, 9, 1), np.uint8)
)
