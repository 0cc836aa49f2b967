"""Runs the server: the listening socket, uvicorn, and the addresses on the screen."""

from __future__ import annotations

import gc
import os
import socket
import sys
import webbrowser

import uvicorn

from croupier.errors import BadInput
from croupier.server import demo_data
from croupier.server.app import Server, make_app
from croupier.server.cluster.link import LONGEST_MESSAGE
from croupier.server.floor import Floor
from croupier.server.http.websocket import WebSocketProtocol
from croupier.server.json_logging import configure_json_logging
from croupier.server.settings import Settings

GC_THRESHOLD = 50_000  # new objects; a command makes hundreds, and hardly any are in cycles
SHUTDOWN_SECONDS = 5  # for requests in progress when the server stops


def serve(
    database: str,
    *,
    host: str,
    port: int,
    demo: bool = False,
    names: tuple[str, ...] = (),
    behind_tls: bool = False,
    browser: bool = False,
    internal: str = "",
    proxies: tuple[str, ...] = (),
) -> None:
    """Serve until interrupted; rounds in progress stay on record and continue after a restart.

    Other servers of the same database reach this one at `internal`. Only `proxies` are trusted
    to report the address of a client.
    """
    listening = listen(host, port)
    address = socket_url(listening)
    floor = Floor.at(database, address=(internal or internal_url(listening)).rstrip("/"))
    purpose = floor.ledger.purpose
    if demo and purpose == "live":
        raise BadInput(f"{database} is a live ledger; the demonstration needs a practice ledger")
    settings = Settings(
        hosts=(*Settings().hosts, *names, host), secure=behind_tls, proxied=bool(proxies)
    )

    async def on_start(server: Server) -> None:
        links = await demo_data.set_up(server) if demo else {}
        sys.stdout.write(f"Croupier serves {database} ({purpose} ledger) at {address}\n")
        for name, link in links.items():
            sys.stdout.write(f"  {name:<8} {address}{link}\n")
        if links:
            sys.stdout.write("Each link signs in one person, once. Press Ctrl-C to stop.\n")
        sys.stdout.flush()
        if browser and links and has_desktop():
            webbrowser.open(f"{address}{next(iter(links.values()))}")
        # Objects that exist now live as long as the server: the collector need not scan them.
        gc.collect()
        gc.freeze()
        gc.set_threshold(GC_THRESHOLD, 10, 10)

    config = uvicorn.Config(
        make_app(floor, settings, on_start=on_start),
        log_config=None,
        access_log=False,  # the metrics count requests
        server_header=False,
        date_header=True,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        ws=WebSocketProtocol,
        ws_per_message_deflate=False,
        ws_max_size=LONGEST_MESSAGE,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    configure_json_logging()
    uvicorn.Server(config).run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, bound before anything else is opened; BadInput if it cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(1024)  # clients that connect before the tables are open wait here
    except OSError as error:
        listening.close()
        raise BadInput(f"cannot listen at {host} port {port}: {error.strerror}") from None
    return listening


def socket_url(listening: socket.socket) -> str:
    """The URL for browsers."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def internal_url(listening: socket.socket) -> str:
    """The URL for other servers: by the machine's name if the socket listens everywhere."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        return f"http://{socket.gethostname()}:{port}"
    return socket_url(listening)


def has_desktop() -> bool:
    """Whether this machine can show a browser window."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY"))
