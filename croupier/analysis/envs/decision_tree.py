"""The sequences of actions of one seat as a tree, with the parts of an observation they decide."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from croupier.games import Game


class DecisionTree:
    """Every sequence of actions of a round; node 0 is the first decision.

    A round is over after the last street, a fold, or a bet that no later street offers again. An
    illegal action leads where action 0 does, which risks least.
    """

    def __init__(self, game: Game, options: Sequence[Sequence[str]]) -> None:
        self.game, self.options = game, options
        self.most_actions = max(map(len, options))
        self.width = 52 * (1 + game.community_cards) + 2 * len(options)
        self.made: list[tuple[int, ...]] = []  # by node: the action on each street, 0 if none
        self.street: list[int] = []
        self.following: list[list[int]] = []  # by node and legal action; empty if the round is over
        self._grow(0, (), False)
        count = len(self.made)
        self.over = np.array([not nodes for nodes in self.following])
        self.children = np.array(
            [
                [nodes[action if action < len(nodes) else 0] for action in range(self.most_actions)]
                if nodes
                else [node] * self.most_actions
                for node, nodes in enumerate(self.following)
            ]
        )
        self.masks = np.array(
            [
                [action < len(nodes) for action in range(self.most_actions)]
                for nodes in self.following
            ],
            np.int8,
        )
        self.endings = np.flatnonzero(self.over)
        self.outcome = np.zeros(count, np.int64)  # the position in `endings`
        self.outcome[self.endings] = np.arange(len(self.endings))
        self.shown = np.where(
            self.over, game.community_cards, [game.streets[street].shown for street in self.street]
        )
        self.encoding = np.zeros((count, self.width), np.int8)
        streets = len(options)
        for node, street in enumerate(self.street):
            if not self.over[node]:
                self.encoding[node, self.width - 2 * streets + street] = 1
            self.encoding[node, -streets:] = self.made[node]

    def _grow(self, street: int, made: tuple[int, ...], over: bool) -> int:
        """Add the node after the actions `made`, and all that follow it; returns its number."""
        node, streets = len(self.made), len(self.options)
        self.made.append((*made, *[0] * (streets - len(made))))
        self.street.append(street)
        self.following.append([])
        if not over:
            for action, word in enumerate(self.options[street]):
                ends = self._ends(street, word)
                after = street if ends else street + 1
                self.following[node].append(self._grow(after, (*made, action), ends))
        return node

    def _ends(self, street: int, word: str) -> bool:
        """Whether a seat has no further decision after this action."""
        option = self.game.streets[street].option(word)
        later = {o.wager for after in self.game.streets[street + 1 :] for o in after.options}
        last = street == len(self.options) - 1
        return last or word == "fold" or bool(option and option.wager and option.wager in later)
