"""Violations of the rules on seats, staff, wagers, rounds, awards, opening (2, 4, 7, 11, 13)."""

from __future__ import annotations

from croupier.cards import DECK, UNSEEN, names
from croupier.table import Account
from croupier.table import commands as cmd
from tests.clauses.attended.fixtures.moments import (
    COUNTING,
    betting,
    dealing,
    played,
    ready,
    shown,
    table,
)
from tests.clauses.attended.fixtures.round_moments import huge, passive, royal, with_progressive
from tests.clauses.attended.violations.card_violations import SAME, no_card_yet, stub_away
from tests.clauses.attended.violations.violation import (
    BOXES,
    COUNT,
    DISCARDS,
    EVERY,
    FIRST_HAND,
    HANDS,
    NUMBER,
    ONE_DECK,
    PAYS,
    RACK,
    SEATED,
    SEATS,
    TURNS,
    Broken,
    after,
    illegal,
    violation,
)
from tests.support.attended_table import ANN, BOB, DEE, DOV, FLO, READER, Floor
from tests.support.rounds import JACKPOT, RUN, THB, TOP, UTH, opening_wagers

SIT = cmd.SitDown(1)
EIGHT = tuple(names(DECK[:8]))
REQUIRED = {"TUJ": "7.F.1", "FR": "7.E.1"}
STAYS = {"TUJ": "7.C.1", "FR": "7.B.2"}

# Seats and posts.

illegal("sit at a closed table", {EVERY: "4.B"}, lambda game: table(game).staff(), SIT, ANN)
illegal("sit twice", BOXES, ready, cmd.SitDown(2), ANN)
illegal("deal and play", SEATED, ready, cmd.SitDown(2), Account("dee", "player"))
illegal("play and deal", SEATS, ready, cmd.TakePost(), Account("ann", "dealer"))
illegal("two posts", SEATS, ready, cmd.TakePost(), DEE)
illegal(
    "sit at another player's box", SEATS, after(dealing, (cmd.RecordWalkAway(1), DEE)), SIT, BOB
)
illegal("chips for an empty seat", SEATED, ready, cmd.BuyIn(5, 10_000))
illegal("leave another's seat", SEATED, after(ready, (cmd.SitDown(2), BOB)), cmd.Leave(1), BOB)
illegal("walk away without wagers", STAYS, ready, cmd.RecordWalkAway(1))
illegal(
    "a finding against a player without wagers",
    {"FR": "11.A.5"},
    ready,
    cmd.ForfeitForConduct("ann", "share", "told Bob"),
    FLO,
)
illegal(
    "an unknown conduct", {"FR": "11.A.5"}, dealing, cmd.ForfeitForConduct("bob", "share", "x"), FLO
)

# Wagers.


@violation("bet at a closed table", {EVERY: "4.B"})
def bet_closed(game: str) -> Broken:
    """No wager at a closed table."""
    floor = table(game).staff()
    return floor, cmd.PlaceWagers(1, opening_wagers(floor.house)), ANN


@violation("bet on another's box", {"F": "7.F", "UJ": "7.G"})
def another_box(game: str) -> Broken:
    """Ann bets on Bob's box."""
    floor = ready(game, table=COUNTING | {"max_adjacent_boxes": 2})
    floor.do(cmd.SitDown(2), BOB)
    floor.bet()
    return floor, cmd.PlaceWagers(2, opening_wagers(floor.house)), ANN


@violation("bet on an adjacent box first", BOXES)
def beside_first(game: str) -> Broken:
    """Ann bets on an adjacent box before her own."""
    floor = ready(game)
    return floor, cmd.PlaceWagers(2, opening_wagers(floor.house)), ANN


illegal("an empty wager", REQUIRED, ready, cmd.PlaceWagers(1, {}), ANN)
illegal("close the betting without wagers", REQUIRED, ready, cmd.NoMoreBets())
illegal("more cash than the tray holds", {EVERY: "7.A"}, ready, cmd.BuyIn(1, 900_000_000))
illegal("a buy-in of zero", {EVERY: "7.A"}, ready, cmd.BuyIn(1, 0))

# The round.

EXAMINE = {"TFUR": "11.A", "J": "11.B"}
illegal("settle too early", EXAMINE, dealing, cmd.Settle())
illegal("show down too early", EXAMINE, dealing, cmd.Showdown())
illegal("turn up all hands at once", TURNS, stub_away, cmd.Showdown())


@violation("show down twice", {"F": "11.C", "U": "11.H.2", "J": "11.I.2", "R": "11.I"})
def show_twice(game: str) -> Broken:
    """Where all hands are turned up first, it is done once."""
    floor = played(game, showdown_order="all_first")
    floor.stub()
    floor.do(cmd.Showdown(), DEE)
    return floor, cmd.Showdown(), DEE


illegal("pay before the showdown", FIRST_HAND, stub_away, cmd.Settle())
illegal("turn the wrong hand", FIRST_HAND, stub_away, cmd.TurnHand(6))
illegal("turn up a face-up hand", TURNS, shown, cmd.TurnHand(1))
illegal("read a place without cards", HANDS, dealing, cmd.ReadCards(5, ("2c",)))
illegal("read a card already read", HANDS, dealing, cmd.ReadCards(1, ("2c",)))
illegal("correct an unknown position", HANDS, dealing, cmd.CorrectReading(1, 9, "2c"))
BOARD = {"T": "10.B.4", "U": "10.B.2", "JR": "10.B.1"}
illegal("correct no card of the board", BOARD, played, cmd.CorrectReading("community", 9, "2c"))
illegal("read the board again", BOARD, played, cmd.ReadCards("community", ("2c",)))


def unseen(game: str) -> Floor:
    """All cards were dealt unread."""
    floor = no_card_yet(game)
    floor.do(cmd.DealCards((UNSEEN,) * floor.table.due().cards), DEE)
    return floor


illegal("read without cards", HANDS, unseen, cmd.ReadCards(1, ()))
illegal(
    "read too many",
    HANDS,
    unseen,
    cmd.ReadCards(1, EIGHT),
)


@violation("read again what was read", HANDS)
def read_again(game: str) -> Broken:
    """Cards are read only once, even correctly."""
    floor = dealing(game)
    assert floor.table.dealing is not None
    held = floor.table.dealing.boxes[1].cards
    return floor, cmd.ReadCards(1, tuple(names(held))), DEE


@violation("correct an unread card", HANDS)
def correct_unread(game: str) -> Broken:
    """An unread card cannot be corrected."""
    floor = unseen(game)
    return floor, cmd.CorrectReading(1, 0, "2c", "misread"), FLO


@violation("correct a face-up card as dealer", HANDS)
def correct_seen(game: str) -> Broken:
    """A face-up card is corrected only by a floorperson."""
    floor = shown(game)
    return floor, cmd.CorrectReading(1, 0, names(floor.unseen())[-1], "misread"), DEE


def half_paid(game: str) -> Floor:
    """One seat is settled and the round is still open."""
    floor = shown(game)
    floor.do(cmd.SettleSeat(1), DEE)
    return floor


@violation("correct after a payment", HANDS)
def correct_paid(game: str) -> Broken:
    """A card cannot be corrected after a payment."""
    floor = half_paid(game)
    return floor, cmd.CorrectReading(1, 0, names(floor.unseen())[-1], "misread"), FLO


def unstubbed(game: str) -> Floor:
    """The hands are face up and the stub is not discarded."""
    floor = played(game)
    floor.turn_hands()
    return floor


SIDE = {
    THB: "texas_holdem_bonus",
    TOP: "poker_bonus",
    UTH: "trips",
    JACKPOT: "player_bonus",
    RUN: "ultimate_pairs_bonus",
}


def left_and_paid(game: str) -> Floor:
    """Ann has left, the dealer has decided for her, and her side wager is settled."""
    floor = ready(game)
    floor.bet(1, ANN, **{SIDE[game]: 500})
    floor.close_bets()
    floor.deal()
    floor.do(cmd.RecordWalkAway(1), DEE)
    while (due := floor.table.due().kind) != "settle":
        if due == "decide":
            floor.do(cmd.Decide(1, passive(floor)), DEE)
        else:
            floor.go_on()
    floor.stub()
    floor.turn_hands()
    floor.do(cmd.SettleSeat(1), DEE)
    return floor


RULE = cmd.RuleAbandoned("ann", True, "gone")
illegal("rule on wagers that were paid", PAYS, left_and_paid, RULE, FLO)
illegal("void after a payment", PAYS, half_paid, cmd.FindWrongNumber("seat 1", "seen"), FLO)
illegal("settle a seat twice", DISCARDS, half_paid, cmd.SettleSeat(1))
illegal("settle a seat before the stub", RACK, unstubbed, cmd.SettleSeat(1))
illegal("settle a seat before the showdown", FIRST_HAND, stub_away, cmd.SettleSeat(1))
illegal("settle the wrong seat", TURNS, shown, cmd.SettleSeat(2))
illegal(
    "name cards that were read",
    EXAMINE,
    dealing,
    cmd.ShowStreet(("2c", "2d", "2h", "2s", "3c", "3d")),
)
JAMS = {"TUJ": "13.H", "FR": "A122"}
illegal("a jam while nothing is shuffled", JAMS, betting, cmd.JamShuffler())


@violation("deal a card twice", ONE_DECK)
def twice(game: str) -> Broken:
    """A shoe cannot deal a card twice; staff may know only cards that are face up."""
    floor = no_card_yet(game)
    card = names(floor.unseen())[0]
    floor.do(cmd.DealCards((card,)), DEE)
    return floor, cmd.DealCards((card,)), READER


@violation("deal a card that is face up", {"TUJ": "3.A.1"})
def deal_face_up(game: str) -> Broken:
    """Staff cannot deal a card that everybody sees elsewhere."""
    floor = no_card_yet(game)
    floor.do(cmd.FindCardFaceUp("2c"), DEE)
    return floor, cmd.DealCards(("2c",)), DEE


# Irregularities.

FACE_UP = {"TUJ": "13.B", "FR": "13.A"}
illegal("a card face up in a stub that is away", FACE_UP, stub_away, cmd.FindCardFaceUp("2c"))
SEEN = {EVERY: "A117"}
illegal("expose the card of an empty seat", SEEN, dealing, cmd.ExposePlayerCard(5), FLO)
illegal("a wrong number in the rack", NUMBER, dealing, cmd.FindWrongNumber("rack", "seen"), FLO)
illegal(
    "a wrong number before any card", NUMBER, no_card_yet, cmd.FindWrongNumber("seat 1", "x"), FLO
)
illegal("a wrong number against the record", NUMBER, played, cmd.FindWrongNumber("seat 1"))
illegal("the same without a reason", NUMBER, played, cmd.FindWrongNumber("seat 1", " "), FLO)
illegal("skip after the hands", {"R": "13.G"}, dealing, cmd.SkipPlayer(1))
illegal(
    "skip twice", {"R": "13.G"}, after(no_card_yet, (cmd.SkipPlayer(1), DEE)), cmd.SkipPlayer(1)
)
illegal("a skipped player at the showdown", {"TUJ": "13.E", "F": "13.C"}, played, cmd.SkipPlayer(1))
DRAWN = {"TUJ": "13.D", "FR": "13.B"}
illegal("draw from a stub that is away", DRAWN, stub_away, cmd.DrawInError())
illegal("expose a player's face-up hand", SEEN, shown, cmd.ExposePlayerCard(1), FLO)
illegal("expose a face-up board", {"TUJR": "A117"}, stub_away, cmd.ExposeCommunityCard(), FLO)
JAM = {"T": "A122", "FR": "13.D", "UJ": "13.I"}
illegal("a jam after the stub is away", JAM, stub_away, cmd.JamShoe())
illegal("expose a face-up dealer hand", {"TUJ": "13.F", "F": "A116"}, shown, cmd.ExposeDealerCard())

PAY_ONE = cmd.SettleSeat(1)


def awarded(game: str) -> Floor:
    """A royal flush with all its payout documents and no validation."""
    floor = royal(game)
    documented = floor.table
    while step := next((s for s in documented.next_steps(floor.at) if s.kind in DOCUMENTS), None):
        floor.do(step.filled(), FLO if step.is_for(FLO) else next(iter(step.who)))
    return floor


DOCUMENTS = ("prepare_payout", "witness_payout", "notify_surveillance")

# The progressive system.

illegal("count without chips", COUNT, ready, cmd.CountProgressive(1))
illegal("an impossible number of chips", COUNT, with_progressive, cmd.CountProgressive(101))
illegal("a card face up before the count", COUNT, with_progressive, cmd.FindCardFaceUp("2c"))
illegal("resolve without a difference", COUNT, with_progressive, cmd.ResolveProgressive("why"), FLO)
illegal(
    "settle it without a reason",
    COUNT,
    after(with_progressive, (cmd.CountProgressive(2), DEE)),
    cmd.ResolveProgressive(" "),
    FLO,
)
VERIFIED = after(royal, (cmd.VerifyAward(1, True), DEE))
illegal(
    "verify twice",
    {"U": "11.J.2.a", "J": "11.K.2.a", "R": "A144"},
    VERIFIED,
    cmd.VerifyAward(1, True),
)
illegal(
    "validate what one verified",
    {"U": "11.J.2.c", "J": "11.K.2.c", "R": "A144"},
    after(VERIFIED, (cmd.TakePost(), DOV), (cmd.TakePost(), SAME)),
    cmd.ValidateAward(1),
    SAME,
)

LAW = "COMAR 36.05.03.23"
illegal(
    "pay what was delayed without a document",
    {EVERY: LAW},
    after(lambda game: huge(game, 1000), (PAY_ONE, DEE)),
    PAY_ONE,
)
VALIDATED = {"U": "11.J.2.c", "J": "11.K.2.c", "R": "A144"}
illegal(
    "pay what was delayed without a validation", VALIDATED, after(awarded, (PAY_ONE, DEE)), PAY_ONE
)


@violation("a bet beyond the rack", {"U": "A34"})
def beyond(game: str) -> Broken:
    """Ann has no chips left to raise."""
    floor = table(game).open()
    floor.seat(1, ANN, 2000)
    floor.mix("one")
    floor.shuffle("one")
    floor.load("one")
    floor.bet()
    floor.close_bets()
    floor.deal()
    floor.do(cmd.ShowStreet(), DEE)
    return floor, cmd.Decide(1, "4x"), ANN


# The opening.


def attested(game: str) -> Floor:
    """The table is ready to open except for the deck."""
    floor = table(game, table=COUNTING).staff()
    floor.attest()
    return floor


illegal("open without a deck", {EVERY: "4.A"}, attested, cmd.OpenTable(), FLO)
illegal("open twice", {EVERY: "COMAR 36.05.03.03"}, ready, cmd.OpenTable(), FLO)
illegal("bet for another player", SEATED, betting, cmd.PlaceWagers(1, {"ante": 0}, "bob"), ANN)
