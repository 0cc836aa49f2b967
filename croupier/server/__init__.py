"""Server for many tables: HTTP API, WebSocket feed, accounts, browser pages, and a client.

    floor = Floor.at("casino.db")          # all tables of a ledger
    app = make_app(floor, Settings())      # an ASGI application

Public: Floor, make_app, Settings, Accounts, Client. Start with `floor`, then `tables.host`.
Names are imported on first use, so that the client does not load the server.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
