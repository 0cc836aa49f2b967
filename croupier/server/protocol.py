"""Protocol messages: requests, responses and feed frames, as msgspec Structs.

Commands, events, views and steps are those of `croupier.table`.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from croupier.ledger.queries.round_search import RoundSummary
from croupier.money import Cents
from croupier.table import Deadline, MeterText, Role
from croupier.table.core.views import StepView, TableView

PROTOCOL = 2  # incremented by changes that older clients would misunderstand
KEY_MIN, KEY_MAX = 8, 120  # characters of a command id

Pace: TypeAlias = Literal["slow", "usual", "fast", "at_once"]


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An error: what is wrong, and the clause if a rule was broken."""

    problem: str
    clause: str = ""
    game: str = ""


class ProblemDetails(msgspec.Struct, frozen=True, kw_only=True):
    """An error response: problem details (RFC 9457), with the clause if a rule was broken.

    `problem` is the same as `detail`, for older clients.
    """

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    request: str  # the id of the request, in the log and, for commands, in the ledger
    problem: str
    clause: str = ""
    game: str = ""


class SoftwareVersion(msgspec.Struct, frozen=True, kw_only=True):
    """The software that runs; `verified` is null until it has been compared with its release."""

    version: str
    commit: str  # that it was built from, "" if unknown
    protocol: int
    digest: str = ""  # SHA-256 of the installed files
    verified: bool | None = None


# Sign-in


class SignIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name and password of an account, and a code if it has a second factor."""

    name: str
    password: str
    code: str = ""


class Token(msgspec.Struct, frozen=True):
    """A session token, sent as `Authorization: Bearer ...`."""

    account: str
    token: str


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """The signed-in account, its roles by table (`*` is every table), and its offices.

    An account that must add a second factor has none of them before.
    """

    account: str
    roles: dict[str, tuple[Role, ...]]
    offices: tuple[str, ...] = ()
    must_enroll: bool = False


# Tables


class LobbyTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table in the lobby."""

    id: str
    game: str
    title: str
    operator: str
    service: str
    live: bool
    open: bool
    state: str  # what is due in the round
    rounds_played: int
    ante: tuple[Cents, Cents | None]
    seats: dict[int, bool]  # whether the seat is taken
    meters: dict[str, MeterText]
    roles: tuple[Role, ...]  # of the account at this table


class Lobby(msgspec.Struct, frozen=True):
    """Every table at which the account has a role."""

    tables: tuple[LobbyTable, ...]


class PrivateTable(msgspec.Struct, frozen=True):
    """The player's own practice table, where the player is seated with chips."""

    table: str


class PaytableRow(msgspec.Struct, frozen=True):
    """One line of a posted paytable."""

    hand: str
    pays: str


class WagerCard(msgspec.Struct, frozen=True, kw_only=True):
    """A betting spot: its name, its limits, its paytable."""

    name: str
    title: str
    role: str
    clause: str
    least: Cents
    most: Cents | None
    equals: str = ""
    needs: str = ""
    paytable: tuple[PaytableRow, ...] = ()


class OptionCard(msgspec.Struct, frozen=True):
    """A decision that is legal on a street, and the wager it makes."""

    word: str
    clause: str
    wager: str
    times: int


class StreetCard(msgspec.Struct, frozen=True):
    """A street: a point of the round at which players decide."""

    name: str
    when: str
    clause: str
    options: tuple[OptionCard, ...]
    shown: int  # community cards that are face up


class HouseCard(msgspec.Struct, frozen=True, kw_only=True):
    """What a client displays of a table's House; it changes only with the House."""

    id: str
    game: str
    title: str
    tagline: str
    operator: str
    digest: str
    player_cards: int
    dealer_cards: int
    community_cards: int
    places: tuple[str, ...]  # names of the community cards' places, if they have any
    lines: dict[str, tuple[int, ...]]  # the places of the cards of each run, if there are any
    wagers: tuple[WagerCard, ...]
    streets: tuple[StreetCard, ...]
    clauses: dict[str, str]  # summary of every clause of the document
    anchors: dict[str, Any]  # positions of chips and cards on the felt drawing


# State and frames


class DealerCard(msgspec.Struct, frozen=True, kw_only=True):
    """The dealer bot of a practice table: pace, companions, current deck."""

    pace: Pace
    companions: int
    commitment: str  # SHA-256 of the next deck
    waits_for: tuple[str, ...]  # players who have not bet or not asked for the deal
    closes_at: int | None = None  # when it closes the betting without them
    decide_by: int | None = None  # end of the time for the decision that is due, if others wait
    decision_ms: int  # the time for a decision
    drill: Literal["off", "solving", "on"]  # whether only close decisions are dealt
    asks: tuple[StepView, ...] = ()  # requests that the account can make, as forms


class HandView(msgspec.Struct, frozen=True):
    """A poker hand with its ranks ("two pair, nines and sevens"), and the cards that make it."""

    seat: int  # 0 is the dealer
    words: str
    cards: tuple[str, ...]


class Resolved(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one wager, or of one envy bonus, in the settlement of a seat."""

    seat: int  # that is paid; an envy bonus goes to another seat than the hand
    wager: str  # "envy" for a bonus
    outcome: str
    pays: str
    result: str  # in words
    stake: Cents
    returned: Cents
    clause: str
    why: str = ""  # explanation, if the cards decided


class Settling(msgspec.Struct, frozen=True, kw_only=True):
    """The settlement of the next seat, for the staff who pay it."""

    seat: int
    player: str
    resolved: tuple[Resolved, ...]
    takes: Cents  # lost stakes, into the tray
    pushes: dict[int, dict[str, int]]  # chips to pay by seat: pieces by denomination


class State(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one account can see and do now."""

    view: TableView
    steps: dict[str, StepView]  # screens list them by `order`
    hands: tuple[HandView, ...] = ()
    settling: Settling | None = None
    dealer_bot: DealerCard | None = msgspec.field(default=None, name="desk")
    waits_for: tuple[str, ...] = ()  # for staff: the people who act next, in sentences
    unavailable: bool = False  # the ledger cannot be written at present; commands fail


class SnapshotFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="frame", tag="snapshot"):
    """The first frame of a feed: the state after entry `sequence`."""

    protocol: int
    account: str
    roles: tuple[Role, ...]
    role: Role
    sequence: int
    at: int
    state: State


class EntryFrame(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="frame", tag="entry", omit_defaults=True
):
    """One ledger entry; events and fields that the account cannot see are null or omitted.

    `sentences` has each event in words, or "". The last entry of a batch has the state: whole if
    none was sent over this connection before, otherwise what has changed since the last one.
    """

    sequence: int
    at: int
    events: tuple[dict[str, Any] | None, ...]
    sentences: tuple[str, ...] = ()
    state: State | None = None
    patch: dict[str, Any] | None = None  # a merge patch of the last state (RFC 7396)


class StateFrame(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="frame", tag="state", omit_defaults=True
):
    """The state changed without an entry: a deadline passed, or the dealer bot paused."""

    sequence: int
    at: int
    state: State | None = None
    patch: dict[str, Any] | None = None  # as in an entry


class FeedReply(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="frame", tag="answer", omit_defaults=True
):
    """The reply to a command that was sent over the feed.

    `status` is the HTTP status of the same request: 200, or an error with a `problem`.
    """

    id: str
    status: int
    sequence: int = 0
    events: tuple[dict[str, Any] | None, ...] = ()
    problem: str = ""
    clause: str = ""
    game: str = ""


class Heartbeat(msgspec.Struct, frozen=True, tag_field="frame", tag="heartbeat"):
    """A sign of life, sent every two seconds over a feed with `?heartbeats=1`."""


TableFrame: TypeAlias = SnapshotFrame | EntryFrame | StateFrame | FeedReply
Frame: TypeAlias = TableFrame | Heartbeat


class FeedCommand(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command, or a request to the dealer bot, over the feed.

    `id` is the idempotency key, `expected` the last entry seen, `player` the player for whom
    staff enter the command.
    """

    id: str
    command: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    ask: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    expected: int | None = None
    player: str = ""


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """An executed command: its entry, and the events that the account can see."""

    sequence: int
    events: tuple[dict[str, Any] | None, ...]


# Requests to the dealer bot


class Ask(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """Base class of the requests to the dealer bot of a practice table."""


class Deal(Ask, frozen=True, tag="deal"):
    """Deal when the other players are ready, after placing these wagers if there are any."""

    wagers: dict[str, Cents] = {}


class BuyChips(Ask, frozen=True, tag="buy_chips"):
    """Buy chips for play money."""

    cash: Cents


class LeaveTable(Ask, frozen=True, tag="leave_table"):
    """Leave the table at any time; a hand in play is finished without another bet."""


class SetPace(Ask, frozen=True, tag="set_pace"):
    """Change the pace of the deal."""

    pace: Pace


class SetCompanions(Ask, frozen=True, tag="set_companions"):
    """Set the number of simulated players at the table."""

    count: int


class SetDrill(Ask, frozen=True, tag="set_drill"):
    """Deal only hands with a close decision, at a private table."""

    on: bool


AnyAsk: TypeAlias = Deal | BuyChips | LeaveTable | SetPace | SetCompanions | SetDrill
ASKS: tuple[type[Ask], ...] = (Deal, BuyChips, LeaveTable, SetPace, SetCompanions, SetDrill)


# Surveillance


class FoundRounds(msgspec.Struct, frozen=True):
    """The rounds that match a search, the latest first; `before` continues it unless it is 0."""

    rounds: tuple[RoundSummary, ...]
    before: int = 0


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """The table after one ledger entry."""

    sequence: int
    at: int
    by: str
    kind: str  # of the command
    events: tuple[dict[str, Any] | None, ...]
    sentences: tuple[str, ...]  # each event in words, or ""
    view: TableView
    hands: tuple[HandView, ...]


class RoundReplay(msgspec.Struct, frozen=True, kw_only=True):
    """A round entry by entry, as a camera or a seat saw it, or with all cards."""

    table: str
    round: int
    eyes: str
    over: bool
    moments: tuple[Moment, ...]
    unproved: str = ""  # why a finished round cannot be exported with a proof yet


class PlayedHand(msgspec.Struct, frozen=True, kw_only=True):
    """A finished round as its player saw it."""

    player: str
    title: str  # of the game
    house: str  # a table whose House card and felt the reader may see
    replay: RoundReplay


class HandLink(msgspec.Struct, frozen=True):
    """The path of a link to a shared hand."""

    path: str


# The pit


class PitTable(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table on the board; its figures are since it was opened, of 24 hours at most."""

    id: str
    title: str
    role: Role  # of the account at this table
    practice: bool  # with a virtual dealer, for play money
    open: bool
    state: str  # what is due in the round
    disabled: str  # the orders that disable gaming here, or ""
    positions: int
    limits: tuple[Cents, Cents | None]
    dealer: str = ""
    seats: dict[int, str] = {}
    devices: dict[str, str] = {}  # out of order
    deadline: Deadline | None = None
    waiting: int = 0  # items of the queue
    oldest: int | None = None  # since when the oldest of them waits
    overdue: bool = False
    last_round: int | None = None  # when the last round ended
    rounds: int | None = None  # None while the figures are being read
    rounds_per_hour: int | None = None
    average_bet: Cents | None = None  # of a player in a round, all wagers together
    drop: Cents | None = None  # for those who may read the win report
    win: Cents | None = None


class Evidence(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the person who takes a step has to see; cards that lie face down are not shown."""

    player: str = ""
    seat: int = 0
    round: int = 0  # that can be replayed
    cards: tuple[str, ...] = ()
    hand: str = ""
    wager: str = ""
    line: str = ""  # of the paytable, or the result
    stake: Cents | None = None
    amount: Cents | None = None
    words: str = ""  # of a dispute, as its player wrote them
    done: tuple[str, ...] = ()  # who has done what before


class QueueItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step that waits for the account, or is blocked, with what it is about."""

    table: str
    role: Role
    since: int  # when it was first due
    step: StepView
    evidence: Evidence | None = None
    waiting: tuple[str, ...] = ()  # players who wait for it
    ways_out: tuple[StepView, ...] = ()  # what else the account can do about it
    others: tuple[str, ...] = ()  # and what other people can do, in sentences


class PitMap(msgspec.Struct, frozen=True):
    """The queue of an account, most urgent first, and the tables at which it has a role."""

    queue: tuple[QueueItem, ...]
    tables: tuple[PitTable, ...]
    unavailable: bool = False  # the ledger cannot be written at present; commands fail
