"""Croupier runs, proves and documents regulated casino poker table games.

    >>> import croupier
    >>> house = croupier.example("top_five")
    >>> table = croupier.Table(house)

The public names are declared in `__init__.pyi` and imported on first use, so that the command line
starts quickly.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

__version__ = "0.2.0.dev0"
