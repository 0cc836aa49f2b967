"""What an operator writes and is told about submissions, as Structs of the protocol."""

from __future__ import annotations

from typing import Literal

import msgspec

from croupier.submission.web_form import Field


class FormCard(msgspec.Struct, frozen=True, kw_only=True):
    """Every field of a game's submission, with what the clauses behind them say."""

    game: str
    title: str
    fields: tuple[Field, ...]
    clauses: dict[str, str]


class FieldFinding(msgspec.Struct, frozen=True, kw_only=True):
    """Something about a field: what is wrong, outstanding or left at a default reading."""

    severity: Literal["error", "outstanding", "warning"]
    field: str
    value: str
    allowed: str
    clause: str
    message: str


class Edge(msgspec.Struct, frozen=True, kw_only=True):
    """What one wager returns: exactly, and for people; "main" is the main game, of one ante."""

    wager: str
    title: str
    letter: str
    share: str  # a fraction of one unit staked
    returns: str
    edge: str


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """One value of a field, and what a wager would return under it."""

    value: str
    share: str
    returns: str
    chosen: bool


class Prices(msgspec.Struct, frozen=True, kw_only=True):
    """What each value of a field returns."""

    field: str
    wager: str
    title: str
    values: tuple[Price, ...]


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A submission, what the rules say of it, and how far it has come."""

    id: str
    game: str
    title: str
    operator: str
    state: str
    version: int
    answers: dict[str, str]
    authors: tuple[str, ...]
    based_on: str
    sent_by: str
    decided_by: str
    decided_at: int
    remark: str
    sent_digest: str
    legal: bool
    ready: bool
    digest: str  # empty while there is no House
    drawn: bool  # whether there is a felt to show
    edges: tuple[Edge, ...]
    findings: tuple[FieldFinding, ...]
    prices: tuple[Prices, ...]
    matters: tuple[str, ...]
    tables: tuple[str, ...]  # that are bound to it
    live: bool  # whether tables here are for money: no machine deals them
    may_decide: bool  # whether the one who asks is another person than those who wrote it


class DraftLine(msgspec.Struct, frozen=True, kw_only=True):
    """A submission in a list."""

    id: str
    game: str
    title: str
    operator: str
    state: str
    authors: tuple[str, ...]
    decided_by: str
    began: int


class ManagedTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table as an operator lists it."""

    id: str
    title: str
    service: str
    live: bool
    on_floor: bool
    in_use: str  # why it cannot be taken off the floor now; empty if it can
    submission: str  # the id of the approved submission that it is bound to, if it is known
    digest: str


class Drafts(msgspec.Struct, frozen=True, kw_only=True):
    """Every submission, the games there are forms for, and every table."""

    submissions: tuple[DraftLine, ...]
    games: dict[str, str]
    tables: tuple[ManagedTable, ...]


class Begin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new draft of a game, or an amendment of a submission that is there."""

    game: str
    operator: str = ""
    based_on: str = ""


class Write(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the fields of a draft say now, as they are typed."""

    version: int
    answers: dict[str, str]


class Send(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Send a draft for approval, or give it up."""

    version: int
    withdraw: bool = False


class SubmissionDecision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Approve what was sent under this digest, or give it back with a remark."""

    digest: str
    approved: bool
    remark: str = ""


class OpenTableRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Open a table under an approved submission, or bind a closed one to it."""

    table: str
    service: Literal["practice", "attended"] = "practice"
