from .gymnasium_env import (
    GameEnv as GameEnv,
)
from .gymnasium_env import (
    GameVectorEnv as GameVectorEnv,
)
from .pettingzoo_env import TableEnv as TableEnv
from .registration import register_environments as register_environments

__all__: list[str]
