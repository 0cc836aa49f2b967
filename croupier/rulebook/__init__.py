"""The rule documents of the games as data: clauses, paytables, duties and readings.

Start with `clauses`; every function takes a game's key or its `RuleDocument`. A clause is cited as
"game id" (`ultimate_texas_holdem 11.H.3.c`), a reading of an unclear clause by its id (`A23`).
"""

from __future__ import annotations

from croupier.rulebook.clauses import Clause, clause, clauses, clauses_under, is_within
from croupier.rulebook.coverage import (
    Coverage,
    citing_functions,
    coverage,
    is_by_construction,
    nature,
    proofs,
)
from croupier.rulebook.duties import duties
from croupier.rulebook.filing_text import field_label, value_sentence
from croupier.rulebook.patron_text import PatronSentence, PatronText, patron_text
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
from croupier.rulebook.rule_document import (
    DocumentRef,
    RuleDocument,
    find_document,
    package_folder,
)

__all__ = [
    "Clause",
    "Coverage",
    "DocumentRef",
    "MeterFloor",
    "PatronSentence",
    "PatronText",
    "Paytable",
    "PaytableLine",
    "Reading",
    "RuleDocument",
    "citing_functions",
    "clause",
    "clauses",
    "clauses_under",
    "coverage",
    "duties",
    "envy_schedule",
    "field_label",
    "find_document",
    "is_by_construction",
    "is_within",
    "letters",
    "meter_floors",
    "nature",
    "package_folder",
    "patron_text",
    "paytable",
    "proofs",
    "reading",
    "readings",
    "readings_of",
    "value_sentence",
]
