"""What every worker process needs before its first block, loaded once and shared by all of them.

The server that worker processes are forked from imports this module: reading the compiler and
its tables is most of a worker's start, and is the same for every game.
"""

from __future__ import annotations

import numpy as np

from croupier.analysis.kernels.simulate import philox
from croupier.analysis.simulation import blocks  # noqa: F401 - what workers are asked for

philox.deal_many(0, np.zeros(2, np.uint64), philox.least_words(), np.empty((1, 9, 1), np.uint8))
