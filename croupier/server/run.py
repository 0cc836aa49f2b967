"""Running the server: uvicorn around the application, the address on the screen."""

from __future__ import annotations

import gc
import os
import socket
import sys
import webbrowser

import uvicorn

from croupier.errors import BadInput
from croupier.server import demo_data as demonstration
from croupier.server.app import Server, make_app
from croupier.server.auth.guard import Settings
from croupier.server.cluster.link import LONGEST_MESSAGE
from croupier.server.floor import Floor
from croupier.server.http.websocket import Socket
from croupier.server.json_logging import configure_json_logging

GARBAGE_AFTER = 50_000  # new objects; a command makes hundreds, and hardly any is in a cycle
GRACE_SECONDS = 5  # for requests on their way when the server is told to stop


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
    """Serve until interrupted; rounds in progress stay as they are, to be gone on with.

    Other servers of the same database reach this one at `internal`. Of `proxies` it is believed
    whom a request comes from.
    """
    listening = listen(host, port)
    address = address_of(listening)
    floor = Floor.at(database, address=(internal or internal_of(listening)).rstrip("/"))
    purpose = floor.ledger.purpose
    if demo and purpose == "live":
        raise BadInput(f"{database} is a live ledger; a demonstration needs one for practice")
    settings = Settings(
        hosts=(*Settings().hosts, *names, host), secure=behind_tls, proxied=bool(proxies)
    )

    async def ready(server: Server) -> None:
        links = await demonstration.set_up(server) if demo else {}
        sys.stdout.write(f"Croupier serves {database}, a {purpose} ledger, at {address}\n")
        for name, link in links.items():
            sys.stdout.write(f"  {name:<8} {address}{link}\n")
        if links:
            sys.stdout.write("Each link lets one person in, once. Ctrl-C stops the server.\n")
        sys.stdout.flush()
        if browser and links and has_desktop():
            webbrowser.open(f"{address}{next(iter(links.values()))}")
        # What is there now stays: looking through it for garbage again and again costs much.
        gc.collect()
        gc.freeze()
        gc.set_threshold(GARBAGE_AFTER, 10, 10)

    config = uvicorn.Config(
        make_app(floor, settings, on_start=ready),
        log_config=None,
        access_log=False,  # what is counted is in the metrics
        server_header=False,
        date_header=True,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        ws=Socket,
        ws_per_message_deflate=False,
        ws_max_size=LONGEST_MESSAGE,  # nobody but servers speaks
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    configure_json_logging()
    uvicorn.Server(config).run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
    """A socket at an address, taken before anything is opened."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(1024)  # whoever comes before the tables are open waits
    except OSError as error:
        found.close()
        raise BadInput(f"cannot listen at {host} port {port}: {error.strerror}") from None
    return found


def address_of(listening: socket.socket) -> str:
    """Where a browser finds it."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def internal_of(listening: socket.socket) -> str:
    """Where other servers find it: by the machine's name, if it listens everywhere."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        return f"http://{socket.gethostname()}:{port}"
    return address_of(listening)


def has_desktop() -> bool:
    """Whether a browser could be opened for somebody to see."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY"))
