"""The regulator's text as data, in our own words.

`clauses` gives every clause of a game with its kind and how it is proved; `readings` gives every
unclear place with its possible meanings and the one Croupier follows. Both are read once, on first
use. A clause is cited as "game id", for example `ultimate_texas_holdem 11.H.3.c`; a reading by its
id, for example `A23`.
"""

from croupier.rulebook.clauses import Clause, clause, clauses, games, under
from croupier.rulebook.readings import Reading, reading, readings, readings_of

__all__ = [
    "Clause",
    "Reading",
    "clause",
    "clauses",
    "games",
    "reading",
    "readings",
    "readings_of",
    "under",
]
