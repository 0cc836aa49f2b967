"""Titles of commands and events for screens and schemas, and titles of steps with their objects."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from croupier.table.core.messages import Command, Event, kind_of

_WORDS = re.compile(r"[A-Z][a-z0-9]*")

# Where the class name in words is not what people at a table say. What somebody does is an
# imperative ("Turn the flop"); what somebody finds is a finding ("Shoe jammed").
TITLES = {
    "correct": "Correct a balance",
    "adjust_meter": "Correct a progressive meter",
    "take_post": "Sign on at this table",
    "leave_post": "Sign off from this table",
    "set_clock": "Confirm the time",
    "attest_equipment": "Attest the equipment",
    "attest_layout": "Attest the layout",
    "attest_sign": "Attest the sign",
    "attest_shoe": "Attest the shoe",
    "open_table": "Open the table",
    "close_table": "Close the table",
    "count_inventory": "Count the tray",
    "change_shift": "Change the shift",
    "report_fault": "Device out of order",
    "mark_device": "Cover or mark the device",
    "clear_device": "Clear the device",
    "switch_dealing": "Change the dealing method",
    "record_walk_away": "Player walked away",
    "free_seat": "Free the seat",
    "rule_abandoned": "Rule on an abandoned hand",
    "receive_deck": "Receive a deck",
    "prepare_deck": "Prepare the deck",
    "spread_idle": "Spread the cards",
    "pull_deck": "Remove the deck",
    "sign_removal": "Sign for the removed deck",
    "keep_deck": "Choose the deck in play",
    "shuffle": "Shuffle the deck",
    "cut_deck": "Cut the deck",
    "load_deck": "Load the deck",
    "order_shuffle": "Order a shuffle",
    "order_recut": "Order a new cut",
    "discard_stub": "Place the stub in the discard rack",
    "count_stub": "Count the stub",
    "count_progressive": "Count the progressive chips",
    "resolve_progressive": "Resolve the progressive count",
    "verify_award": "Verify the award",
    "validate_award": "Validate the award",
    "prepare_payout": "Prepare the payout document",
    "witness_payout": "Witness the payout",
    "notify_surveillance": "Notify surveillance",
    "void_payout": "Void the payout document",
    "note_conduct": "Note for the record",
    "place_hold": "Hold the record",
    "open_dispute": "Open a dispute",
    "decide_dispute": "Decide the dispute",
    "forward_dispute": "Forward the dispute",
    "report_investigation": "Report an investigation",
    "give_limit_notice": "Give notice of new limits",
    "apply_limits": "Apply the new limits",
    "accept_wager": "Accept a wager outside the limits",
    "deal_cards": "Deal the cards",
    "show_street": "Turn the community cards",
    "read_cards": "Read the cards",
    "correct_reading": "Card misread",
    "showdown": "Turn over all hands",
    "turn_hand": "Turn over the hand",
    "settle_seat": "Pay the seat",
    "settle": "Pay what is left and close the round",
    "find_card_face_up": "Card face up in the deck",
    "draw_in_error": "Card drawn too early",
    "find_wrong_number": "Wrong number of cards",
    "expose_dealer_card": "Dealer card exposed",
    "expose_community_card": "Community card exposed",
    "expose_player_card": "Player card exposed",
    "jam_shuffler": "Shuffler jammed",
    "jam_shoe": "Shoe jammed",
    "skip_player": "Player skipped in the deal",
    "find_wrong_count": "Wrong stub count",
    "exchange_chips": "Color change",
    "pay_unclaimed": "Pay held money",
    "request_fill": "Request a fill",
    "count_fill": "Count the fill",
    "request_credit": "Request a credit",
    "count_credit": "Count the credit",
    "sign_slip": "Sign the slip",
    "confirm_fill": "Confirm the fill",
    "confirm_credit": "Confirm the credit",
    "recount_slip": "Recount the slip",
    "cancel_slip": "Cancel the slip",
    "acknowledge_buy_in": "Acknowledge the buy-in",
}

# With the values that a step fixes; a title is used if every value that it names is fixed.
STEP_TITLES: dict[str, tuple[str, ...]] = {
    "prepare_deck": ("{step} the {deck}",),
    "pull_deck": ("Remove the {deck}",),
    "sign_removal": ("Sign for the removed {deck}",),
    "keep_deck": ("Keep the {deck} in play",),
    "shuffle": ("Shuffle the {deck}",),
    "cut_deck": ("Cut the {deck}",),
    "load_deck": ("Load the {deck}",),
    "report_fault": ("{device} out of order",),
    "mark_device": ("Cover or mark the {device}",),
    "clear_device": ("Clear the {device}",),
    "record_walk_away": ("Player walked away from seat {seat}",),
    "free_seat": ("Free seat {seat}",),
    "verify_award": ("Verify the award at seat {seat}",),
    "validate_award": ("Validate the award at seat {seat}",),
    "prepare_payout": ("Prepare the payout document for seat {seat}",),
    "witness_payout": ("Witness payout {serial}",),
    "notify_surveillance": ("Notify surveillance of payout {serial}",),
    "settle_seat": ("Pay seat {seat}",),
    "find_wrong_number": ("Wrong number of cards: {where}",),
    "expose_player_card": ("Player card exposed at seat {seat}",),
    "skip_player": ("Seat {seat} skipped in the deal",),
    "buy_in": ("Take the buy-in at seat {seat}",),
    "count_fill": ("Count {fill}",),
    "count_credit": ("Count {credit}",),
    "sign_slip": ("Sign {slip_name}",),
    "confirm_fill": ("Confirm {fill}",),
    "confirm_credit": ("Confirm {credit}",),
    "recount_slip": ("Recount {slip_name}",),
    "cancel_slip": ("Cancel {slip_name}",),
    "decide_dispute": ("Decide dispute {number}",),
    "forward_dispute": ("Forward dispute {number}",),
    "sit_down": ("Sit down at seat {seat}",),
    "leave": ("Leave seat {seat}",),
}


class Title(msgspec.Struct, frozen=True):
    """The display name of a command or event type, and one sentence that describes it."""

    title: str
    sentence: str


@cache
def title_of(kind: type[Command] | type[Event]) -> Title:
    """Return the title of a command or event type, and its docstring as a sentence."""
    title = " ".join(_WORDS.findall(kind.__name__)).capitalize()
    if issubclass(kind, Command):
        title = TITLES.get(str(kind.__struct_config__.tag), title)
    first = (kind.__doc__ or "").strip().partition("\n\n")[0]
    return Title(title, " ".join(first.split()).lstrip())


def step_title(command: Command, fixed: Mapping[str, Any]) -> str:
    """Return the title of a step: what is done, with the seat, deck or document it is done to.

    >>> from croupier.table import commands
    >>> step_title(commands.SettleSeat(3), {"seat": 3})
    'Pay seat 3'
    >>> step_title(commands.TurnHand("dealer"), {"place": "dealer"})
    "Turn over the dealer's hand"
    """
    kind = kind_of(command)
    templates = STEP_TITLES.get(kind, ())
    words = {name: str(fixed[name]).replace("_", " ") for name in fixed} if templates else {}
    if "slip" in words:
        names = {kind: slip_name(kind, words["slip"]) for kind in ("fill", "credit")}
        words |= names | {"slip_name": slip_name("slip", words["slip"])}
    if words.get("device") == "progressive":
        words["device"] = "progressive system"
    for template in templates:
        try:
            title = template.format_map(words)
        except KeyError:  # a value that the step leaves open
            continue
        return title[0].upper() + title[1:]
    if kind == "turn_hand" and "place" in fixed:
        return f"Turn over {place_words(fixed['place'])}"
    if kind == "find_wrong_count":
        return "Stub count wrong: " + (
            "cards misdealt" if fixed.get("misdealt") else "deck incomplete"
        )
    if kind == "spread_idle" and fixed.get("face_up"):
        return "Spread the cards face up"
    return title_of(type(command)).title


def slip_name(kind: str, number: str) -> str:
    """Return a slip in words: its kind, if the number does not name it, and its number.

    >>> slip_name("fill", "12"), slip_name("slip", "fill 12")
    ('fill 12', 'fill 12')
    """
    return number if number.startswith(("fill", "credit")) else f"{kind} {number}"


def place_words(place: int | str) -> str:
    """Return a place whose cards are turned over, in words."""
    named = {"dealer": "the dealer's hand", "box": "the box", "community": "the board"}
    return named[place] if isinstance(place, str) else f"seat {place}"
