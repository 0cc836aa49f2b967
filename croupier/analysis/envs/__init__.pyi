from .gymnasium_env import (
    GameEnv as GameEnv,
)
from .gymnasium_env import (
    GameVectorEnv as GameVectorEnv,
)
from .pettingzoo_env import TableEnv as TableEnv

__all__: list[str]
