"""All commands of a table."""

from __future__ import annotations

from croupier.table.core.messages import Command
from croupier.table.parts.chips.messages import (
    AddChips,
    BuyIn,
    CancelSlip,
    CashOut,
    ConfirmCredit,
    ConfirmFill,
    CountCredit,
    CountFill,
    ExchangeChips,
    PayUnclaimed,
    RecountSlip,
    RequestCredit,
    RequestFill,
    SignSlip,
    Tip,
)
from croupier.table.parts.conduct import NoteConduct, PlaceHold
from croupier.table.parts.corrections import AdjustMeter, Correct
from croupier.table.parts.deck_commitment import CommitDeck, RevealDeck
from croupier.table.parts.decks.messages import (
    CountStub,
    CutDeck,
    DiscardStub,
    KeepDeck,
    LoadDeck,
    OrderRecut,
    OrderShuffle,
    PrepareDeck,
    PullDeck,
    ReceiveDeck,
    Shuffle,
    SignRemoval,
    SpreadIdle,
)
from croupier.table.parts.devices import ClearDevice, MarkDevice, ReportFault, SwitchDealing
from croupier.table.parts.disabling import DisableTable
from croupier.table.parts.disputes import DecideDispute, ForwardDispute, OpenDispute
from croupier.table.parts.electronic_credits import AcknowledgeBuyIn
from croupier.table.parts.house_binding import BindTable, ReadMeters
from croupier.table.parts.investigations import ReportInvestigation
from croupier.table.parts.limit_changes import AcceptWager, ApplyLimits, GiveLimitNotice
from croupier.table.parts.payouts.messages import (
    NotifySurveillance,
    PreparePayout,
    VoidPayout,
    WitnessPayout,
)
from croupier.table.parts.progressive.messages import (
    CountProgressive,
    ResolveProgressive,
    ValidateAward,
    VerifyAward,
)
from croupier.table.parts.round.messages import (
    CorrectReading,
    DealCards,
    Decide,
    DrawInError,
    ExposeCommunityCard,
    ExposeDealerCard,
    ExposePlayerCard,
    FindCardFaceUp,
    FindWrongCount,
    FindWrongNumber,
    Forfeit,
    JamShoe,
    JamShuffler,
    NoMoreBets,
    PlaceWagers,
    ReadCards,
    Settle,
    SettleSeat,
    Showdown,
    ShowStreet,
    SkipPlayer,
    TurnHand,
)
from croupier.table.parts.seats.messages import (
    ForfeitForConduct,
    FreeSeat,
    Leave,
    RecordWalkAway,
    RuleAbandoned,
    SitDown,
)
from croupier.table.parts.shift import (
    AttestEquipment,
    AttestLayout,
    AttestShoe,
    AttestSign,
    CloseTable,
    OpenTable,
)
from croupier.table.parts.staffing import LeavePost, TakePost
from croupier.table.parts.table_clock import SetClock
from croupier.table.parts.tray_count import ChangeShift, CountInventory
