"""The vocabulary the forms are written in: a Choice is one field, a Form all that a game asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from croupier.games.forms.field_types import Flag, Kind
from croupier.games.forms.issues import Severity
from croupier.games.forms.parse_context import ParseContext
from croupier.games.game import freeze_mappings
from croupier.money import Cents

When: TypeAlias = Callable[[ParseContext], bool]
Check: TypeAlias = Callable[[ParseContext], None]


def always(filing: ParseContext) -> bool:
    """The field matters at every table."""
    return True


def never(filing: ParseContext) -> bool:
    """The field is only ever a note."""
    return False


class Computed(msgspec.Struct, frozen=True):
    """A default that follows from the rest of the submission; `text` words it for people."""

    text: str
    of: Callable[[ParseContext], Any]


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One field of [table] or [choices]: how it is read, what it defaults to, who says so.

    `missing` is what its absence amounts to where it matters: an error if it is compulsory,
    outstanding if an approval has to be on file, a warning if an unclear clause is then read by
    its default (`reading`), nothing otherwise.
    """

    name: str
    kind: Kind
    clause: str
    note: str
    default: Any = None
    reading: str = ""
    missing: Severity | Literal[""] = ""
    matters: When = always
    when: str = ""  # `matters` in words; nothing if always
    section: Literal["table", "choices"] = "choices"

    @property
    def field(self) -> str:
        """The path of the value in the file."""
        return f"{self.section}.{self.name}"

    def default_for(self, filing: ParseContext) -> Any:
        """The value that stands when the file is silent."""
        return self.default.of(filing) if isinstance(self.default, Computed) else self.default

    @property
    def default_text(self) -> str:
        """The default in words."""
        if isinstance(self.default, Computed):
            return self.default.text
        return "" if self.default is None else self.kind.write(self.default)


class WagerOffer(msgspec.Struct, frozen=True, kw_only=True):
    """A wager with paytables: the clause that lets it be offered, and the one that has a letter
    chosen. `flag` is the name under which [choices] may repeat that it is offered."""

    wager: str
    clause: str
    letter_clause: str
    flag: str = ""
    # The one stake of a wager where nobody states another, because an award does not grow with it.
    usual_stake: Cents | None = None
    usual_stake_reading: str = ""


class MeterClauses(msgspec.Struct, frozen=True, kw_only=True):
    """Where a document asks for the rates and the amounts of its meters."""

    section: str
    rate: str = ""
    amount: str = ""
    rate_of: Mapping[str, str] = {}
    amount_of: Mapping[str, str] = {}

    def __post_init__(self) -> None:
        freeze_mappings(self)

    def rate_clause(self, meter: str) -> str:
        """The clause that has a meter's rate of progression stated."""
        return self.rate_of.get(meter, self.rate or self.section)

    def amount_clause(self, meter: str) -> str:
        """The clause that has a meter's initial and reset amount stated."""
        return self.amount_of.get(meter, self.amount or self.section)


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """All that the submission of one game may say, and the checks that only this game has."""

    choices: tuple[Choice, ...]
    offers: tuple[WagerOffer, ...] = ()
    meters: MeterClauses = MeterClauses(section="A48")
    checks: tuple[Check, ...] = ()

    def offer(self, wager: str) -> WagerOffer | None:
        """The entry of a wager, if it has paytables."""
        for offer in self.offers:
            if offer.wager == wager:
                return offer
        return None

    def choice(self, name: str) -> Choice:
        """The choice of that name, which must exist."""
        return next(choice for choice in self.choices if choice.name == name)

    @property
    def choice_names(self) -> set[str]:
        """The fields that the choices of a House have.

        The payout limit is a term of the House itself; the logo is stated under [operator].
        """
        named = {each.name for each in self.every_choice if each.section == "choices"}
        return named - {"payout_limit"} | {"operator_logo"}

    @property
    def every_choice(self) -> tuple[Choice, ...]:
        """The fields of [table] and [choices] in the order of the file."""
        return (*self.choices, *(flag_of(offer) for offer in self.offers if offer.flag))


def flag_of(offer: WagerOffer) -> Choice:
    """The field that repeats in [choices] what [paytables] says."""
    return Choice(
        name=offer.flag,
        kind=Flag(),
        clause=offer.clause,
        note=f"Repeats whether `{offer.wager}` is listed under `[paytables]`; must agree with it.",
        default=Computed("as `[paytables]`", lambda filing: filing.offers(offer.wager)),
    )


def offered(*wagers: str) -> When:
    """The field matters where one of these wagers is offered."""
    return lambda filing: any(filing.offers(wager) for wager in wagers)


def dealt(*methods: str) -> When:
    """The field matters with these dealing methods."""
    return lambda filing: filing.choice("dealing_method") in methods


def several_boxes(filing: ParseContext) -> bool:
    """The field matters where a player may bet more than one box."""
    return bool(filing.choice("max_adjacent_boxes") != 1)


def progressive(filing: ParseContext) -> bool:
    """The field matters where the progressive is offered."""
    return filing.offers("progressive")
