"""The regulator's text as data, in our own words.

`clauses` gives every clause of a game with its kind, `coverage` how far each is shown to be kept;
`readings` gives every unclear place with its possible meanings and the one Croupier follows;
`duties` and `paytable` give what the table cites and pays. All are read once, on first use, from
the files that a `RuleDocument` names. A clause is cited as "game id", for example
`ultimate_texas_holdem 11.H.3.c`; a reading by its id, for example `A23`.
"""

from __future__ import annotations

from croupier.rulebook.clauses import Clause, clause, clauses, is_within, under
from croupier.rulebook.coverage import Coverage, coverage, nature, proofs
from croupier.rulebook.document_files import About, RuleDocument, document, folder
from croupier.rulebook.duties import duties
from croupier.rulebook.paytables import (
    MeterFloor,
    Paytable,
    PaytableLine,
    envy_schedule,
    letters,
    meter_floors,
    paytable,
)
from croupier.rulebook.readings import Reading, reading, readings, readings_of

__all__ = [
    "About",
    "Clause",
    "Coverage",
    "MeterFloor",
    "Paytable",
    "PaytableLine",
    "Reading",
    "RuleDocument",
    "clause",
    "clauses",
    "coverage",
    "document",
    "duties",
    "envy_schedule",
    "folder",
    "is_within",
    "letters",
    "meter_floors",
    "nature",
    "paytable",
    "proofs",
    "reading",
    "readings",
    "readings_of",
    "under",
]
