"""Environments for learning programs, on the simulator's kernels: money is the table's own.

`GameEnv` is a Gymnasium environment of one seat, `GameVectorEnv` plays many at once, `TableEnv` is
a PettingZoo environment of up to six seats at one board. A reward is the net result of the main
game in antes, when the round is over. An answer that is not legal counts as the one that risks
least. With `exact=True` the information says what each answer is worth, exactly.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
