"""Opening a table (chapters 2 to 4): seats, equipment, deck inspection, the first player."""

from __future__ import annotations

import msgspec
import pytest

from croupier.table import Account
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.parts.chips.fills_and_credits import FILLS
from tests.clauses.attended.claims import at, proving
from tests.support.attended_table import ANN, BOB, DEE, DOV, FLO, MAX, SID, Floor
from tests.support.rounds import EVERY_GAME, RUN, TOP, house

ONE_DECK = {"shuffle_method": "counting_shuffler", "decks": 1}
ATTESTED = {
    "T": "2.B 2.B.6 2.B.7.b 2.B.8 8.A",
    "F": "2.B 2.B.4 8.A",
    "U": "2.B 2.B.7 2.B.8.d 2.B.9 8.A",
    "J": "2.B 2.B.7 2.B.8.c 2.B.9 8.A",
    "R": "2.B 2.B.5 8.A",
}
TWO_DECKS = {"shuffle_method": "counting_shuffler", "decks": 2}


@proving(
    T="2.A 2.C.1 2.C.2",
    F="2.A.1 2.A.2 2.C.1 2.C.2",
    UJ="2.A 2.C 2.C.1 2.D.1 2.D.2",
    R="2.A.1 2.A.2 2.B.6 2.B.6.1 2.C.1 2.C.2",
)
def test_a_table_opens_with_its_equipment_and_seats_six(game: str) -> None:
    """A table opens only after its equipment is inspected; a seventh seat is refused."""
    floor = Floor(house(game, table=ONE_DECK)).staff()
    floor.receive()
    floor.inspect("one")
    floor.do(cmd.CountInventory(1000), DEE)
    floor.refused(cmd.OpenTable(), FLO, at(game, TFR="2.C.1", UJ="2.D.1"))
    floor.attest()
    floor.refused(cmd.AttestEquipment(), DEE, at(game, TFR="2.C.1", UJ="2.D.1"))
    floor.do(cmd.OpenTable(), FLO)
    for seat in range(1, 7):
        floor.do(cmd.SitDown(seat), Account(f"player {seat}", "player"))
    floor.refused(cmd.SitDown(7), ANN, "2.A.1" if game in (TOP, RUN) else "2.A")
    floor.refused(cmd.SitDown(6), ANN, at(game, TUJ="2.A", FR="2.A.1"))


@proving(**ATTESTED)
def test_a_floorperson_attests_layout_sign_and_shoe(game: str) -> None:
    """Each statement is missing until a floorperson makes it, and the opening records it."""
    posted: dict[str, str] = {"odds_display": "sign"}
    if game not in (TOP, RUN):
        posted |= {"notices_display": "sign", "payout_limit_notice": "generic_reference"}
    floor = Floor(house(game, "manual_shoe", table=ONE_DECK, **posted)).staff()
    floor.do(cmd.AttestEquipment(), DEE)
    floor.receive()
    floor.inspect("one")
    floor.do(cmd.CountInventory(1000), DEE)
    sign = at(game, T="2.B.6", F="2.B.4", UJ="2.B.7", R="2.B.5")
    statements = ((cmd.AttestLayout(), "2.B"), (cmd.AttestSign(), sign), (cmd.AttestShoe(), "8.A"))
    for command, clause in statements:
        floor.refused(cmd.OpenTable(), FLO, clause, match="is not attested")
        floor.refused(command, DEE, clause)
        offered = [
            step for step in floor.table.next_steps(floor.at) if step.command is type(command)
        ]
        assert ["due"] == [step.due for step in offered]
        (attested,) = floor.do(command, FLO)
        assert clause in attested.clauses
        floor.refused(command, FLO, clause, match="already attested")
    (opened,) = floor.do(cmd.OpenTable(), FLO)
    assert isinstance(opened, ev.TableOpened)
    assert dict.fromkeys(("layout", "sign", "shoe"), FLO) == opened.attested
    assert set(at(game, **ATTESTED).split()) <= set(opened.clauses)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_only_what_a_table_needs_is_attested(game: str) -> None:
    """With everything on the layout and no manual shoe, the layout alone; each opening again."""
    floor = Floor(house(game, table=ONE_DECK)).staff()
    floor.refused(cmd.AttestSign(), FLO, at(game, T="2.B.6", F="2.B.4", UJ="2.B.7", R="2.B.5"))
    floor.refused(cmd.AttestShoe(), FLO, "8.A")
    floor = Floor(house(game, table=ONE_DECK)).open()
    assert {"layout": FLO} == floor.of(ev.TableOpened)[0].attested
    floor.do(cmd.CountInventory(5_000_000), DEE)
    floor.remove_decks()
    floor.do(cmd.CloseTable(), FLO)
    assert {} == floor.table.shift.attested
    floor.reopen(5_000_000)
    assert 2 == len(floor.of(ev.ItemAttested))


@proving(TUJ="3.A.1 3.A.2 3.A.3", FR="3.A 3.A.1 3.A.2")
def test_one_deck_of_alike_cards_with_its_cover_cards(game: str) -> None:
    """A second deck, mismatched cards and a wrong number of cover cards are refused."""
    floor = Floor(house(game, table=ONE_DECK)).staff()
    covers = 1 if game in (TOP, RUN) else 2
    alike, cover = ("3.A.1", "3.A.2") if game in (TOP, RUN) else ("3.A.2", "3.A.3")

    def deck(**kind: object) -> cmd.ReceiveDeck:
        usual = {"deck": "one", "back": "red", "design": "lions", "cover_cards": covers}
        return cmd.ReceiveDeck(**(usual | kind))  # type: ignore[arg-type]

    floor.refused(deck(cover_cards=3 - covers), DEE, cover)
    floor.refused(deck(identical=False), DEE, alike)
    floor.do(deck(), DEE)
    floor.refused(deck(deck="two", back="blue"), DEE, "3.A" if game in (TOP, RUN) else "3.A.1")


@proving(TFUJR="3.B 3.B.1 3.B.2")
def test_two_decks_share_a_design_and_differ_in_colour(game: str) -> None:
    """With a shuffler there may be two decks, but not three."""
    floor = Floor(house(game, table=TWO_DECKS)).staff()
    floor.receive("one", "red")
    covers = 1 if game in (TOP, RUN) else 2
    same_back = cmd.ReceiveDeck(deck="two", back="red", design="lions", cover_cards=covers)
    other_design = cmd.ReceiveDeck(deck="two", back="blue", design="birds", cover_cards=covers)
    floor.refused(same_back, DEE, "3.B.2")
    for back in ("Red", "red ", "\uff32ed"):  # the color, however it is spelled
        spelled = msgspec.structs.replace(same_back, back=back)
        floor.refused(spelled, DEE, "3.B.2")
    floor.refused(
        msgspec.structs.replace(same_back, deck="One "), DEE, floor.house.cite("deck.one")[0]
    )
    floor.refused(other_design, DEE, "3.B.1")
    floor.receive("two", "blue")
    third = cmd.ReceiveDeck(deck="three", back="green", design="lions", cover_cards=covers)
    floor.refused(third, DEE, "3.B")


@proving(TFUJR="4.A 4.B 4.C 4.C.1 4.C.2 4.C.3 4.D")
def test_chapter_four_step_by_step(game: str) -> None:
    """The preparation steps are taken in order, each by the right role."""
    floor = Floor(house(game, table=ONE_DECK)).staff()
    floor.receive()
    floor.attest()
    floor.do(cmd.CountInventory(1_000_000), DEE)
    floor.refused(cmd.PrepareDeck("one", "spread"), DEE, "4.B")
    floor.refused(cmd.PrepareDeck("one", "inspect"), FLO, "4.A")
    floor.do(cmd.PrepareDeck("one", "inspect"), DEE)
    floor.refused(cmd.PrepareDeck("one", "verify"), DEE, "4.A")
    floor.do(cmd.LeavePost(), DEE)
    floor.do(cmd.TakePost(), DOV)
    same_person = Account("dee", "floorperson")
    floor.do(cmd.TakePost(), same_person)
    floor.refused(cmd.PrepareDeck("one", "verify"), same_person, "4.A")
    floor.do(cmd.PrepareDeck("one", "verify"), FLO)
    floor.refused(cmd.OpenTable(), FLO, "4.B")
    floor.do(cmd.PrepareDeck("one", "spread"), DOV)
    floor.do(cmd.OpenTable(), FLO)
    floor.refused(cmd.PrepareDeck("one", "offer"), DOV, "4.C")
    floor.do(cmd.SitDown(2), ANN)
    floor.refused(cmd.PrepareDeck("one", "turn"), DOV, "4.C.1")
    for step, clause in (
        ("offer", "4.C"),
        ("turn", "4.C.1"),
        ("wash", "4.C.2"),
        ("stack", "4.C.3"),
    ):
        command = cmd.PrepareDeck("one", step)  # type: ignore[arg-type]
        (done,) = floor.do(command, DOV)
        assert clause in done.clauses
        floor.refused(command, DOV, clause)
    (shuffled,) = floor.do(cmd.Shuffle("one", "machine", 52), DOV)
    assert "4.D" in shuffled.clauses


@proving(TFUJR="4.E 3.B.3")
def test_each_of_two_decks_goes_through_the_opening(game: str) -> None:
    """The second deck is spread, mixed and shuffled like the first before a round begins."""
    floor = Floor(house(game, table=TWO_DECKS)).open()
    floor.seat()
    floor.mix("one")
    floor.shuffle("one")
    floor.load("one")
    floor.bet()
    floor.refused(cmd.NoMoreBets(), DEE, "3.B.3")
    floor.mix("two")
    floor.refused(cmd.NoMoreBets(), DEE, "3.B.3")
    floor.shuffle("two")
    floor.do(cmd.NoMoreBets(), DEE)
    prepared = [event for event in floor.of(ev.DeckPrepared) if event.deck == "two"]
    assert all("4.E" in event.clauses for event in prepared) and len(prepared) == 7


@proving(TFUJR="4.F")
def test_a_deck_delivered_ready_skips_chapter_four(game: str) -> None:
    """A preinspected and preshuffled deck, with who prepared it, needs only the cut (5.D.2)."""
    rules = house(game, "manual_shoe", table=ONE_DECK, manual_shoe_location="left")
    floor = Floor(rules).staff()
    floor.receive("one", prepared_by=" card room 4 ")
    (received,) = floor.of(ev.DeckReceived)
    assert "card room 4" == received.prepared_by and "4.F" in received.clauses
    floor.attest()
    floor.do(cmd.CountInventory(1_000_000), DEE)
    floor.do(cmd.OpenTable(), FLO)
    floor.refused(cmd.PrepareDeck("one", "inspect"), DEE, "4.A")
    floor.refused(cmd.LoadDeck("one"), DEE, at(game, TUJ="5.D.2", FR="5.C.2"))
    floor.do(cmd.CutDeck("one", 26), DEE)
    floor.do(cmd.LoadDeck("one"), DEE)
    floor.seat()
    floor.round()


def test_two_people_agree_on_the_opening_count() -> None:
    """The person who counts does not open, confirm fills and credits, or close."""
    floor = Floor(house(TOP, table=ONE_DECK)).open(inventory=700_000)
    assert 700_000 == floor.table.book.tray
    floor.fill("F1", 5_000)
    floor.refused(cmd.RequestFill("F1", 5_000), FLO, FILLS)
    floor.request_credit("C1", 100_000)
    floor.do(cmd.SignSlip("C1"), SID)
    floor.do(cmd.ConfirmCredit("C1"), MAX)
    assert 605_000 == floor.table.book.tray
    floor.do(cmd.CountInventory(604_900), DEE)
    floor.remove_decks()
    (closed,) = floor.do(cmd.CloseTable("a chip of a dollar is missing"), FLO)
    assert isinstance(closed, ev.TableClosed)
    assert (604_900, 605_000) == (closed.inventory, closed.expected)
    floor.refused(cmd.SitDown(1), BOB, "4.B")


@pytest.mark.parametrize("by", [ANN, FLO, MAX, DOV])
def test_only_the_dealer_of_the_table_deals(by: Account) -> None:
    """Another role, and a dealer not assigned to this table, are refused."""
    floor = Floor(house(TOP, table=ONE_DECK)).ready()
    floor.bet()
    floor.refused(cmd.NoMoreBets(), by, "10.A.2")
    floor.do(cmd.TakePost(), DOV)
    floor.refused(cmd.NoMoreBets(), DEE, "10.A.2")
    floor.do(cmd.NoMoreBets(), DOV)
