"""Moments around the rounds: desk, posts, decks, devices, seats, chips."""

from __future__ import annotations

from typing import Any

from croupier.table import Table
from croupier.table import commands as cmd
from croupier.table.core.messages import Command
from tests.attended.floor import ANN, DEE, DOV, FLO, HOUR, MINUTE, SYSTEM, Floor
from tests.clauses.attended.moments import (
    AUDITOR,
    BY_HAND,
    COUNTING,
    MIA,
    SHOE,
    SHUFFLER,
    WITH_PROGRESSIVE,
    closed,
    dealing,
    moment,
    one_round,
    ready,
    simply,
    table,
)
from tests.support import RUN, TOP, UTH, house, opening

# The desk.


@moment("bind_table")
def bind(game: str) -> tuple[Floor, Command]:
    """Another House at a closed table."""
    first, second = house(game, table=COUNTING), house(game, table=SHUFFLER)
    floor = Floor(first)
    found = {rules.digest: rules for rules in (first, second)}
    floor.table = Table(first, service="attended", live=True, find_house=found.__getitem__)
    floor.staff()
    command = cmd.BindTable(table="table", house=second.digest, service="attended", live=True)
    return floor, command


@moment("read_meters", WITH_PROGRESSIVE)
def read_meters(game: str) -> tuple[Floor, Command]:
    """A table that shares its meters."""
    rules = house(game, table=COUNTING)
    floor = Floor(rules)
    floor.table = Table(find_house={rules.digest: rules}.__getitem__)
    bound = cmd.BindTable(
        table="table", house=rules.digest, service="attended", live=True, group="harbor"
    )
    floor.do(bound, SYSTEM)
    floor.staff()
    values = {name: int(value) + 5 for name, value in floor.table.meters.items()}
    return floor, cmd.ReadMeters(group="harbor", position=1, meters=dict(values))


@moment("correct")
def correct(game: str) -> tuple[Floor, Command]:
    """Money was booked wrongly."""
    second = AUDITOR
    command = cmd.Correct(
        source="rack:ann", target="tray", amount=500, reason="miscounted", second=second
    )
    return ready(game), command


@moment("adjust_meter", WITH_PROGRESSIVE)
def adjust(game: str) -> tuple[Floor, Command]:
    """A meter is wrong after a power cut."""
    floor = ready(game)
    meter = next(iter(floor.table.meters))
    command = cmd.AdjustMeter(
        meter=meter, amount=250, reason="power cut", approval="L 7", second=AUDITOR
    )
    return floor, command


# People and the shift.


@moment("take_post")
def take_post(game: str) -> tuple[Floor, Command]:
    """Nobody has a post yet."""
    return table(game), cmd.TakePost()


simply("leave_post", lambda game: table(game).staff(), cmd.LeavePost())
simply("attest_equipment", lambda game: table(game).staff(), cmd.AttestEquipment())


def counted_before(floor: Floor, chips: int) -> None:
    """The tray is counted by another dealer, whom Dee then relieves."""
    floor.do(cmd.TakePost(), DOV)
    floor.do(cmd.CountInventory(chips), DOV)
    floor.do(cmd.TakePost(), DEE)


@moment("open_table")
def open_table(game: str) -> tuple[Floor, Command]:
    """Everything is there."""
    floor = table(game).staff()
    floor.do(cmd.AttestEquipment(), DEE)
    floor.receive()
    floor.inspect("one")
    counted_before(floor, 1_000_000)
    return floor, cmd.OpenTable()


@moment("close_table")
def close_table(game: str) -> tuple[Floor, Command]:
    """Nobody is seated and the tray is counted."""
    floor = table(game).open()
    counted_before(floor, floor.table.book.tray)
    return floor, cmd.CloseTable()


# Decks.


@moment("receive_deck")
def receive(game: str) -> tuple[Floor, Command]:
    """No deck is at the table."""
    covers = 1 if game in (TOP, RUN) else 2
    command = cmd.ReceiveDeck(deck="one", back="red", design="lions", cover_cards=covers)
    return table(game).staff(), command


def prepared(game: str, *steps: str) -> Floor:
    """A deck that went through some steps of chapter 4."""
    floor = table(game)
    if "offer" in steps or steps[-1:] == ("seated",):
        floor.open()
        floor.seat()
        left = [step for step in steps if step not in ("inspect", "verify", "spread", "seated")]
    else:
        floor.staff()
        floor.receive()
        left = list(steps)
    for step in left:
        floor.do(cmd.PrepareDeck("one", step), FLO if step == "verify" else DEE)  # type: ignore[arg-type]
    return floor


def chapter_four(step: str, *before: str) -> None:
    """The moment of one step, after those before it."""
    command = cmd.PrepareDeck("one", step)  # type: ignore[arg-type]
    simply(f"prepare_deck {step}", lambda game: prepared(game, *before), command)


chapter_four("inspect")
chapter_four("verify", "inspect")
chapter_four("spread", "inspect", "verify")
chapter_four("offer", "seated")
chapter_four("turn", "offer")
chapter_four("wash", "offer", "turn")
chapter_four("stack", "offer", "turn", "wash")


def stacked_deck(game: str, kind: dict[str, Any]) -> Floor:
    """A deck that waits to be shuffled."""
    floor = table(game, **kind).open()
    floor.seat()
    floor.mix("one")
    return floor


MANUAL: dict[str, Any] = {"method": "manual_shoe", "table": BY_HAND, **SHOE}


simply(
    "shuffle machine",
    lambda game: stacked_deck(game, {"table": COUNTING}),
    cmd.Shuffle("one", "machine", 52),
)
simply("shuffle manual", lambda game: stacked_deck(game, MANUAL), cmd.Shuffle("one", "manual"))


@moment("cut_deck")
def cut(game: str) -> tuple[Floor, Command]:
    """Shuffled by hand."""
    floor = stacked_deck(game, MANUAL)
    floor.do(cmd.Shuffle("one", "manual"), DEE)
    return floor, cmd.CutDeck("one", 20)


@moment("load_deck")
def load(game: str) -> tuple[Floor, Command]:
    """Shuffled by the machine."""
    floor = stacked_deck(game, {"table": COUNTING})
    floor.shuffle("one")
    return floor, cmd.LoadDeck("one", "")


simply("order_shuffle", ready, cmd.OrderShuffle("fairness"))
simply("order_recut", lambda game: ready(game, **MANUAL), cmd.OrderRecut("a shallow cut"))


@moment("spread_idle")
def spread(game: str) -> tuple[Floor, Command]:
    """Nobody has bet for hours."""
    floor = ready(game, idle_minutes=10)
    floor.at += HOUR
    return floor, cmd.SpreadIdle()


simply("pull_deck", ready, cmd.PullDeck("one", "marked"))


@moment("sign_removal")
def sign_removal(game: str) -> tuple[Floor, Command]:
    """A deck was pulled by the dealer before."""
    floor = ready(game)
    floor.do(cmd.TakePost(), DOV)
    floor.do(cmd.PullDeck("one", "marked"), DOV)
    floor.do(cmd.TakePost(), DEE)
    return floor, cmd.SignRemoval("one")


# Devices.


simply("report_fault", ready, cmd.ReportFault("shoe"))


def broken(game: str) -> Floor:
    """The shoe does not work."""
    without = ("six_card_bonus",) if game == UTH else ()
    floor = ready(game, without=without, **SHOE)
    floor.do(cmd.ReportFault("shoe"), DEE)
    return floor


simply("mark_device", broken, cmd.MarkDevice("shoe", "covered"))
simply("clear_device", broken, cmd.ClearDevice("shoe"))


@moment("switch_dealing")
def switch(game: str) -> tuple[Floor, Command]:
    """The shoe is covered."""
    floor = broken(game)
    floor.do(cmd.MarkDevice("shoe", "covered"), DEE)
    return floor, cmd.SwitchDealing("manual_shoe")


# Seats and chips.


@moment("sit_down")
def sit_down(game: str) -> tuple[Floor, Command]:
    """Ann is not seated yet."""
    return table(game).open(), cmd.SitDown(1)


simply("leave", ready, cmd.Leave(1))
simply("record_walk_away", dealing, cmd.RecordWalkAway(1))


@moment("rule_abandoned")
def rule_abandoned(game: str) -> tuple[Floor, Command]:
    """Ann has left her cards."""
    floor = dealing(game)
    floor.do(cmd.RecordWalkAway(1), DEE)
    return floor, cmd.RuleAbandoned("ann", True, "left for the bar")


simply(
    "forfeit_for_conduct",
    dealing,
    cmd.ForfeitForConduct("ann", "share", "told Bob"),
    games=(TOP, RUN),
)
simply("call_wager", ready, cmd.CallWager(1, 5000))
simply("change_progressive", ready, cmd.ChangeProgressive("mega"))
simply("buy_in", ready, cmd.BuyIn(1, 10_000))
simply("add_chips", ready, cmd.AddChips(1, 10_000))
simply("cash_out", ready, cmd.CashOut(1, 10_000))


@moment("acknowledge_buy_in", (UTH,))
def acknowledge(game: str) -> tuple[Floor, Command]:
    """An electronic table has bought in."""
    rules = house(game, table=COUNTING, electronic_version=True, without=["six_card_bonus"])
    floor = Floor(rules).open()
    floor.seat(1, ANN, 10_000)
    return floor, cmd.AcknowledgeBuyIn(1, 10_000)


@moment("pay_unclaimed")
def pay_unclaimed(game: str) -> tuple[Floor, Command]:
    """A void round returned the wagers of somebody who has left."""
    floor = closed(game)
    floor.do(cmd.RecordWalkAway(1), DEE)
    floor.do(cmd.JamShoe(), DEE)
    floor.settle()
    return floor, cmd.PayUnclaimed("ann")


@moment("set_clock")
def set_clock(game: str) -> tuple[Floor, Command]:
    """A second pit manager agrees on the time."""
    floor = ready(game)
    floor.do(cmd.TakePost(), MIA)
    floor.at += MINUTE
    return floor, cmd.SetClock(second=MIA, reason="the clock was slow")


simply("free_seat", ready, cmd.FreeSeat(1, "gone for hours"))
simply("exchange_chips", ready, cmd.ExchangeChips(1, {"100": 25}, {"2500": 1}))
simply("tip", ready, cmd.Tip(1, 500))
simply("open_dispute", one_round, cmd.OpenDispute(1, "paid wrongly"))


def disputed(game: str) -> Floor:
    """Ann disputes it."""
    floor = one_round(game)
    floor.do(cmd.OpenDispute(1, "paid wrongly"), ANN)
    return floor


simply("decide_dispute", disputed, cmd.DecideDispute(1, "paid rightly", "seen on video"))
simply("forward_dispute", disputed, cmd.ForwardDispute(1, "the player insists"))


@moment("accept_wager")
def accept_wager(game: str) -> tuple[Floor, Command]:
    """More than the limit lies there."""
    rules = house(game, table=COUNTING, limits=dict.fromkeys(limited(game), (1, 5)))
    floor = Floor(rules).ready()
    return floor, cmd.AcceptWager(1, opening(rules, 1000), "overlooked and dealt to")


def limited(game: str) -> list[str]:
    """The wager whose limits count here."""
    return ["first_ante" if game == RUN else "ante"]
