"""What is said on the wire: every request, answer and frame of the protocol, as Structs.

Commands, events, views and steps are those of `croupier.table`; here is what stands around them.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from croupier.ledger.queries.round_search import RoundSummary
from croupier.money import Cents
from croupier.table import Deadline, MeterText, Role
from croupier.table.core.views import StepView, TableView

PROTOCOL = 1  # changes when a client of the one before would misunderstand something
KEY_LEAST, KEY_MOST = 8, 120  # signs of a command's id

Pace: TypeAlias = Literal["slow", "usual", "fast", "at_once"]


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why something was not done: what, and the clause where a rule says so."""

    problem: str
    clause: str = ""
    game: str = ""


# Signing in.


class SignIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name and its password."""

    name: str
    password: str


class Token(msgspec.Struct, frozen=True):
    """What a program shows as `Authorization: Bearer ...`; it is told once."""

    account: str
    token: str


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """Whoever asks: the account, its roles by table (`*` is every table), and its offices."""

    account: str
    roles: dict[str, tuple[Role, ...]]
    offices: tuple[str, ...] = ()


# Tables.


class LobbyTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the lobby lists it."""

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
    seats: dict[int, bool]  # whether somebody sits there
    meters: dict[str, MeterText]
    roles: tuple[Role, ...]  # in which the one who asks may act there


class Lobby(msgspec.Struct, frozen=True):
    """Every table that the one who asks may look at."""

    tables: tuple[LobbyTable, ...]


class PaytableRow(msgspec.Struct, frozen=True):
    """One line of a posted paytable."""

    hand: str
    pays: str


class WagerCard(msgspec.Struct, frozen=True, kw_only=True):
    """A betting spot: what it is called, what may be staked, what it pays."""

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
    """A legal answer on a street, with what it puts down."""

    word: str
    clause: str
    wager: str
    times: int


class StreetCard(msgspec.Struct, frozen=True):
    """A moment of decision."""

    name: str
    when: str
    clause: str
    options: tuple[OptionCard, ...]


class HouseCard(msgspec.Struct, frozen=True, kw_only=True):
    """What a screen needs to know of a table's House; it changes only when the House does."""

    id: str
    game: str
    title: str
    tagline: str
    operator: str
    digest: str
    player_cards: int
    dealer_cards: int
    community_cards: int
    places: tuple[str, ...]  # of the community cards, where they have names
    wagers: tuple[WagerCard, ...]
    streets: tuple[StreetCard, ...]
    clauses: dict[str, str]  # every clause of the document in our words
    anchors: dict[str, Any]  # where chips and cards lie on the drawing of the felt


# What happened.


class DealerCard(msgspec.Struct, frozen=True, kw_only=True):
    """A practice table's machine dealer: its pace, its companions, its deck of the moment."""

    pace: Pace
    companions: int
    commitment: str  # the SHA-256 of the deck that is played next
    waits_for: tuple[str, ...]  # players whose wager or word it waits for
    closes_at: int | None  # when it closes the betting all the same
    asks: tuple[StepView, ...] = ()  # what may be asked of it, as forms


class HandView(msgspec.Struct, frozen=True):
    """What a hand has come to, and which cards make it."""

    seat: int  # 0 is the dealer
    words: str
    cards: tuple[str, ...]


class Resolved(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of one stake, or of one envy bonus, in the turn of a seat."""

    seat: int  # whose it is; an envy bonus goes to another one than the hand's holder
    wager: str  # "envy" for a bonus
    outcome: str
    pays: str
    stake: Cents
    returned: Cents
    clause: str
    why: str = ""  # in words, where it was judged by the cards


class Settling(msgspec.Struct, frozen=True, kw_only=True):
    """The seat whose turn it is at the settlement, for those who pay it."""

    seat: int
    player: str
    resolved: tuple[Resolved, ...]
    takes: Cents  # lost stakes, into the tray
    pushes: dict[int, dict[str, int]]  # chips out of the tray by seat: pieces by denomination


class State(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one viewer may see and do at this moment."""

    view: TableView
    steps: tuple[StepView, ...]
    hands: tuple[HandView, ...] = ()
    settling: Settling | None = None
    dealer_bot: DealerCard | None = msgspec.field(default=None, name="desk")


class SnapshotFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="frame", tag="snapshot"):
    """The first frame of a feed: everything as it stands after entry `sequence`."""

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
    """One entry of the record; what the viewer may not see of it is null, or left out.

    `state` is there where nothing further waits to be sent.
    """

    sequence: int
    at: int
    events: tuple[dict[str, Any] | None, ...]
    state: State | None = None


class StateFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="frame", tag="state"):
    """The state changed without an entry: a moment has come, the machine dealer waits."""

    sequence: int
    at: int
    state: State


class FeedReply(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="frame", tag="answer", omit_defaults=True
):
    """What became of something that was said over the feed, under its id.

    `status` is that of a request, 200 if it was carried out; otherwise `problem` says why not.
    """

    id: str
    status: int
    sequence: int = 0
    events: tuple[dict[str, Any] | None, ...] = ()
    problem: str = ""
    clause: str = ""
    game: str = ""


Frame: TypeAlias = SnapshotFrame | EntryFrame | StateFrame | FeedReply


class FeedCommand(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command, or something asked of a machine dealer, over a feed that was opened to act.

    The other fields are those of a request: its id, the entry last seen, for whom it is typed.
    """

    id: str
    command: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    ask: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    expected: int | None = None
    player: str = ""


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """A command was carried out: its entry, and what its giver may see of what it led to."""

    sequence: int
    events: tuple[dict[str, Any] | None, ...]


# What may be asked of the machine dealer.


class Ask(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """The root of everything that is asked of the machine that runs a practice table."""


class Deal(Ask, frozen=True, tag="deal"):
    """I have bet, or bet this now before my seat: deal, as soon as the others are ready too."""

    wagers: dict[str, Cents] = {}


class BuyChips(Ask, frozen=True, tag="buy_chips"):
    """Change this play money into chips."""

    cash: Cents


class SetPace(Ask, frozen=True, tag="set_pace"):
    """Deal more slowly or faster."""

    pace: Pace


class SetCompanions(Ask, frozen=True, tag="set_companions"):
    """So many other players shall sit here and play along."""

    count: int


AnyAsk: TypeAlias = Deal | BuyChips | SetPace | SetCompanions
ASKS: tuple[type[Ask], ...] = (Deal, BuyChips, SetPace, SetCompanions)


# Looking back.


class FoundRounds(msgspec.Struct, frozen=True):
    """The rounds that answer, the latest first."""

    rounds: tuple[RoundSummary, ...]


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """The table after one entry of the record."""

    sequence: int
    at: int
    by: str
    kind: str  # of the command
    events: tuple[dict[str, Any] | None, ...]
    view: TableView
    hands: tuple[HandView, ...]


class RoundReplay(msgspec.Struct, frozen=True, kw_only=True):
    """A round moment by moment, as a camera or a seat saw it, or whole."""

    table: str
    round: int
    eyes: str
    over: bool
    moments: tuple[Moment, ...]


# Supervising.


class PitTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table on the map of the pit, with what waits there for the one who looks."""

    id: str
    title: str
    role: Role  # in which the one who looks acts there
    live: bool
    open: bool
    state: str  # what is due in the round
    dealer: str
    seats: dict[int, str]
    posts: dict[str, str]
    limits: tuple[Cents, Cents | None]
    meters: dict[str, MeterText]
    devices: dict[str, str]  # those that do not work
    deadline: Deadline | None
    queue: tuple[StepView, ...]


class PitMap(msgspec.Struct, frozen=True):
    """Every table that the one who asks supervises."""

    tables: tuple[PitTable, ...]
