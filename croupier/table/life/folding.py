"""What each event does to the life of a table; nothing here may refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.games import DEALING_METHODS, House, Limits
from croupier.table import events as ev
from croupier.table.events import Event
from croupier.table.life import events as le
from croupier.table.life import folding_cards, folding_money
from croupier.table.life.state import Counted, Life, Notice

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable


def devices_of(house: House) -> dict[str, str]:
    """The devices of a table of this House, all working."""
    devices = {}
    if house.shuffle_method != "manual" or house.choices.continuous_device:
        devices["shuffler"] = "working"
    if house.dealing_method == "automated_shoe":
        devices["shoe"] = "working"
    if house.offers("progressive"):
        devices["progressive"] = "working"
    return devices


def fold(live: LiveTable, event: Event) -> None:
    """Apply one event of the stream."""
    life = live.life
    if isinstance(event, le.LifeEvent):
        life.latest = max(life.latest, event.at)
        _fold_life(live, life, event)
        return
    folding_money.before_round_event(live, event)
    live.table.evolve(event)
    folding_cards.after_round_event(live, event)
    folding_money.after_round_event(live, event)
    if isinstance(event, ev.RoundClosed):
        for player in life.absent:
            if not life.racks.get(player):
                life.racks.pop(player, None)
        life.absent.clear()
        life.ruled.clear()
        life.awards.clear()


def _fold_life(live: LiveTable, life: Life, event: le.LifeEvent) -> None:
    match event:
        case le.Acted():
            if event.command == "place_wagers":
                life.last_bet_at = max(life.last_bet_at, event.at)
        case le.PostTaken():
            life.posts[event.by.name] = event.by.role
            if event.by.role == "dealer":
                if life.dealer:
                    life.posts.pop(life.dealer, None)
                life.dealer = event.by.name
                life.posts[event.by.name] = "dealer"
        case le.PostLeft():
            life.posts.pop(event.by.name, None)
            if life.dealer == event.by.name:
                life.dealer = ""
        case le.EquipmentAttested():
            life.equipment = True
        case le.InventoryCounted():
            life.count = Counted(event.chips, event.by)
        case le.LimitNoticeGiven():
            life.notices[event.wager] = Notice(
                event.minimum, event.maximum, life.latest, event.effective
            )
        case le.LimitsChanged():
            life.limits[event.wager] = (event.minimum, event.maximum)
            life.notices.pop(event.wager, None)
            adapt(live)
        case le.DealingSwitched():
            life.method = event.method
            adapt(live)
            folding_cards.unload(life)
        case le.DeviceFailed():
            life.devices[event.device] = "failed"
        case le.DeviceMarked():
            life.devices[event.device] = "marked"
        case le.DeviceCleared():
            life.devices[event.device] = "working"
        case le.TableOpened() | le.TableClosed():
            _open_or_close(life, event)
        case _:
            if not folding_cards.fold(life, event):
                folding_money.fold(live, life, event)


def _open_or_close(life: Life, event: le.TableOpened | le.TableClosed) -> None:
    life.count = None
    life.drop = 0
    life.unseen = False
    life.rounds_since_count = 0
    life.last_bet_at = event.at
    if isinstance(event, le.TableOpened):
        life.open = True
        life.tray = event.inventory
    else:
        life.open = False
        life.equipment = False
        life.tray = 0
        life.decks.clear()
        life.last_deck = ""
        life.racks.clear()


def adapt(live: LiveTable) -> None:
    """Play on under the limits and the dealing method of the moment."""
    live.table.house = adapted(live.submitted, live.life)
    if live.round is not None:  # opened and withdrawn from; its cards are dealt the new way
        live.round.house = live.table.house


def adapted(house: House, life: Life) -> House:
    """The submitted House with the limits and the dealing method of the moment.

    The digest stays: limits and a fallback method are no amendment of the submission.
    """
    limits = {name: Limits(minimum=low, maximum=high) for name, (low, high) in life.limits.items()}
    method = next(known for known in DEALING_METHODS if known == life.method)
    return house.as_played(limits=limits, dealing_method=method)
