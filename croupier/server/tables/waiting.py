"""What a member of staff waits for: the people who act next, and what they do."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.table import Account, Role, Step
from croupier.table.core.views import StepView
from croupier.table.event_text import does
from croupier.wording import join_words, person_name

LISTED = 3
ROLE_NOUNS: dict[Role, str] = {
    "cage": "a cashier",
    "security": "a security officer",
    "system": "the shuffler",
}
OBJECTS = ("slip", "serial", "number")  # the fields that name a document or a case


def waits_for(steps: Iterable[Step], viewer: Account) -> tuple[str, ...]:
    """Return sentences about the due steps of other people: "Frank verifies the red deck"."""
    sentences: dict[str, None] = {}
    for step in steps:
        if step.due != "may" and not step.blocked and not step.is_for(viewer):
            sentences[sentence(step)] = None
    return tuple(sentences)[:LISTED]


def object_of(step: Step | StepView) -> tuple[str, object] | None:
    """Return the document or case that a step is about, if any."""
    return next(((name, step.fixed[name]) for name in OBJECTS if name in step.fixed), None)


def sentence(step: Step) -> str:
    """Return who takes a step, and what they do.

    >>> from croupier import Account, Table, example
    >>> table = Table(example("top_five"), service="attended", table_id="T")
    >>> waits_for(table.next_steps(0), Account("dana", "dealer"))
    ('A floorperson signs on at this table', 'A pit manager signs on at this table')
    """
    people = [person_name(account.id) for account in step.who]
    people += [ROLE_NOUNS.get(role, f"a {role.replace('_', ' ')}") for role in step.open_to]
    who = join_words(people, "or")
    who = person_name(who)
    if step.kind == "decide":
        return f"{who} decides at seat {step.seat}"
    return does(who, step.title[:1].lower() + step.title[1:])
