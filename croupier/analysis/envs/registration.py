"""Gymnasium ids of the installed games: "croupier/ultimate_texas_holdem-v1"."""

from __future__ import annotations

import gymnasium as gym

from croupier.games import installed_games

NAMESPACE = "croupier"


def register_environments() -> list[str]:
    """Register every installed game that has no id yet; returns the ids of all.

    The version is the newest edition of the game, and the House its example; `gym.make(id,
    house=...)` plays another. Importing `croupier.analysis.envs` calls this; call it again after
    installing a game.
    """
    ids = []
    for key, editions in installed_games().items():
        name = f"{NAMESPACE}/{key}-v{max(editions)}"
        ids.append(name)
        if name not in gym.registry:
            gym.register(
                id=name,
                entry_point="croupier.analysis.envs:GameEnv",
                vector_entry_point="croupier.analysis.envs:GameVectorEnv",
                kwargs={"house": key},
            )
    return ids
