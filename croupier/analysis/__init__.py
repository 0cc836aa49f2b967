"""Exact mathematics of any House: values, distributions, strategies, advice, simulation.

Start with `analyze` (house edges), `solve` (best play of the main game) and `simulate`. The public
names are declared in `__init__.pyi`. Importing this package loads neither NumPy nor Numba; solving
does.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
