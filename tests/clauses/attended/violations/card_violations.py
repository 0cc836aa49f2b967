"""Violations of the rules on decks, the stub and devices (chapters 3 to 5, 8 to 10, 13)."""

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
    BEFORE,
    EVERY,
    IDLE,
    MARKED,
    ONE_DECK,
    RACK,
    Broken,
    after,
    illegal,
    violation,
)
from tests.support.attended_table import DEE, DOV, FLO, Floor
from tests.support.rounds import UTH

TWO = {"shuffle_method": "counting_shuffler", "decks": 2}
BY_HAND = {"method": "hand", "table": SHUFFLER}
KEEP = cmd.KeepDeck("one")
CLEAR = cmd.ClearDevice("progressive")
PULL = cmd.PullDeck("one", "marked")
SAME = Account("dee", "floorperson")
REMOVAL = {EVERY: "COMAR 36.05.02.16J"}

# Decks.

illegal("pull a deck that is not here", ONE_DECK, ready, cmd.PullDeck("nine", "marked"))
illegal("pull the deck that is dealt", {EVERY: "5.A.2"}, dealing, PULL)
illegal("pull twice", REMOVAL, after(ready, (PULL, DEE)), PULL)
illegal("pull without a reason", REMOVAL, ready, cmd.PullDeck("one", " "))
illegal("sign for a deck in use", REMOVAL, ready, cmd.SignRemoval("one"), FLO)
illegal(
    "sign for the own removal",
    REMOVAL,
    after(
        ready, (PULL, DEE), (cmd.LeavePost(), DEE), (cmd.TakePost(), DOV), (cmd.TakePost(), SAME)
    ),
    cmd.SignRemoval("one"),
    SAME,
)


@violation("a name used twice", ONE_DECK)
def same_name(game: str) -> Broken:
    """Two decks need two names."""
    floor = table(game, table=TWO).staff()
    floor.receive("one")
    covers = floor.house.game.procedure.cover_cards
    again = cmd.ReceiveDeck(deck="one", back="blue", design="lions", cover_cards=covers)
    return floor, again, DEE


illegal("spread with wagers on the layout", IDLE, betting, cmd.SpreadIdle())
illegal("spread before any mixing", IDLE, lambda game: table(game).open(), cmd.SpreadIdle())
illegal(
    "cut what a machine shuffled",
    {"TUJ": "5.D.2", "FR": "5.C.2"},
    after(lambda game: stacked_deck(game, {}), (cmd.Shuffle("one", "machine", 52), DEE)),
    cmd.CutDeck("one", 20),
)
illegal("order without a reason", {EVERY: "5.A.3"}, ready, cmd.OrderShuffle(" "), FLO)
illegal(
    "order a recut without a reason",
    {"TUJ": "5.G", "FR": "5.E"},
    lambda game: ready(game, **MANUAL),
    cmd.OrderRecut(" "),
    FLO,
)
illegal(
    "a machine that is not there",
    {EVERY: "5.A"},
    lambda game: stacked_deck(game, MANUAL),
    cmd.Shuffle("one", "machine"),
)
illegal(
    "shuffle by hand for a deal from the hand",
    {EVERY: "9.A.1"},
    after(
        lambda game: stacked_deck(game, BY_HAND),
        (cmd.ReportFault("shuffler"), DEE),
        (cmd.MarkDevice("shuffler", "covered"), DEE),
    ),
    cmd.Shuffle("one", "manual"),
)


def shuffler_failed(floor: Floor) -> Floor:
    """The shuffler has failed."""
    floor.do(cmd.ReportFault("shuffler"), DEE)
    return floor


def two_dealing(game: str) -> Floor:
    """With two decks, one is being dealt and the other is in the shuffler."""
    return dealing(game, table=TWO)


illegal(
    "shuffle by hand while cards are dealt",
    {EVERY: "5.A.2"},
    after(two_dealing, (cmd.JamShuffler(), DEE), (cmd.MarkDevice("shuffler", "signed"), DEE)),
    cmd.Shuffle("two", "manual"),
)
illegal("load while cards are dealt", {EVERY: "10.A.1"}, two_dealing, cmd.LoadDeck("two", ""))
illegal(
    "load a second deck",
    {EVERY: "3.B.3"},
    lambda game: ready(game, table=TWO),
    cmd.LoadDeck("two", ""),
)
illegal("load the deck in the shoe again", {EVERY: "5.A"}, ready, cmd.LoadDeck("one", ""))
illegal(
    "load a broken shoe",
    MARKED,
    after(
        lambda game: stacked_deck(game, {}),
        (cmd.Shuffle("one", "machine", 52), DEE),
        (cmd.ReportFault("shoe"), DEE),
    ),
    cmd.LoadDeck("one", ""),
)

illegal("keep one deck while the shuffler works", {EVERY: "3.B"}, two_dealing, KEEP, FLO)
illegal("keep the only deck", ONE_DECK, ready, KEEP, FLO)
illegal(
    "keep the only deck in play",
    ONE_DECK,
    after(lambda game: shuffler_failed(ready(game, table=TWO)), (KEEP, FLO)),
    KEEP,
    FLO,
)
illegal(
    "keep a deck that was pulled",
    ONE_DECK,
    after(lambda game: shuffler_failed(ready(game, table=TWO)), (PULL, DEE)),
    KEEP,
    FLO,
)
illegal(
    "take away the deck in play",
    {EVERY: "A148"},
    lambda game: shuffler_failed(betting(game, table=TWO)),
    cmd.KeepDeck("two"),
    FLO,
)
illegal(
    "take away the deck that is dealt",
    {EVERY: "A148"},
    after(two_dealing, (cmd.JamShuffler(), DEE)),
    cmd.KeepDeck("two"),
    FLO,
)

# The stub.


def no_card_yet(game: str) -> Floor:
    """Betting is closed and no card is dealt."""
    floor = betting(game)
    floor.close_bets()
    return floor


def stub_away(game: str) -> Floor:
    """The stub is in the discard rack."""
    floor = played(game)
    floor.stub()
    return floor


def stub_short(game: str) -> Floor:
    """The stub was counted short."""
    floor = played(game, table=SHUFFLER)
    floor.stub(count=7)
    return floor


illegal("take the stub too early", RACK, no_card_yet, cmd.DiscardStub())
illegal("take the stub twice", RACK, stub_away, cmd.DiscardStub())
illegal("an impossible count", {EVERY: "10.C"}, played, cmd.CountStub(105))
illegal(
    "take away a stub that is short",
    {"T": "10.F", "FR": "10.C.2", "UJ": "10.E"},
    stub_short,
    cmd.DiscardStub(),
)
illegal(
    "a finding that does not come to 52",
    {"T": "10.G", "F": "10.C.3", "UJ": "10.E.1", "R": "10.C.3"},
    stub_short,
    cmd.FindWrongCount(True, {"seat 1": 2}),
    FLO,
)

# Devices.

illegal(
    "a fault of a shoe that is not there",
    MARKED,
    lambda game: ready(game, **MANUAL),
    cmd.ReportFault("shoe"),
)
illegal(
    "a fault while cards are dealt",
    {"T": "A122", "FR": "13.D", "UJ": "13.I"},
    closed,
    cmd.ReportFault("shoe"),
)
illegal(
    "a fault of the shuffler while cards are dealt",
    {"TUJ": "13.H", "FR": "A122"},
    closed,
    cmd.ReportFault("shuffler"),
)
SYSTEM = {"UJ": "2.C", "R": "2.B.6"}
illegal("repair a progressive system that works", SYSTEM, ready, CLEAR, FLO)
illegal(
    "report a progressive system twice",
    SYSTEM,
    after(ready, (cmd.ReportFault("progressive"), DEE)),
    cmd.ReportFault("progressive"),
)
illegal("cover the progressive system", MARKED, ready, cmd.MarkDevice("progressive", "covered"))
illegal("cover a shoe that works", MARKED, ready, cmd.MarkDevice("shoe", "covered"))
illegal("clear a shoe that works", MARKED, ready, cmd.ClearDevice("shoe"), FLO)
illegal(
    "a jam of a device out of use",
    MARKED,
    after(two_dealing, (cmd.JamShuffler(), DEE)),
    cmd.JamShuffler(),
)
illegal("a second jam of the shoe", MARKED, after(closed, (cmd.JamShoe(), DEE)), cmd.JamShoe())


@violation("load a shoe that jammed", MARKED)
def load_jammed(game: str) -> Broken:
    """A jammed shoe stays out of order until it is cleared."""
    floor = closed(game)
    floor.do(cmd.JamShoe(), DEE)
    floor.settle()
    floor.shuffle("one")
    return floor, cmd.LoadDeck("one", ""), DEE


ORDERED = after(lambda game: no_card_yet(game), (cmd.OrderShuffle("fairness"), FLO))
REORDERED = {EVERY: "5.A.3"}
illegal("deal what was ordered to be shuffled", REORDERED, ORDERED, cmd.DealCards(("2c",)))
illegal("a card face up in a deck to be shuffled", REORDERED, ORDERED, cmd.FindCardFaceUp("2c"))
illegal(
    "deal what was shuffled again and not loaded",
    {EVERY: "10.A.1"},
    after(ORDERED, (cmd.Shuffle("one", "machine", 52), DEE)),
    cmd.DealCards(("2c",)),
)
illegal(
    "deal what was ordered to be cut",
    {"TUJ": "5.G", "FR": "5.E"},
    after(lambda game: closed(game, **MANUAL), (cmd.OrderRecut("shallow"), FLO)),
    cmd.DealCards(("2c",)),
)
illegal("switch to the method in use", MARKED, ready, cmd.SwitchDealing("automated_shoe"), FLO)
illegal("switch with wagers on the layout", BEFORE, betting, cmd.SwitchDealing("manual_shoe"), FLO)
illegal(
    "switch though nothing is marked",
    MARKED,
    lambda game: ready(game, **SHOE),
    cmd.SwitchDealing("manual_shoe"),
    FLO,
)
illegal("switch before the cover", MARKED, broken, cmd.SwitchDealing("manual_shoe"), FLO)


def covered(game: str) -> Floor:
    """The shoe is covered, and no manual shoe location is approved."""
    without = ("six_card_bonus",) if game == UTH else ()
    floor = ready(game, without=without)
    floor.do(cmd.ReportFault("shoe"), DEE)
    floor.do(cmd.MarkDevice("shoe", "covered"), DEE)
    return floor


illegal("a shoe without a place", {EVERY: "8.A"}, covered, cmd.SwitchDealing("manual_shoe"), FLO)
illegal(
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
