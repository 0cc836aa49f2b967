"""The declarations of submission forms: fields with their types, defaults and clauses.

Start with `declarations.Form`. Each game declares its form in its own `form.py`;
`croupier.submission` parses files by these declarations.
"""

from __future__ import annotations

from croupier.games.forms.declarations import (
    Check,
    Choice,
    ComputedDefault,
    Condition,
    Form,
    MeterClauses,
    WagerOffer,
    always,
    dealt_by,
    never,
    offered,
    progressive_offered,
    several_boxes,
)
from croupier.games.forms.field_types import (
    ChipSet,
    Dollars,
    Flag,
    Hours,
    InvalidValue,
    ListOf,
    OneOf,
    Permutation,
    Reference,
    Text,
    ValueType,
    WholeNumber,
)
from croupier.games.forms.form_values import CheckContext, FormValues

__all__ = [
    "Check",
    "CheckContext",
    "ChipSet",
    "Choice",
    "ComputedDefault",
    "Condition",
    "Dollars",
    "Flag",
    "Form",
    "FormValues",
    "Hours",
    "InvalidValue",
    "ListOf",
    "MeterClauses",
    "OneOf",
    "Permutation",
    "Reference",
    "Text",
    "ValueType",
    "WagerOffer",
    "WholeNumber",
    "always",
    "dealt_by",
    "never",
    "offered",
    "progressive_offered",
    "several_boxes",
]
