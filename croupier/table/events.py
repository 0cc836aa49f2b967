"""All events of a table."""

from __future__ import annotations

from croupier.table.core.messages import Event
from croupier.table.parts.chips.messages import (
    BoughtIn,
    CashedOut,
    ChipsAdded,
    ChipsExchanged,
    CreditCounted,
    CreditRequested,
    CreditSent,
    FillCounted,
    FillReceived,
    FillRequested,
    SlipCancelled,
    SlipRecounted,
    SlipSigned,
    Tipped,
    UnclaimedHeld,
    UnclaimedPaid,
)
from croupier.table.parts.conduct import ConductNoted, HoldPlaced
from croupier.table.parts.corrections import CorrectionMade, MeterAdjusted
from croupier.table.parts.deck_commitment import DeckCommitted, DeckRevealed
from croupier.table.parts.decks.messages import (
    DeckCountFailed,
    DeckCut,
    DeckKept,
    DeckLoaded,
    DeckPrepared,
    DeckPulled,
    DeckReceived,
    DeckRemoved,
    DeckShuffled,
    IdleSpread,
    RecutOrdered,
    ShuffleOrdered,
    StubCountDiffered,
    StubCounted,
    StubDiscarded,
)
from croupier.table.parts.devices import DealingSwitched, DeviceCleared, DeviceFailed, DeviceMarked
from croupier.table.parts.disabling import TableDisabled, TableEnabled
from croupier.table.parts.disputes import DisputeDecided, DisputeForwarded, DisputeOpened
from croupier.table.parts.electronic_credits import BuyInAcknowledged
from croupier.table.parts.house_binding import MetersRead, TableBound
from croupier.table.parts.investigations import InvestigationOpened, InvestigationReported
from croupier.table.parts.limit_changes import LimitNoticeGiven, LimitsChanged, WagerAccepted
from croupier.table.parts.payouts.messages import (
    AwardsReopened,
    PaidByCheck,
    PayoutDocumented,
    PayoutVoided,
    PayoutWitnessed,
    SurveillanceNotified,
)
from croupier.table.parts.progressive.messages import (
    AwardValidated,
    AwardVerified,
    ProgressiveAcknowledged,
    ProgressiveCollected,
    ProgressiveCountDiffered,
)
from croupier.table.parts.round.messages import (
    BettingClosed,
    BoxShown,
    CardsDealt,
    CardsRead,
    CardsTurned,
    Decided,
    EnvyPaid,
    HandAnnounced,
    HandDiscarded,
    HandKept,
    HandsShown,
    IrregularityNoted,
    MeterPaid,
    PaymentDelayed,
    PlayerSatOut,
    ProgressiveLocked,
    ReadingCorrected,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    StreetShown,
    WagersCollected,
    WagerSettled,
    WagersForfeited,
    WagersPlaced,
)
from croupier.table.parts.round.meter_pools import PoolUsed
from croupier.table.parts.seats.messages import (
    AbandonmentRuled,
    ConductRuled,
    Left,
    LeftDuringRound,
    SatDown,
    SeatFreed,
)
from croupier.table.parts.shift import EquipmentAttested, ItemAttested, TableClosed, TableOpened
from croupier.table.parts.staffing import PostLeft, PostTaken
from croupier.table.parts.table_clock import ClockSet
from croupier.table.parts.tray_count import InventoryCounted, ShiftChanged
