"""Server for many tables: HTTP API, WebSocket feed, accounts, and the browser pages.

    floor = Floor.at("casino.db")
    app = make_app(floor)                  # an ASGI application

Names are imported on first use: a client does not load the server, nor a server the client.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
