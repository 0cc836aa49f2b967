"""Random values for what a step leaves open."""

from __future__ import annotations

from random import Random
from typing import Any

from croupier.table.limits import NewLimits

from croupier.table import commands as cmd
from croupier.table import forms


def is_count(form: forms.Form) -> bool:
    """Whether somebody counts cards or chips, which mostly comes out right."""
    return isinstance(form, forms.Amount) and form.most in (100, 104)


def sample(form: forms.Form, rng: Random) -> Any:
    """A random value that a form admits."""
    match form:
        case forms.OneOf():
            return rng.choice(form.values)
        case forms.Amount():
            top = form.least + 200_000 if form.most is None else form.most
            return rng.choice((form.least, top, rng.randint(form.least, top)))
        case forms.Text():
            return form.example()
        case forms.Cards():
            count = form.most if rng.random() < 0.9 else rng.randint(form.least, form.most)
            return tuple(rng.sample(sorted(form.among), count))
        case forms.Stakes():
            return stakes(form, rng)
        case NewLimits():
            least = rng.randint(1, form.most_minimum)
            most = rng.choice((None, least, 500_00))
            return cmd.GiveLimitNotice(wager=form.wager, minimum=least, maximum=most)
    raise AssertionError(f"no sample of {form}")


def stakes(form: forms.Stakes, rng: Random) -> dict[str, int]:
    """Random wagers that a box admits; the example where a try fails."""
    if form.withdraws:
        return form.example()
    for _ in range(5):
        ante = form.terms[form.ante]
        most = min(ante.most or 20_000, form.chips // 4, 20_000)
        stake = max(ante.least, rng.randint(0, max(most, 0)) // 200 * 200)
        made = {form.ante: stake}
        for name, terms in form.terms.items():
            if terms.equals:
                made[name] = stake
            elif name != form.ante and rng.random() < 0.5:
                made[name] = terms.least
        if form.admits(made):
            return made
    return form.example()
