"""Violations around decks, the stub and the devices (chapters 3 to 5, 8 to 10, 13)."""

from __future__ import annotations

from croupier.table import Account
from croupier.table import commands as cmd
from tests.clauses.attended.fixtures.moments import (
    SHOE,
    SHUFFLER,
    betting,
    closed,
    dealing,
    played,
    ready,
    table,
)
from tests.clauses.attended.fixtures.table_moments import MANUAL, broken, stacked_deck
from tests.clauses.attended.violations.violation import (
    DECK,
    EVERY,
    IDLE,
    LATE,
    MARKED,
    RACK,
    Broken,
    after,
    violation,
    wrong,
)
from tests.support.attended_table import DEE, DOV, FLO, Floor
from tests.support.rounds import UTH, house

TWO = {"shuffle_method": "counting_shuffler", "decks": 2}
BY_HAND = {"method": "hand", "table": SHUFFLER}
PULL = cmd.PullDeck("one", "marked")
SAME = Account("dee", "floorperson")
REMOVAL = {EVERY: "COMAR 36.05.02.16J"}

# Decks.

wrong("pull a deck that is not here", DECK, ready, cmd.PullDeck("nine", "marked"))
wrong("pull the deck that is dealt", {"TF": "10.A.2", "UJR": "10.A.2.a"}, dealing, PULL)
wrong("pull twice", {EVERY: "3.C.2"}, after(ready, (PULL, DEE)), PULL)
wrong("pull without a reason", REMOVAL, ready, cmd.PullDeck("one", " "))
wrong("sign for a deck in use", {EVERY: "3.C.2"}, ready, cmd.SignRemoval("one"), FLO)
wrong(
    "sign for the own removal",
    REMOVAL,
    after(
        ready, (PULL, DEE), (cmd.LeavePost(), DEE), (cmd.TakePost(), DOV), (cmd.TakePost(), SAME)
    ),
    cmd.SignRemoval("one"),
    SAME,
)


@violation("a name used twice", DECK)
def same_name(game: str) -> Broken:
    """Two decks need two names."""
    floor = table(game, table=TWO).staff()
    floor.receive("one")
    covers = floor.house.game.procedure.cover_cards
    again = cmd.ReceiveDeck(deck="one", back="blue", design="lions", cover_cards=covers)
    return floor, again, DEE


wrong("spread while wagers lie", IDLE, betting, cmd.SpreadIdle())
wrong("spread before any mixing", IDLE, lambda game: table(game).open(), cmd.SpreadIdle())
wrong(
    "cut what a machine shuffled",
    {"TUJ": "5.D.2", "FR": "5.C.2"},
    after(lambda game: stacked_deck(game, {}), (cmd.Shuffle("one", "machine", 52), DEE)),
    cmd.CutDeck("one", 20),
)
wrong("order without a reason", {EVERY: "5.A.3"}, ready, cmd.OrderShuffle(" "), FLO)
wrong(
    "order a recut without a reason",
    {"TUJ": "5.G", "FR": "5.E"},
    lambda game: ready(game, **MANUAL),
    cmd.OrderRecut(" "),
    FLO,
)
wrong(
    "a machine that is not there",
    {EVERY: "5.A"},
    lambda game: stacked_deck(game, MANUAL),
    cmd.Shuffle("one", "machine"),
)
wrong(
    "shuffle by hand for a deal from the hand",
    {EVERY: "9.A.1"},
    after(
        lambda game: stacked_deck(game, BY_HAND),
        (cmd.ReportFault("shuffler"), DEE),
        (cmd.MarkDevice("shuffler", "covered"), DEE),
    ),
    cmd.Shuffle("one", "manual"),
)


def other_deck_stacked(game: str) -> Floor:
    """The shuffler is covered: one deck was shuffled by hand and is dealt, the other waits."""
    floor = Floor(house(game, table=TWO)).open()
    floor.seat()
    floor.mix("one")
    floor.mix("two")
    for step in (
        cmd.ReportFault("shuffler"),
        cmd.MarkDevice("shuffler", "signed"),
        cmd.Shuffle("one", "manual"),
        cmd.CutDeck("one", 20),
    ):
        floor.do(step, DEE)
    floor.load("one")
    floor.bet()
    floor.close_bets()
    floor.deal()
    return floor


def two_dealing(game: str) -> Floor:
    """Two decks: one is being dealt, the other waits in the shuffler."""
    return dealing(game, table=TWO)


wrong(
    "shuffle by hand while cards are dealt",
    {EVERY: "5.A.2"},
    other_deck_stacked,
    cmd.Shuffle("two", "manual"),
)
wrong("load while cards are dealt", {EVERY: "10.A.1"}, two_dealing, cmd.LoadDeck("two", ""))
wrong("load a second deck", DECK, lambda game: ready(game, table=TWO), cmd.LoadDeck("two", ""))
wrong(
    "load a broken shoe",
    MARKED,
    after(
        lambda game: stacked_deck(game, {}),
        (cmd.Shuffle("one", "machine", 52), DEE),
        (cmd.ReportFault("shoe"), DEE),
    ),
    cmd.LoadDeck("one", ""),
)

# The stub.


def no_card_yet(game: str) -> Floor:
    """The betting is closed and no card has left the deck."""
    floor = betting(game)
    floor.close_bets()
    return floor


def stub_away(game: str) -> Floor:
    """The stub lies in the rack."""
    floor = played(game)
    floor.stub()
    return floor


def stub_short(game: str) -> Floor:
    """The stub came out short."""
    floor = played(game, table=SHUFFLER)
    floor.stub(count=7)
    return floor


wrong("take the stub too early", RACK, no_card_yet, cmd.DiscardStub())
wrong("take the stub twice", RACK, stub_away, cmd.DiscardStub())
wrong("an impossible count", {EVERY: "10.C"}, played, cmd.CountStub(105))
wrong(
    "take away a stub that is short",
    {"T": "10.F", "FR": "10.C.2", "UJ": "10.E"},
    stub_short,
    cmd.DiscardStub(),
)
wrong(
    "a finding that does not come to 52",
    {"T": "10.G", "F": "10.C.3", "UJ": "10.E.1", "R": "10.C.3"},
    stub_short,
    cmd.FindWrongCount(True, {"seat 1": 2}),
    FLO,
)

# Devices.

wrong(
    "a fault of a shoe that is not there",
    MARKED,
    lambda game: ready(game, **MANUAL),
    cmd.ReportFault("shoe"),
)
wrong("a fault while cards are dealt", MARKED, dealing, cmd.ReportFault("shoe"))
wrong("cover the progressive system", MARKED, ready, cmd.MarkDevice("progressive", "covered"))
wrong("cover a shoe that works", MARKED, ready, cmd.MarkDevice("shoe", "covered"))
wrong("clear a shoe that works", MARKED, ready, cmd.ClearDevice("shoe"), FLO)
wrong(
    "a jam of a device out of use",
    MARKED,
    after(two_dealing, (cmd.JamShuffler(), DEE)),
    cmd.JamShuffler(),
)
wrong("a second jam of the shoe", MARKED, after(closed, (cmd.JamShoe(), DEE)), cmd.JamShoe())


@violation("load a shoe that jammed", MARKED)
def load_jammed(game: str) -> Broken:
    """It stays out of order until somebody clears it."""
    floor = closed(game)
    floor.do(cmd.JamShoe(), DEE)
    floor.settle()
    floor.shuffle("one")
    return floor, cmd.LoadDeck("one", ""), DEE


ORDERED = after(lambda game: no_card_yet(game), (cmd.OrderShuffle("fairness"), FLO))
AGAIN = {"TUJ": "5.G", "FR": "5.E"}
wrong("deal what was ordered to be shuffled", AGAIN, ORDERED, cmd.DealCards(("2c",)))
wrong("a card face up in such a deck", AGAIN, ORDERED, cmd.FindCardFaceUp("2c"))
wrong("switch to what is in use", MARKED, ready, cmd.SwitchDealing("automated_shoe"), FLO)
wrong("switch over wagers", LATE, betting, cmd.SwitchDealing("manual_shoe"), FLO)
wrong(
    "switch though nothing is marked",
    MARKED,
    lambda game: ready(game, **SHOE),
    cmd.SwitchDealing("manual_shoe"),
    FLO,
)
wrong("switch before the cover", MARKED, broken, cmd.SwitchDealing("manual_shoe"), FLO)


def covered(game: str) -> Floor:
    """The shoe is covered, and no place for a manual shoe was approved."""
    without = ("six_card_bonus",) if game == UTH else ()
    floor = ready(game, without=without)
    floor.do(cmd.ReportFault("shoe"), DEE)
    floor.do(cmd.MarkDevice("shoe", "covered"), DEE)
    return floor


wrong("a shoe without a place", {EVERY: "8.A"}, covered, cmd.SwitchDealing("manual_shoe"), FLO)
wrong(
    "a shoe that was never submitted",
    MARKED,
    after(
        lambda game: table(game, **BY_HAND).open(),
        (cmd.ReportFault("shuffler"), DEE),
        (cmd.MarkDevice("shuffler", "covered"), DEE),
    ),
    cmd.SwitchDealing("automated_shoe"),
    FLO,
)
