"""Many tables at once: the server, its protocol, the people, and the pages of the browser.

floor = Floor.at("casino.db")
app = make_app(floor)                  # an ASGI application
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.floor.accounts import Accounts as Accounts
    from croupier.floor.app import make_app as make_app
    from croupier.floor.client import Client as Client
    from croupier.floor.door import Settings as Settings
    from croupier.floor.hall import Floor as Floor

_WHERE = {
    "Accounts": "accounts",
    "Client": "client",
    "Floor": "hall",
    "Settings": "door",
    "make_app": "app",
}
_DOORS = (
    "accounts",
    "client",
    "dealer",
    "demo",
    "logs",
    "messages",
    "openapi",
    "reader",
    "serving",
)

__all__ = [*_WHERE, *_DOORS]


def __getattr__(name: str) -> Any:
    if name in _WHERE:  # a client needs no server, and a server no client
        return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    if name in _DOORS:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
