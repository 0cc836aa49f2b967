"""What an operator may fill in, game by game, as data: the vocabulary that forms are written in.

Reading, checking, the operator's page and the JSON Schema all go through the same records. Each
game has its form and the type of its choices in a module of this folder.
"""

from __future__ import annotations

from croupier.games.forms import common_fields, field_types, required_approvals
from croupier.games.forms.field_types import (
    ChipSet,
    Dollars,
    Flag,
    Hours,
    Kind,
    OneOf,
    Order,
    Reference,
    Several,
    Text,
    Unreadable,
    Whole,
)
from croupier.games.forms.form import (
    Check,
    Choice,
    Computed,
    Form,
    MeterClauses,
    WagerOffer,
    When,
    always,
    dealt,
    never,
    offered,
    progressive,
    several_boxes,
)
from croupier.games.forms.issues import Issue, Severity, either, scalar, shown
from croupier.games.forms.parse_context import SECTIONS, ParseContext, did_you_mean, printable

__all__ = [
    "SECTIONS",
    "Check",
    "ChipSet",
    "Choice",
    "Computed",
    "Dollars",
    "Flag",
    "Form",
    "Hours",
    "Issue",
    "Kind",
    "MeterClauses",
    "OneOf",
    "Order",
    "ParseContext",
    "Reference",
    "Several",
    "Severity",
    "Text",
    "Unreadable",
    "WagerOffer",
    "When",
    "Whole",
    "always",
    "common_fields",
    "dealt",
    "did_you_mean",
    "either",
    "field_types",
    "never",
    "offered",
    "printable",
    "progressive",
    "required_approvals",
    "scalar",
    "several_boxes",
    "shown",
]
