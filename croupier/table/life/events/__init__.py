"""What happened around the rounds of a table: one stream with the round's own events.

Every event here says when (`at`, milliseconds since the epoch) and who (`by`). `Acted` stands
before the round events of one command and says so for them.

Where money moves, in integer cents:

| event | from | to |
| --- | --- | --- |
| TableOpened.inventory | cage | tray |
| BoughtIn | the player's cash to drop | tray to rack |
| ChipsAdded | the player's pocket | rack |
| WagersPlaced (less what lay there), Decided.stake | rack | layout |
| ProgressiveCollected.amount | layout | tray |
| WagerSettled | stake: layout (a collected one: nowhere) to tray | returned: tray to rack |
| EnvyPaid.paid | tray | rack |
| PaidByCheck.amount | rack | tray; the cage pays a check of that amount |
| CashedOut, Left, LeftDuringRound: chips | rack | the player's pocket |
| UnclaimedHeld.amount | rack | held |
| UnclaimedPaid.amount | held | the player's pocket |
| FillReceived.chips, CreditSent.chips | cage to tray | tray to cage |
| TableClosed.inventory (counted) | tray | cage; `expected - inventory` is the difference |
"""

from __future__ import annotations

from typing import TypeAlias

from croupier.table import events as round_events
from croupier.table.life.events.base import (
    Acted,
    ConductNoted,
    HoldPlaced,
    LifeEvent,
)
from croupier.table.life.events.cards import (
    DealingSwitched,
    DeckCountFailed,
    DeckCut,
    DeckLoaded,
    DeckPrepared,
    DeckPulled,
    DeckReceived,
    DeckRemoved,
    DeckShuffled,
    DeviceCleared,
    DeviceFailed,
    DeviceMarked,
    IdleSpread,
    RecutOrdered,
    ShuffleOrdered,
    StubCountDiffered,
    StubCounted,
    StubDiscarded,
)
from croupier.table.life.events.money import (
    AwardsReopened,
    AwardValidated,
    AwardVerified,
    LimitNoticeGiven,
    LimitsChanged,
    PaidByCheck,
    PayoutDocumented,
    PayoutVoided,
    PayoutWitnessed,
    ProgressiveAcknowledged,
    ProgressiveCollected,
    ProgressiveCountDiffered,
    SurveillanceNotified,
)
from croupier.table.life.events.people import (
    AbandonmentRuled,
    BoughtIn,
    CashedOut,
    ChipsAdded,
    ConductRuled,
    CreditCounted,
    CreditSent,
    EquipmentAttested,
    FillCounted,
    FillReceived,
    InventoryCounted,
    Left,
    LeftDuringRound,
    PostLeft,
    PostTaken,
    SatDown,
    TableClosed,
    TableOpened,
    UnclaimedHeld,
    UnclaimedPaid,
)

AnyLifeEvent: TypeAlias = (
    Acted
    | PostTaken
    | PostLeft
    | EquipmentAttested
    | InventoryCounted
    | TableOpened
    | TableClosed
    | DeckReceived
    | DeckPrepared
    | DeckShuffled
    | DeckCountFailed
    | DeckCut
    | DeckLoaded
    | ShuffleOrdered
    | RecutOrdered
    | IdleSpread
    | DeckPulled
    | DeckRemoved
    | DeviceFailed
    | DeviceMarked
    | DeviceCleared
    | DealingSwitched
    | StubDiscarded
    | StubCounted
    | StubCountDiffered
    | SatDown
    | BoughtIn
    | ChipsAdded
    | CashedOut
    | Left
    | LeftDuringRound
    | AbandonmentRuled
    | ConductRuled
    | FillCounted
    | FillReceived
    | CreditCounted
    | CreditSent
    | UnclaimedHeld
    | UnclaimedPaid
    | LimitNoticeGiven
    | LimitsChanged
    | ProgressiveAcknowledged
    | ProgressiveCollected
    | ProgressiveCountDiffered
    | AwardVerified
    | AwardValidated
    | AwardsReopened
    | PayoutDocumented
    | PayoutWitnessed
    | SurveillanceNotified
    | PayoutVoided
    | PaidByCheck
    | ConductNoted
    | HoldPlaced
)
AnyEvent: TypeAlias = AnyLifeEvent | round_events.AnyEvent

__all__ = [
    "AbandonmentRuled",
    "Acted",
    "AnyEvent",
    "AnyLifeEvent",
    "AwardValidated",
    "AwardVerified",
    "AwardsReopened",
    "BoughtIn",
    "CashedOut",
    "ChipsAdded",
    "ConductNoted",
    "ConductRuled",
    "CreditCounted",
    "CreditSent",
    "DealingSwitched",
    "DeckCountFailed",
    "DeckCut",
    "DeckLoaded",
    "DeckPrepared",
    "DeckPulled",
    "DeckReceived",
    "DeckRemoved",
    "DeckShuffled",
    "DeviceCleared",
    "DeviceFailed",
    "DeviceMarked",
    "EquipmentAttested",
    "FillCounted",
    "FillReceived",
    "HoldPlaced",
    "IdleSpread",
    "InventoryCounted",
    "Left",
    "LeftDuringRound",
    "LifeEvent",
    "LimitNoticeGiven",
    "LimitsChanged",
    "PaidByCheck",
    "PayoutDocumented",
    "PayoutVoided",
    "PayoutWitnessed",
    "PostLeft",
    "PostTaken",
    "ProgressiveAcknowledged",
    "ProgressiveCollected",
    "ProgressiveCountDiffered",
    "RecutOrdered",
    "SatDown",
    "ShuffleOrdered",
    "StubCountDiffered",
    "StubCounted",
    "StubDiscarded",
    "SurveillanceNotified",
    "TableClosed",
    "TableOpened",
    "UnclaimedHeld",
    "UnclaimedPaid",
]
