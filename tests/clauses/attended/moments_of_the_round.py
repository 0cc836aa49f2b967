"""Moments of a round: wagers, cards, irregularities, awards, documents; notes and limits."""

from __future__ import annotations

from typing import Any

from croupier.cards import DECK, UNSEEN, names
from croupier.games import COMMUNITY, DEALER, House
from croupier.table import commands as cmd
from croupier.table.core.messages import Command
from croupier.table.parts.round.showdown import to_turn
from tests.attended.floor import ANN, DEE, MAX, MINUTE, Floor
from tests.clauses.attended.moments import (
    COUNTING,
    MIA,
    SHUFFLER,
    STAYING,
    WITH_PROGRESSIVE,
    betting,
    closed,
    dealing,
    moment,
    one_round,
    played,
    ready,
    shown,
    simply,
)
from tests.support import JACKPOT, RUN, THB, TOP, UTH, house, opening, stacked

# The round.


@moment("place_wagers")
def place_wagers(game: str) -> tuple[Floor, Command]:
    """Ann sits there with chips."""
    floor = ready(game)
    return floor, cmd.PlaceWagers(1, opening(floor.house))


simply("no_more_bets", betting, cmd.NoMoreBets())


@moment("deal_cards")
def deal_cards(game: str) -> tuple[Floor, Command]:
    """The betting is closed."""
    floor = betting(game)
    floor.close_bets()
    return floor, cmd.DealCards(("2c",))


simply("show_street", dealing, cmd.ShowStreet())


def asked(game: str) -> Floor:
    """Ann is asked."""
    floor = dealing(game)
    floor.do(cmd.ShowStreet(), DEE)
    return floor


@moment("decide")
def decide(game: str) -> tuple[Floor, Command]:
    """Ann answers without a bet."""
    floor = asked(game)
    return floor, cmd.Decide(1, passive(floor))


@moment("decide absent")
def decide_absent(game: str) -> tuple[Floor, Command]:
    """The dealer answers for Ann, who has left."""
    floor = asked(game)
    floor.do(cmd.RecordWalkAway(1), DEE)
    return floor, cmd.Decide(1, passive(floor))


def passive(floor: Floor) -> str:
    """The answer that makes no bet."""
    words = [option.word for option in floor.table.options()]
    return "check" if "check" in words else "fold"


@moment("read_cards")
def read_cards(game: str) -> tuple[Floor, Command]:
    """Everything was dealt unseen."""
    floor = betting(game)
    floor.close_bets()
    floor.do(cmd.DealCards((UNSEEN,) * floor.table.due().cards), DEE)
    own = tuple(names(DECK))[: floor.house.game.player_cards]
    return floor, cmd.ReadCards(1, own)


@moment("correct_reading")
def correct_reading(game: str) -> tuple[Floor, Command]:
    """A card that nobody has turned was misread."""
    floor = dealing(game)
    last = names(floor.unseen())[-1]
    return floor, cmd.CorrectReading(1, 0, last, "misread")


@moment("turn_hand")
def turn_hand(game: str) -> tuple[Floor, Command]:
    """The dealer's hand is turned first, the player's where there is none."""
    floor = played(game)
    floor.stub()
    assert floor.table.dealing is not None
    return floor, cmd.TurnHand(to_turn(floor.table.dealing)[0])


simply("settle_seat", shown, cmd.SettleSeat(1))


@moment("showdown")
def showdown(game: str) -> tuple[Floor, Command]:
    """Everything is played and the stub is away."""
    floor = played(game)
    floor.stub()
    return floor, cmd.Showdown()


simply("discard_stub", lambda game: played(game), cmd.DiscardStub())


@moment("count_stub")
def count_stub(game: str) -> tuple[Floor, Command]:
    """The last card is dealt."""
    floor = played(game)
    assert floor.table.dealing is not None
    return floor, cmd.CountStub(52 - len(floor.table.dealing.left_deck))


# Irregularities.


@moment("find_card_face_up")
def face_up(game: str) -> tuple[Floor, Command]:
    """A card is about to leave the deck."""
    floor = betting(game)
    floor.close_bets()
    return floor, cmd.FindCardFaceUp("2c")


simply("draw_in_error", dealing, cmd.DrawInError())
simply("forfeit", dealing, cmd.Forfeit(1, "conduct"))
simply("jam_shuffler", lambda game: dealing(game, table=SHUFFLER), cmd.JamShuffler())
simply("jam_shoe", closed, cmd.JamShoe())


@moment("find_wrong_number")
def wrong_number(game: str) -> tuple[Floor, Command]:
    """The dealer is still dealing to Ann."""
    floor = betting(game)
    floor.close_bets()
    assert floor.table.dealing is not None
    while floor.table.dealing.pending.count(1) == floor.house.game.player_cards:
        floor.do(cmd.DealCards((names(floor.unseen())[0],)), DEE)
    return floor, cmd.FindWrongNumber("seat 1")


simply("expose_dealer_card", dealing, cmd.ExposeDealerCard(), games=(THB, TOP, UTH, JACKPOT))


@moment("expose_community_card", (THB, UTH, JACKPOT, RUN))
def community_exposed(game: str) -> tuple[Floor, Command]:
    """Community cards lie face down."""
    floor = dealing(game)
    if game == THB:  # they come when the flop is bet on
        floor.do(cmd.ShowStreet(), DEE)
        floor.decide("2x")
        floor.deal()
    return floor, cmd.ExposeCommunityCard()


simply("expose_player_card", dealing, cmd.ExposePlayerCard(1))


@moment("skip_player")
def skip_player(game: str) -> tuple[Floor, Command]:
    """Nobody has cards yet; where a short hand voids, one card is out."""
    floor = betting(game)
    floor.close_bets()
    if game != RUN:
        floor.do(cmd.DealCards((names(floor.unseen())[0],)), DEE)
    return floor, cmd.SkipPlayer(1)


@moment("find_wrong_count")
def wrong_count(game: str) -> tuple[Floor, Command]:
    """The stub came out short."""
    floor = played(game, table=SHUFFLER)
    floor.stub(found=7)
    return floor, cmd.FindWrongCount(False)


# Progressive and payouts.


def with_progressive(game: str) -> Floor:
    """Ann has a progressive wager and the betting is closed."""
    floor = ready(game)
    assert floor.house.progressive is not None
    floor.bet(progressive=floor.house.progressive.stake)
    floor.do(cmd.NoMoreBets(), DEE)
    return floor


simply("count_progressive", with_progressive, cmd.CountProgressive(1), games=WITH_PROGRESSIVE)


@moment("resolve_progressive", WITH_PROGRESSIVE)
def resolve(game: str) -> tuple[Floor, Command]:
    """Two chips, one accepted wager."""
    floor = with_progressive(game)
    floor.do(cmd.CountProgressive(2), DEE)
    return floor, cmd.ResolveProgressive("one was not acknowledged")


def royal(game: str) -> Floor:
    """Ann shows a royal flush with a progressive wager."""
    rules = house(game, table=COUNTING)
    floor = Floor(rules).ready()
    community = "Qs Js 2d 3c Ts" if game == RUN else "Qs Js Ts 2d 3c"
    floor.deck = stacked(rules, {1: "As Ks", COMMUNITY: community}, (1,))
    floor.bet(progressive=stake_of(rules))
    floor.close_bets()
    floor.play_on(STAYING[game])
    floor.stub()
    floor.do(cmd.Showdown(), DEE)
    return floor


def stake_of(rules: House) -> int:
    """The one progressive stake."""
    assert rules.progressive is not None
    return rules.progressive.stake


simply("verify_award", royal, cmd.VerifyAward(1, True), games=WITH_PROGRESSIVE)


@moment("validate_award", WITH_PROGRESSIVE)
def validate(game: str) -> tuple[Floor, Command]:
    """The dealer has verified it."""
    floor = royal(game)
    floor.do(cmd.VerifyAward(1, True), DEE)
    return floor, cmd.ValidateAward(1)


# A hand that pays five hundred or a thousand to one: own, community and dealer's cards, the wager.
HUGE: dict[str, tuple[str, str, str, str]] = {
    THB: ("As Ac", "2c 7d 9h 4s Jc", "Ah Ad", "texas_holdem_bonus"),
    TOP: ("As Ks Qs Js Ts 2h 3d", "", "", "poker_bonus"),
    UTH: ("As Ks", "Qs Js Ts 2d 3c", "", "blind"),
    JACKPOT: ("As Ks", "Qs Js Ts 2d 3c", "", "xtra_bonus"),
    RUN: ("As Ks", "Qs Js 2d 3c Ts", "", "first_run"),
}
LARGE = {THB: 3000, TOP: 6000, UTH: 6000, JACKPOT: 6000, RUN: 6000}  # $30,000 in winnings
PAYING = {THB: ["2x"], TOP: ["1x"], UTH: ["4x"], JACKPOT: ["3x"], RUN: ["1x", "1x", "1x"]}


def huge(game: str, stake: int) -> Floor:
    """Ann shows a hand whose payout needs a document."""
    rules = house(game, table=COUNTING)
    own, community, dealer, wager = HUGE[game]
    floor = Floor(rules).ready()
    floor.do(cmd.TakePost(), MIA)
    wanted: dict[Any, str] = {1: own, COMMUNITY: community, DEALER: dealer}
    floor.deck = stacked(rules, {place: cards for place, cards in wanted.items() if cards}, (1,))
    more = {wager: stake} if rules.game.wager(wager).role == "optional" else {}  # type: ignore[union-attr]
    wagers = opening(rules, 1000 if more else stake, **more)
    floor.do(cmd.PlaceWagers(1, wagers), ANN)
    floor.close_bets()
    floor.play_on(PAYING[game])
    floor.stub()
    floor.do(cmd.Showdown(), DEE)
    return floor


@moment("prepare_payout")
def prepare_payout(game: str) -> tuple[Floor, Command]:
    """A document is due."""
    return huge(game, 1000), cmd.PreparePayout(1, HUGE[game][3])


def documented(game: str, stake: int) -> Floor:
    """It is made out by a second pit manager."""
    floor = huge(game, stake)
    floor.do(cmd.PreparePayout(1, HUGE[game][3]), MIA)
    return floor


simply("witness_payout", lambda game: documented(game, 1000), cmd.WitnessPayout(1))
simply(
    "notify_surveillance",
    lambda game: documented(game, LARGE[game]),
    cmd.NotifySurveillance(1, True),
)
simply("void_payout", lambda game: documented(game, 1000), cmd.VoidPayout(1, "wrong name"))


simply("settle", shown, cmd.Settle())


# Notes, holds, limits.


simply("note_conduct", ready, cmd.NoteConduct("load", "the dealer", "in the right hand"))
simply("place_hold", one_round, cmd.PlaceHold("a dispute"))


def ante_of(floor: Floor) -> str:
    """The wager that opens a box."""
    return floor.house.game.ante.name


@moment("give_limit_notice")
def give_notice(game: str) -> tuple[Floor, Command]:
    """A lower minimum."""
    floor = ready(game)
    return floor, cmd.GiveLimitNotice(wager=ante_of(floor), minimum=50, maximum=None)


@moment("apply_limits")
def apply_limits(game: str) -> tuple[Floor, Command]:
    """The notice has run."""
    floor = ready(game)
    notice = cmd.GiveLimitNotice(wager=ante_of(floor), minimum=50, maximum=None)
    floor.do(notice, MAX)
    floor.at += 31 * MINUTE
    return floor, cmd.ApplyLimits(ante_of(floor))
