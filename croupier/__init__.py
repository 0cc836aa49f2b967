"""Croupier deals, settles, analyzes and documents regulated casino poker table games.

    >>> import croupier
    >>> house = croupier.example("top_five")
    >>> table = croupier.Table(house)

The public names are declared in `__init__.pyi` and imported on first use, which keeps the start of
the command line fast. To write a game, start with `croupier.games`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

__version__ = "0.2.0.dev0"
__all__ += ["__version__"]
