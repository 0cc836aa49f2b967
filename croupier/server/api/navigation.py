"""Navigation: the pages of each role, and the page where a person starts."""

from __future__ import annotations

from typing import NamedTuple

from croupier.ledger.aggregates.administration import ADMINISTRATORS
from croupier.server.auth.person import EVERY_TABLE, Person
from croupier.server.oversight.report_endpoints import READERS
from croupier.table.core.roles import CAGE, DEALER, FLOOR, MANAGER, PLAYER, SECURITY
from croupier.table.core.views import OVERSIGHT_ROLES

WATCHERS = (*FLOOR, *OVERSIGHT_ROLES)


class Place(NamedTuple):
    """A page in the navigation, for people with one of the roles or offices."""

    path: str
    title: str
    roles: tuple[str, ...]
    everywhere: tuple[str, ...] = ()  # roles that must be held at every table


# In the order in which one of them is the start page.
PLACES = (
    Place("/pit", "Pit", FLOOR),
    Place("/deal", "Deal", DEALER),
    Place("/queue", "Queue", (*CAGE, *SECURITY)),
    Place("/wall", "Camera wall", WATCHERS),
    Place("/search", "Rounds", OVERSIGHT_ROLES),
    Place("/manage", "Submissions", ("operator",)),
    Place("/reports", "Reports", ("operator", *READERS)),
    Place("/days", "Gaming days", (), (*ADMINISTRATORS, *OVERSIGHT_ROLES)),
    Place("/people", "People", ("operator",), (*MANAGER, *OVERSIGHT_ROLES)),
    Place("/gaming", "Disable gaming", ("operator",), MANAGER),
    Place("/software", "Software", ("operator",), ("audit", "commission")),
    Place("/school", "Dealer school", ("trainee", *MANAGER)),
    Place("/lobby", "Play", PLAYER),
)


def places(person: Person) -> list[Place]:
    """Return the pages of a person, the start page first."""
    held, everywhere = person.held, {*person.roles_at(EVERY_TABLE)}
    return [place for place in PLACES if held & {*place.roles} or everywhere & {*place.everywhere}]


def landing(person: Person) -> str:
    """Return the path of the page where a person starts."""
    return next((place.path for place in places(person)), "/lobby")
