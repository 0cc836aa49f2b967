"""Accounts and authority: freed seats, accepted wagers, disputes, holds, witnesses."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import names
from croupier.errors import BadInput
from croupier.games import COMMUNITY
from croupier.table import Account, Command, Envelope, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.parts.conduct import HOLD
from croupier.table.parts.disputes import DISPUTES
from croupier.table.parts.house_binding import BALANCE
from croupier.table.parts.limit_changes import ACCEPTED
from croupier.table.parts.payouts import LAW as PAYOUTS
from tests.clauses.attended.claims import proving
from tests.clauses.attended.fixtures.moments import WITH_PROGRESSIVE
from tests.support.attended_table import (
    ANN,
    BOB,
    CAL,
    DEE,
    DOV,
    EYE,
    FLO,
    HOUR,
    MAX,
    SID,
    Floor,
    replayed,
)
from tests.support.rounds import EVERY_GAME, TOP, UTH, house, opening_wagers, stacked_deck

ONE = {"shuffle_method": "counting_shuffler", "decks": 1}


# One account per person, in any spelling.


@pytest.mark.upholds("COMAR 36.05.02.16J")
@pytest.mark.parametrize("spelled", ["DEE", "dee ", " Dee", "d\uff25e", "dee\u00a0"])
def test_two_signatures_are_two_accounts_and_not_two_spellings(spelled: str) -> None:
    """An account id that is not normalized is refused; normalized it is the same person."""
    floor = Floor(house(TOP, table=ONE)).ready()
    floor.do(cmd.PullDeck("one", "marked"), DEE)
    floor.do(cmd.LeavePost(), DEE)
    with pytest.raises(BadInput):
        floor.do(cmd.TakePost(), Account(spelled, "floorperson"))
    same = Account.named(spelled, "floorperson")
    floor.do(cmd.TakePost(), same)
    floor.refused(cmd.SignRemoval("one"), same, "COMAR 36.05.02.16J")
    floor.do(cmd.SignRemoval("one"), FLO)


def test_a_second_person_is_an_account_too() -> None:
    """The rule also holds for accounts inside a command."""
    floor = Floor(house(TOP, table=ONE)).ready()
    for spelled in ("Max", "max ", "jose\u0301"):
        with pytest.raises(BadInput):
            floor.do(corrected_with(Account(spelled, "cage")), MAX)
    floor.refused(corrected_with(Account.named("MAX ", "cage")), MAX, BALANCE)
    floor.do(corrected_with(Account.named("Jose\u0301", "cage")), MAX)


def corrected_with(second: Account) -> Command:
    """A correction of one dollar, agreed by a second person."""
    return cmd.Correct(source="tray", target="cage", amount=100, reason="miscounted", second=second)


@given(st.text(min_size=1))
def test_a_name_has_one_form(name: str) -> None:
    """Normalization is idempotent and ignores case and Unicode decomposition."""
    form = Account.named(name, "player").id
    assert form == Account.named(form, "player").id
    for variant in ("NFC", "NFD"):
        assert form == Account.named(unicodedata.normalize(variant, name), "player").id


# Seats.


@proving(TUJ="7.C.1 7.C.2 7.C", FR="7.B.1 7.B.2 7.B.3")
def test_a_seat_is_freed_when_its_player_is_gone(game: str) -> None:
    """The floor frees a seat with a reason; chips and wagers are held for the player."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.seat(3, BOB)
    floor.bet()
    floor.refused(cmd.FreeSeat(1, "gone"), DEE, floor.house.cite("forfeit.abandoned")[0])
    floor.refused(cmd.FreeSeat(1, " "), FLO, floor.house.cite("seated")[0])
    floor.refused(cmd.FreeSeat(2, "gone"), FLO, floor.house.cite("seated")[0])
    *_, held = floor.do(cmd.FreeSeat(1, "did not come back"), FLO)
    assert isinstance(held, ev.UnclaimedHeld) and 1_000_000 == held.amount
    assert {3: "bob"} == floor.table.seats.taken and not floor.table.layout
    assert {"ann": 1_000_000} == floor.table.book.held()
    assert replayed(floor.house, floor.events) == floor.table
    floor.bet(3, BOB)
    floor.close_bets()
    floor.refused(cmd.FreeSeat(3, "gone"), FLO, floor.house.cite("stay")[0])
    floor.do(cmd.PayUnclaimed("ann"), MAX)
    assert not floor.table.book.held()


def test_a_freed_seat_gives_back_every_box() -> None:
    """Freeing a seat before "no more bets" withdraws the wagers of both boxes."""
    floor = Floor(house(TOP, table=ONE | {"max_adjacent_boxes": 2})).ready()
    floor.bet(1)
    floor.bet(2)
    floor.do(cmd.FreeSeat(1, "did not come back"), FLO)
    assert floor.table.open_round is not None and not floor.table.open_round.boxes
    assert {"ann": 1_000_000} == floor.table.book.held()
    floor.seat(2, BOB)


# Wagers outside the limits (R4).


@pytest.mark.upholds("COMAR 36.05.03.14C")
@pytest.mark.parametrize(("stake", "words"), [(600_000, ["1x"]), (50, ["1x"])])
def test_an_accepted_wager_outside_the_limits_is_paid_in_full(stake: int, words: list[str]) -> None:
    """A floorperson may accept a wager outside the limits; it is settled like any other."""
    rules = house(TOP, table=ONE)  # $1 to $5,000
    floor = Floor(rules).ready()
    floor.do(cmd.AddChips(1, 2_000_000), DEE)
    floor.deck = [card for pair in zip(range(51, 25, -1), range(26)) for card in pair]
    floor.refused(cmd.PlaceWagers(1, {"ante": stake}), ANN, rules.cite("limits")[0])
    accept = cmd.AcceptWager(1, {"ante": stake}, "seen when the cards were out of the shoe")
    floor.refused(accept, DEE, ACCEPTED)
    floor.refused(cmd.AcceptWager(1, {"ante": stake}, ""), FLO, ACCEPTED)
    floor.refused(cmd.AcceptWager(1, {"ante": 1000}, "why"), FLO, ACCEPTED)  # within the limits
    floor.refused(cmd.AcceptWager(1, {"ante": 10**8}, "why"), FLO, "A34")
    before = floor.rack("ann")
    accepted = next(e for e in floor.do(accept, FLO) if isinstance(e, ev.WagerAccepted))
    assert {"ante": stake} == accepted.outside
    floor.refused(cmd.PlaceWagers(1, {"ante": 1000}), ANN, ACCEPTED)  # it can only be withdrawn
    floor.close_bets()
    floor.play_until_settlement(words)
    floor.stub()
    floor.settle()
    returned = {e.wager: e.returned for e in floor.of(ev.WagerSettled)}
    assert 2 * stake == returned["ante"] == returned["play"]
    assert before + 2 * stake == floor.rack("ann")
    assert not floor.table.limits.accepted
    assert replayed(rules, floor.events) == floor.table


@pytest.mark.upholds("COMAR 36.05.03.14C")
def test_what_was_accepted_may_be_taken_back_as_a_whole() -> None:
    """An accepted wager may be withdrawn; the box is then under the table limits again."""
    floor = Floor(house(UTH, table=ONE)).ready()
    outside = {"ante": 50, "blind": 50}
    floor.refused(cmd.AcceptWager(1, {**outside, "progressive": 100}, "seen late"), FLO, ACCEPTED)
    floor.do(cmd.AcceptWager(1, outside, "seen late"), FLO)
    (step,) = [s for s in floor.table.next_steps(floor.at) if s.kind == "place_wagers"]
    assert step.fields["wagers"].withdraws  # type: ignore[attr-defined]
    floor.do(step.filled(), ANN)
    floor.refused(cmd.PlaceWagers(1, outside), ANN, "A69")
    floor.bet()
    floor.close_bets()
    floor.refused(cmd.AcceptWager(1, outside, "too late"), FLO, floor.house.cite("late")[0])


@pytest.mark.upholds("COMAR 36.05.03.14C")
def test_what_is_not_staked_is_not_outside_the_limits() -> None:
    """A withdrawn wager cannot be accepted and is not listed in the form."""
    floor = Floor(house(TOP, table=ONE)).ready()
    floor.bet()
    nothing = cmd.AcceptWager(1, {"poker_bonus": 0}, "seen late")
    floor.refused(nothing, FLO, ACCEPTED)
    (step,) = [s for s in floor.table.next_steps(floor.at) if s.kind == "accept_wager"]
    assert not step.admits(nothing, FLO)
    assert step.admits(cmd.AcceptWager(1, {"poker_bonus": 50}, "seen late"), FLO)


# Disputes and holds.


@pytest.mark.upholds("COMAR 36.03.10.47B")
def test_a_dispute_is_decided_in_three_days() -> None:
    """A dispute holds its round and is decided by another person, with a reason."""
    floor = Floor(house(TOP, table=ONE)).ready()
    floor.refused(cmd.OpenDispute(1, "nothing was played"), ANN, DISPUTES)
    for _ in range(2):
        floor.round()
        floor.again()
    floor.refused(cmd.OpenDispute(3, "not yet"), ANN, DISPUTES)
    floor.refused(cmd.OpenDispute(1, " "), ANN, DISPUTES)
    floor.refused(cmd.OpenDispute(1, "wrong"), EYE, DISPUTES)
    opened, held = floor.do(cmd.OpenDispute(1, "my flush was not paid"), ANN)
    assert isinstance(opened, ev.DisputeOpened) and isinstance(held, ev.HoldPlaced)
    assert (1, 1) == (opened.round, held.round)
    assert floor.at + 72 * HOUR == opened.until
    steps = [s for s in floor.table.next_steps(floor.at) if s.kind == "decide_dispute"]
    assert [("due", (FLO, MAX))] == [(step.due, step.who) for step in steps]
    floor.refused(cmd.DecideDispute(1, "no", "seen"), DEE, DISPUTES)
    floor.do(cmd.LeavePost(), DEE)
    floor.do(cmd.TakePost(), DOV)
    floor.refused(cmd.DecideDispute(1, "no", "seen"), DOV, DISPUTES)  # who dealt no round
    floor.refused(cmd.DecideDispute(1, "no", ""), FLO, DISPUTES)
    floor.refused(cmd.DecideDispute(2, "no", "seen"), FLO, DISPUTES)
    (decided,) = floor.do(cmd.DecideDispute(1, "the hand was a pair", "looked at the video"), FLO)
    assert isinstance(decided, ev.DisputeDecided)
    floor.refused(cmd.ForwardDispute(1, "late"), FLO, DISPUTES)


@pytest.mark.upholds("COMAR 36.03.10.47B")
def test_what_the_floor_opened_somebody_else_decides() -> None:
    """The second person must be another person."""
    floor = Floor(house(TOP, table=ONE)).ready()
    floor.round()
    floor.do(cmd.OpenDispute(1, "Ann says that her flush was not paid"), FLO)
    floor.refused(cmd.DecideDispute(1, "paid", "seen"), FLO, DISPUTES)
    floor.do(cmd.DecideDispute(1, "paid", "seen"), MAX)


@pytest.mark.upholds("COMAR 36.03.10.47B")
def test_an_old_dispute_goes_to_the_commission() -> None:
    """After its deadline a dispute can only be forwarded."""
    floor = Floor(house(TOP, table=ONE)).ready()
    floor.round()
    floor.do(cmd.OpenDispute(1, "my flush was not paid"), ANN)
    floor.do(cmd.Leave(1), ANN)
    (dispute,) = floor.table.disputes.waiting.values()
    for _ in range(4):
        floor.at += 20 * HOUR
        floor.do(cmd.NoteConduct("stay", "seat 1", "nobody here"), FLO)
    urgency = {s.kind: s.due for s in floor.table.next_steps(floor.at) if "dispute" in s.kind}
    assert "overdue" == urgency["forward_dispute"] and "decide_dispute" not in urgency
    floor.refused(cmd.DecideDispute(1, "no", "seen"), FLO, DISPUTES)
    ahead = floor.table.next_deadline(dispute.until - 1)
    assert ahead is None or ahead.at > floor.at  # the deadline has passed
    floor.refused(cmd.ForwardDispute(1, ""), FLO, DISPUTES)
    floor.do(cmd.ForwardDispute(1, "not resolved in three days"), FLO)
    assert not floor.table.disputes.waiting


def test_the_end_of_a_dispute_is_a_deadline() -> None:
    """The dispute deadline is the next deadline of the table."""
    floor = Floor(house(TOP, table=ONE, idle_minutes=0)).ready()
    floor.round()
    floor.do(cmd.OpenDispute(1, "my flush was not paid"), ANN)
    until = floor.table.disputes.waiting[1].until
    deadline = floor.table.next_deadline(until - 1)
    assert deadline is not None and (until, DISPUTES) == (deadline.at, deadline.clause)


@pytest.mark.upholds("COMAR 36.03.11.04C")
def test_a_hold_on_any_round() -> None:
    """Surveillance may hold a played round, by default the last one."""
    floor = Floor(house(TOP, table=ONE)).ready()
    floor.refused(cmd.PlaceHold("early"), EYE, HOLD)
    for _ in range(3):
        floor.round()
        floor.again()
    held = [floor.do(cmd.PlaceHold("look again", number), EYE)[0] for number in (1, 2, 0)]
    assert [1, 2, 3] == [event.round for event in held if isinstance(event, ev.HoldPlaced)]
    for number in (4, -1):
        floor.refused(cmd.PlaceHold("look again", number), EYE, HOLD)
    floor.refused(cmd.PlaceHold("look again", 1), MAX, HOLD)


# Witnesses.


def royal(ante: int) -> Floor:
    """Ann has a royal flush and is about to be paid 500 to 1 on her Blind."""
    rules = house(UTH, table=ONE)
    floor = Floor(rules).ready()
    floor.do(cmd.AddChips(1, 10_000_000), DEE)
    floor.deck = stacked_deck(rules, {1: "As Ks", COMMUNITY: "Qs Js Ts 2d 3c"}, (1,))
    floor.bet(ante=ante)
    floor.close_bets()
    floor.play_until_settlement(["4x"])
    floor.stub()
    floor.turn_hands()
    return floor


@pytest.mark.upholds("COMAR 36.05.03.23")
def test_security_witnesses_payouts_below_fifty_thousand() -> None:
    """A security officer may witness a payout document; its preparer may not."""
    floor = royal(1_000)  # $5,000
    floor.do(cmd.PreparePayout(1, "blind"), FLO)
    (step,) = [s for s in floor.table.next_steps(floor.at) if s.kind == "witness_payout"]
    assert ((MAX,), ("security",)) == (step.who, step.open_to)
    floor.refused(cmd.WitnessPayout(1), Account("flo", "security"), PAYOUTS)
    floor.refused(cmd.WitnessPayout(1), CAL, PAYOUTS)
    floor.refused(cmd.WitnessPayout(1), DEE, PAYOUTS)
    floor.do(cmd.WitnessPayout(1), SID)
    floor.settle()


@pytest.mark.upholds("COMAR 36.05.03.23")
def test_security_does_not_witness_the_highest_tier() -> None:
    """$50,000 needs a pit manager."""
    floor = royal(10_000)
    floor.do(cmd.PreparePayout(1, "blind"), FLO)
    floor.refused(cmd.WitnessPayout(1), SID, PAYOUTS)
    (step,) = [s for s in floor.table.next_steps(floor.at) if s.kind == "witness_payout"]
    assert ((MAX,), ()) == (step.who, step.open_to)
    floor.do(cmd.WitnessPayout(1), MAX)


@pytest.mark.upholds("COMAR 36.05.03.23")
def test_who_dealt_does_not_witness_the_payout() -> None:
    """A dealer of the round is no witness, in any role."""
    floor = royal(1_000)
    floor.do(cmd.PreparePayout(1, "blind"), FLO)
    dee = Account("dee", "security")
    floor.refused(cmd.WitnessPayout(1), dee, PAYOUTS, "dee dealt in this round")
    (step,) = [s for s in floor.table.next_steps(floor.at) if s.kind == "witness_payout"]
    assert step.is_for(SID) and not step.is_for(dee)
    floor.do(cmd.TakePost(), DOV)
    floor.do(cmd.TakePost(), Account("dee", "floorperson"))
    floor.refused(cmd.WitnessPayout(1), Account("dee", "floorperson"), PAYOUTS)
    for supervisor in (FLO, MAX):
        floor.do(cmd.LeavePost(), supervisor)
    due = [s for s in floor.table.next_steps(floor.at) if s.kind == "take_post" and s.due == "due"]
    assert {"floorperson"} <= {role for step in due for role in step.open_to}
    floor.do(cmd.WitnessPayout(1), SID)


# Two people.


def test_another_hat_does_not_make_another_person() -> None:
    """Every two-person rule compares account ids."""
    floor = Floor(house(TOP, table=ONE)).ready()
    floor.do(cmd.Leave(1), ANN)
    floor.do(cmd.CountInventory(floor.table.book.tray), DEE)
    floor.remove_decks()
    floor.do(cmd.TakePost(), Account("dov", "dealer"))
    floor.do(cmd.TakePost(), Account("dee", "floorperson"))
    floor.refused(cmd.CloseTable(), Account("dee", "floorperson"), "COMAR 36.05.03.08")
    floor.refused(cmd.ChangeShift(), Account("dee", "floorperson"), "COMAR 36.05.03.10B")
    floor.do(cmd.CloseTable(), FLO)
    assert not floor.table.shift.open


# Staffing.


@pytest.mark.upholds("COMAR 36.05.03.01B")
@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_dealer_leaves_a_round_only_to_a_relief(game: str) -> None:
    """From the first wager to the settlement the dealer stays until another takes over."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.do(cmd.LeavePost(), DEE)
    floor.do(cmd.TakePost(), DEE)
    floor.bet()
    floor.refused(cmd.LeavePost(), DEE, "COMAR 36.05.03.01B", "wagers are on the layout")
    floor.do(cmd.TakePost(), DOV)  # a relief
    floor.do(cmd.TakePost(), DEE)
    floor.close_bets()
    floor.refused(cmd.LeavePost(), DEE, "COMAR 36.05.03.01B")
    floor.deal()
    floor.refused(cmd.LeavePost(), DEE, "COMAR 36.05.03.01B")
    floor.do(cmd.TakePost(), DOV)
    assert "dov" == floor.table.posts.dealer and "dee" not in floor.table.posts.here


@pytest.mark.upholds("COMAR 36.05.03.01C")
@pytest.mark.parametrize("game", EVERY_GAME)
def test_no_round_is_dealt_without_a_supervisor(game: str) -> None:
    """A floorperson or above is there when it begins, and from the first wager until it ends."""
    floor = Floor(house(game, table=ONE)).ready()
    for supervisor in (FLO, MAX):
        floor.do(cmd.LeavePost(), supervisor)
    floor.bet()
    floor.refused(cmd.NoMoreBets(), DEE, "COMAR 36.05.03.01C")
    floor.do(cmd.TakePost(), FLO)
    floor.refused(cmd.LeavePost(), FLO, "COMAR 36.05.03.01C", "wagers are on the layout")
    floor.close_bets()
    floor.refused(cmd.LeavePost(), FLO, "COMAR 36.05.03.01C")
    floor.do(cmd.TakePost(), MAX)
    floor.do(cmd.LeavePost(), FLO)
    floor.refused(cmd.LeavePost(), MAX, "COMAR 36.05.03.01C")


@pytest.mark.upholds("COMAR 36.05.02.16J")
@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("decks", [1, 2])
def test_no_deck_leaves_a_closing_table_without_a_label(game: str, decks: int) -> None:
    """Every deck is pulled by the dealer and signed for by a floorperson first."""
    floor = Floor(house(game, table=ONE | {"decks": decks})).ready()
    floor.do(cmd.Leave(1), ANN)
    floor.do(cmd.CountInventory(floor.table.book.tray), DEE)
    for name in ("one", "two")[:decks]:
        floor.refused(cmd.CloseTable(), FLO, "COMAR 36.05.02.16J", name)
        floor.do(cmd.PullDeck(name, "the table closes"), DEE)
        floor.refused(cmd.CloseTable(), FLO, "COMAR 36.05.02.16J", name)
        floor.do(cmd.SignRemoval(name), FLO)
    floor.do(cmd.CloseTable(), FLO)
    assert decks == len(floor.of(ev.DeckRemoved)) and not floor.table.decks.here


# One person in two parts.


@pytest.mark.upholds("COMAR 36.03.10.10E")
@pytest.mark.parametrize("game", EVERY_GAME)
def test_who_holds_money_does_not_pay_it_out(game: str) -> None:
    """A floorperson who freed a seat needs another one to pay the chips to their owner."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.do(cmd.FreeSeat(1, "did not come back"), FLO)
    floor.refused(cmd.PayUnclaimed("ann"), FLO, "COMAR 36.03.10.10E")
    (step,) = [s for s in floor.table.next_steps(floor.at) if s.kind == "pay_unclaimed"]
    assert (MAX,) == step.who
    floor.do(cmd.PayUnclaimed("ann"), MAX)
    assert not floor.table.chips.held_by
    assert replayed(floor.house, floor.events) == floor.table


@pytest.mark.upholds("COMAR 36.03.10.47B")
@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("relief", ["none", "before", "during", "after"])
def test_who_dealt_a_round_does_not_decide_about_it(game: str, relief: str) -> None:
    """In no role, whether the person dealt all of it or a part."""
    floor = Floor(house(game, table=ONE)).ready()
    if relief == "before":
        floor.do(cmd.TakePost(), DOV)
        floor.do(cmd.TakePost(), DEE)
    floor.bet()
    floor.close_bets()
    floor.deal()
    if relief == "during":
        floor.do(cmd.TakePost(), DOV)
        floor.do(cmd.TakePost(), DEE)
    floor.play_until_settlement()
    floor.stub()
    floor.settle()
    floor.do(cmd.OpenDispute(1, "my flush was not paid"), ANN)
    floor.do(cmd.TakePost(), DOV)
    people = {name: Account(name, "floorperson") for name in ("dee", "dov")}
    floor.do(cmd.TakePost(), people["dee"])
    decide = cmd.DecideDispute(1, "paid", "seen")
    floor.refused(decide, people["dee"], DISPUTES, "dee dealt round 1")
    assert replayed(floor.house, floor.events) == floor.table
    snapshot = Table.from_snapshot(floor.table.to_snapshot(), floor.table.find_house)
    assert snapshot.posts == floor.table.posts
    floor.do(cmd.TakePost(), Account("pam", "dealer"))
    floor.do(cmd.TakePost(), people["dov"])
    if relief == "during":
        floor.refused(decide, people["dov"], DISPUTES, "dov dealt round 1")
        floor.do(decide, MAX)
    else:
        floor.do(decide, people["dov"])


@pytest.mark.upholds("COMAR 36.03.10.47B")
@pytest.mark.parametrize("game", EVERY_GAME)
def test_only_who_was_at_the_table_disputes(game: str) -> None:
    """A player who sits here or did in the last three days; staff open other disputes."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.round()
    text = "that was not right"
    floor.refused(cmd.OpenDispute(1, text), BOB, DISPUTES, "was not at this table")
    (step,) = [
        s for s in floor.table.next_steps(floor.at) if s.kind == "open_dispute" and ANN in s.who
    ]
    assert not step.is_for(BOB)
    floor.do(cmd.Leave(1), ANN)
    floor.do(cmd.OpenDispute(1, text), ANN)
    floor.wait(73)
    floor.refused(cmd.OpenDispute(1, text), ANN, DISPUTES, "was not at this table")
    floor.do(cmd.OpenDispute(1, text), FLO)


@pytest.mark.upholds("COMAR 36.03.10.47B")
@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_player_has_one_open_dispute_about_a_round(game: str) -> None:
    """Another one follows the decision; other rounds, players and staff are not concerned."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.seat(2, BOB)
    for _ in range(3):
        floor.round()
        floor.again()
    floor.do(cmd.OpenDispute(2, "my flush was not paid"), ANN)
    again = cmd.OpenDispute(2, "not paid, I say")
    floor.refused(again, ANN, DISPUTES, "ann already disputes round 2")
    steps = [step for step in floor.table.next_steps(floor.at) if step.kind == "open_dispute"]
    assert [False, True, True] == [
        any(step.is_for(person) and step.fields["round"].admits(2) for step in steps)
        for person in (ANN, BOB, FLO)
    ]
    mine = [step.fields["round"] for step in steps if ANN in step.who]
    assert [[1], [3]] == [[n for n in range(5) if rounds.admits(n)] for rounds in mine]
    floor.do(again, BOB)
    floor.do(again, FLO)
    floor.do(cmd.OpenDispute(1, "not this one either"), ANN)
    floor.do(cmd.DecideDispute(1, "not a flush", "seen"), MAX)
    floor.do(again, ANN)
    assert replayed(floor.house, floor.events) == floor.table


@pytest.mark.upholds("COMAR 36.03.10.10E")
@pytest.mark.parametrize("game", EVERY_GAME)
def test_nobody_pays_out_the_own_money(game: str) -> None:
    """Also not somebody who later serves the table."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.do(cmd.FreeSeat(1, "did not come back"), FLO)
    ann = Account("ann", "pit_manager")
    floor.do(cmd.TakePost(), ann)
    floor.refused(cmd.PayUnclaimed("ann"), ann, "COMAR 36.03.10.10E")
    (step,) = [s for s in floor.table.next_steps(floor.at) if s.kind == "pay_unclaimed"]
    assert (MAX,) == step.who


@pytest.mark.upholds("COMAR 36.03.10.47B")
@pytest.mark.parametrize("game", EVERY_GAME)
def test_who_played_does_not_decide_a_dispute(game: str) -> None:
    """A player of the last three days who serves the table now, whoever opened the dispute."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.round()
    floor.do(cmd.Leave(1), ANN)
    ann = Account("ann", "floorperson")
    floor.do(cmd.TakePost(), ann)
    floor.do(cmd.OpenDispute(1, "Bob says that the flush was not paid"), DEE)
    floor.refused(cmd.DecideDispute(1, "paid", "seen"), ann, DISPUTES, "played at this table")
    (step,) = [s for s in floor.table.next_steps(floor.at) if s.kind == "decide_dispute"]
    assert (FLO, MAX) == step.who
    floor.wait(73)
    floor.do(cmd.OpenDispute(1, "Bob says so again"), DEE)
    floor.do(cmd.DecideDispute(2, "paid", "seen"), ann)


@pytest.mark.upholds("COMAR 36.03.10.47B")
@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_dispute_about_a_forgotten_dealer_is_forwarded(game: str) -> None:
    """Who dealt is remembered for fourteen days; then nobody can show that he did not."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.round()
    floor.table.posts.dealt[-1].at -= 15 * 24 * HOUR
    floor.again()
    floor.do(cmd.TakePost(), DOV)
    dee = Account("dee", "floorperson")
    floor.do(cmd.TakePost(), dee)
    floor.do(cmd.OpenDispute(1, "my flush was not paid"), ANN)
    floor.refused(cmd.DecideDispute(1, "no", "seen"), dee, DISPUTES, "dee dealt round 1")
    floor.bet()
    floor.do(cmd.NoMoreBets(), DOV)
    for person in (dee, FLO):
        floor.refused(cmd.DecideDispute(1, "no", "seen"), person, DISPUTES, "not remembered")
    floor.do(cmd.ForwardDispute(1, "who dealt is not known any more"), FLO)


def relieved(game: str, **wagers: int) -> tuple[Floor, Account]:
    """Dee dealt a part of the round and serves the table as a floorperson now."""
    floor = Floor(house(game, table=ONE)).ready()
    stakes = opening_wagers(floor.house) | wagers
    floor.do(cmd.PlaceWagers(1, stakes), ANN)
    floor.do(cmd.NoMoreBets(), DEE)
    return floor, Account("dee", "floorperson")


@pytest.mark.upholds("COMAR 36.03.10.10E")
@pytest.mark.parametrize("game", EVERY_GAME)
def test_who_dealt_does_not_decide_about_the_round(game: str) -> None:
    """Not against the record, not about a card face up, and not about a player who left."""
    law = "COMAR 36.03.10.10E"
    floor, dee = relieved(game)
    while not floor.table.in_progress().hands_complete:
        floor.deal()
    floor.do(cmd.RecordWalkAway(1), DEE)
    (card, *_) = names(floor.unseen())
    while (due := floor.table.due().kind) == "deal":
        floor.deal()
    if due == "show" and game != TOP:
        floor.do(cmd.ShowStreet(), DEE)
    floor.do(cmd.TakePost(), DOV)
    floor.do(cmd.TakePost(), dee)
    wrong = cmd.FindWrongNumber("seat 1", "counted again")
    floor.refused(wrong, dee, law)
    floor.refused(cmd.RuleAbandoned("ann", True, "left"), dee, law)
    conduct = cmd.ForfeitForConduct("ann", "share", "disclosed the hand")
    if floor.house.cite("forfeit.conduct", optional=True):
        floor.refused(conduct, dee, law)
        floor.table.decide(Envelope("flo", FLO, floor.at + 1000, conduct))
    current = floor.table.in_progress()
    if any(face in current.exposed for face in current.community):
        position = next(i for i, face in enumerate(current.community) if face in current.exposed)
        card = names(floor.unseen())[-1]
        command = cmd.CorrectReading(COMMUNITY, position, card, "smeared")
        floor.refused(command, dee, law)
        floor.table.decide(Envelope("flo", FLO, floor.at + 1000, command))
    for step in floor.table.next_steps(floor.at):
        if step.kind in ("find_wrong_number", "rule_abandoned"):
            assert dee not in step.who and FLO in step.who
    floor.do(wrong, FLO)


@pytest.mark.upholds("COMAR 36.03.10.10E")
@pytest.mark.parametrize("game", WITH_PROGRESSIVE)
def test_who_counted_the_chips_does_not_resolve_the_difference(game: str) -> None:
    """The floorperson is another person than the dealer (A50)."""
    floor, dee = relieved(game, progressive=100)
    floor.do(cmd.CountProgressive(0), DEE)
    floor.do(cmd.TakePost(), DOV)
    floor.do(cmd.TakePost(), dee)
    floor.refused(cmd.ResolveProgressive("recounted"), dee, "COMAR 36.03.10.10E")
    (step,) = [s for s in floor.table.next_steps(floor.at) if s.kind == "resolve_progressive"]
    assert (FLO, MAX) == step.who
    floor.do(cmd.ResolveProgressive("recounted"), FLO)
