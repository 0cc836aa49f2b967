"""Messages of the submission endpoints."""

from __future__ import annotations

from typing import Literal

import msgspec

from croupier.server.submissions.form_changes import FieldChange
from croupier.submission.web_form import Field


class FormCard(msgspec.Struct, frozen=True, kw_only=True):
    """The form of a game's submission, with the text of its clauses."""

    game: str
    title: str
    fields: tuple[Field, ...]
    clauses: dict[str, str]


class FieldFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding about a field: an error, something outstanding, or a default reading."""

    severity: Literal["error", "outstanding", "warning"]
    field: str
    value: str
    allowed: str
    clause: str
    message: str


class Edge(msgspec.Struct, frozen=True, kw_only=True):
    """The return and house edge of one wager; "main" is the main game, per ante."""

    wager: str
    title: str
    letter: str
    share: str  # exact fraction of one unit staked
    returns: str
    edge: str


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """One value of a field, and the return of a wager under it."""

    value: str
    share: str
    returns: str
    chosen: bool


class Prices(msgspec.Struct, frozen=True, kw_only=True):
    """The values of a field with their returns."""

    field: str
    wager: str
    title: str
    values: tuple[Price, ...]


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A submission with its findings, edges, prices and state."""

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
    digest: str  # empty while the draft is not a House
    drawn: bool  # whether the felt can be drawn
    edges: tuple[Edge, ...]
    findings: tuple[FieldFinding, ...]
    prices: tuple[Prices, ...]
    matters: tuple[str, ...]
    tables: tuple[str, ...]  # bound to it
    live: bool  # real money: tables are attended, not run by a bot
    may_decide: bool  # the viewer is neither an author nor the sender


class EdgeChange(msgspec.Struct, frozen=True, kw_only=True):
    """The house edge of a wager that changed; empty where the wager is not offered."""

    wager: str
    title: str
    before: str
    after: str


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """What a submission changes, compared with an approved or an earlier one."""

    kind: Literal["in_force", "proposal"]
    with_: str = msgspec.field(name="with")  # id of the submission it is compared with
    decided_by: str  # who approved or returned that one
    decided_at: int
    remark: str
    tables: tuple[str, ...]  # on the floor under it
    changes: tuple[FieldChange, ...]
    edges: tuple[EdgeChange, ...]


class Comparisons(msgspec.Struct, frozen=True):
    """A submission against what is in force, then against its last proposal."""

    comparisons: tuple[Comparison, ...]


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
    """A table in the list of an operator."""

    id: str
    title: str
    service: str
    live: bool
    on_floor: bool
    in_use: str  # why it cannot be taken off the floor now; empty if it can be
    submission: str  # id of the approved submission that it is bound to, if known
    digest: str


class Drafts(msgspec.Struct, frozen=True, kw_only=True):
    """Every submission, the games with a form, and every table."""

    submissions: tuple[DraftLine, ...]
    games: dict[str, str]
    tables: tuple[ManagedTable, ...]


class Begin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Create a draft of a game, or an amendment of an existing submission."""

    game: str
    operator: str = ""
    based_on: str = ""


class Write(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Save the answers of a draft."""

    version: int
    answers: dict[str, str]


class Send(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Send a draft for approval, or withdraw it."""

    version: int
    withdraw: bool = False


class SubmissionDecision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Approve what was sent under this digest, or return it with a remark."""

    digest: str
    approved: bool
    remark: str = ""


class OpenTableRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Open a table under an approved submission, or bind a closed one to it."""

    table: str
    service: Literal["practice", "attended"] = "practice"
