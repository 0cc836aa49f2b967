"""The declarations of a submission form: Form, Choice, WagerOffer, MeterClauses, conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from croupier.games.forms.field_types import Flag, ValueType
from croupier.games.forms.form_values import CheckContext, FormValues
from croupier.games.immutable import freeze_mappings
from croupier.money import Cents

Condition: TypeAlias = Callable[[FormValues], bool]
Check: TypeAlias = Callable[[CheckContext], None]


def always(values: FormValues) -> bool:
    """The field matters at every table."""
    return True


def never(values: FormValues) -> bool:
    """The field is informational only."""
    return False


def offered(*wagers: str) -> Condition:
    """The field matters if one of these wagers is offered."""
    return lambda values: any(values.offers(wager) for wager in wagers)


def dealt_by(*methods: str) -> Condition:
    """The field matters with these dealing methods."""
    return lambda values: values.choice("dealing_method") in methods


def several_boxes(values: FormValues) -> bool:
    """The field matters if a player may bet more than one box."""
    return bool(values.choice("max_adjacent_boxes") != 1)


def progressive_offered(values: FormValues) -> bool:
    """The field matters if the progressive is offered."""
    return values.offers("progressive")


class ComputedDefault(msgspec.Struct, frozen=True):
    """A default that depends on the rest of the submission; `text` describes it."""

    text: str
    of: Callable[[FormValues], Any]


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One field of [table] or [choices]: its type, default, clause and description.

    `missing` is the severity of the issue if the field matters and is not stated: an error for a
    compulsory field, outstanding for an approval, a warning where an unclear clause is then read
    by its default (`reading`).
    """

    name: str
    kind: ValueType
    clause: str
    note: str
    default: Any = None
    reading: str = ""
    missing: Literal["", "error", "outstanding", "warning"] = ""
    matters: Condition = always
    when: str = ""  # `matters` in words; empty for `always`
    section: Literal["table", "choices"] = "choices"

    @property
    def field(self) -> str:
        """The path of the value in the file."""
        return f"{self.section}.{self.name}"

    def default_for(self, values: FormValues) -> Any:
        """Return the value of the field if the file does not state it."""
        return (
            self.default.of(values) if isinstance(self.default, ComputedDefault) else self.default
        )

    @property
    def default_text(self) -> str:
        """The default in words."""
        if isinstance(self.default, ComputedDefault):
            return self.default.text
        return "" if self.default is None else self.kind.write(self.default)


class WagerOffer(msgspec.Struct, frozen=True, kw_only=True):
    """A wager with paytables.

    `clause` allows the wager to be offered, `letter_clause` has the operator choose a letter.
    `flag` is the field of [choices] that may repeat whether the wager is offered.
    """

    wager: str
    clause: str
    letter_clause: str
    flag: str = ""
    # The only stake unless the file states another, where an award does not grow with the stake.
    usual_stake: Cents | None = None
    usual_stake_reading: str = ""


class MeterClauses(msgspec.Struct, frozen=True, kw_only=True):
    """The clauses that require the rates and the amounts of the progressive meters."""

    section: str
    rate: str = ""
    amount: str = ""
    rate_of: Mapping[str, str] = {}
    amount_of: Mapping[str, str] = {}

    def __post_init__(self) -> None:
        freeze_mappings(self)

    def rate_clause(self, meter: str) -> str:
        """Return the clause on a meter's rate of progression."""
        return self.rate_of.get(meter, self.rate or self.section)

    def amount_clause(self, meter: str) -> str:
        """Return the clause on a meter's initial and reset amounts."""
        return self.amount_of.get(meter, self.amount or self.section)


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of one game's submission, and the checks that only this game has.

    `payout_limit` says how a stated payout limit compares with the one that the document sets:
    equal to it (A61), at most it, or less with an approval (A62), or at least it.
    """

    choices: tuple[Choice, ...]
    offers: tuple[WagerOffer, ...] = ()
    meters: MeterClauses = MeterClauses(section="A48")
    payout_limit: Literal["", "equal", "at_most", "at_least"] = ""
    checks: tuple[Check, ...] = ()

    def offer(self, wager: str) -> WagerOffer | None:
        """Return the offer of a wager, or None if it has no paytables."""
        for offer in self.offers:
            if offer.wager == wager:
                return offer
        return None

    def choice(self, name: str) -> Choice:
        """Return the field with this name, which must exist."""
        return next(choice for choice in self.choices if choice.name == name)

    @property
    def choice_names(self) -> set[str]:
        """The names of the fields of `House.choices`.

        The payout limit is a field of the House itself; the logo is stated under [operator].
        """
        names = {choice.name for choice in self.every_choice if choice.section == "choices"}
        return names - {"payout_limit"} | {"operator_logo"}

    @property
    def every_choice(self) -> tuple[Choice, ...]:
        """The fields of [table] and [choices] in file order, the flags of offers last."""
        return (*self.choices, *(offer_flag(offer) for offer in self.offers if offer.flag))


def offer_flag(offer: WagerOffer) -> Choice:
    """Return the field of [choices] that repeats whether [paytables] lists a wager."""
    return Choice(
        name=offer.flag,
        kind=Flag(),
        clause=offer.clause,
        note=f"Repeats whether `{offer.wager}` is listed under `[paytables]`; must agree with it.",
        default=ComputedDefault("as `[paytables]`", lambda values: values.offers(offer.wager)),
    )
