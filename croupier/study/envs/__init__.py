"""Environments for learning programs, on the simulator's kernels: money is the table's own.

`GameEnv` is a Gymnasium environment of one seat, `GameVectorEnv` plays many at once, `TableEnv` is
a PettingZoo environment of up to six seats at one board. A reward is the net result of the main
game in antes, when the round is over. An answer that is not legal counts as the one that risks
least. With `exact=True` the information says what each answer is worth, exactly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.study.envs.one_seat import GameEnv, GameVectorEnv
    from croupier.study.envs.table import TableEnv

__all__ = ["GameEnv", "GameVectorEnv", "TableEnv"]

_WHERE = {"GameEnv": "one_seat", "GameVectorEnv": "one_seat", "TableEnv": "table"}


def __getattr__(name: str) -> Any:
    if name in _WHERE:  # Gymnasium and PettingZoo are loaded when they are asked for
        return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
