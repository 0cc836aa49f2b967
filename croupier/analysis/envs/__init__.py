"""Reinforcement learning environments on the simulator's kernels, paid by the House's own rules.

`GameEnv` is a Gymnasium environment of one seat, `GameVectorEnv` steps many at once, `TableEnv` is
a PettingZoo environment of up to six seats at one board. The reward is the net result of the main
game in antes, when the round is over. An illegal action counts as the one that risks least. With
`exact=True` the info dictionary has the exact expected value of each action.

Importing this package registers every installed game with Gymnasium:

    >>> import gymnasium, croupier.analysis.envs
    >>> env = gymnasium.make("croupier/top_five-v1")
"""

import lazy_loader

from croupier.analysis.envs.registration import register_environments

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
register_environments()
