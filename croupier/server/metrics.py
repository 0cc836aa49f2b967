"""Prometheus metrics: the version, counts and times, never cards or people."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from croupier import __version__
from croupier.server.business_metrics import BusinessMetrics
from croupier.server.floor import Floor
from croupier.server.protocol import PROTOCOL

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """The metrics of one server."""

    def __init__(self, floor: Floor) -> None:
        self.registry = CollectorRegistry()
        self._counters: dict[tuple[str, int], Counter] = {}
        build = ("version", "protocol")
        Gauge(
            "croupier_build_info", "The software that runs.", build, registry=self.registry
        ).labels(__version__, str(PROTOCOL)).set(1)
        self.business = BusinessMetrics(floor, self.registry)
        self.commands = Counter(
            "croupier_commands",
            "Commands by kind and status.",
            ("kind", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "croupier_command_seconds",
            "From receipt of a command to its response, durable commit included.",
            buckets=SECONDS,
            registry=self.registry,
        )
        self.requests = Counter(
            "croupier_requests",
            "Requests by method and status.",
            ("method", "status"),
            registry=self.registry,
        )
        self.frames = Counter(
            "croupier_frames", "Frames sent to subscribers.", registry=self.registry
        )
        self.denied = Counter("croupier_denied", "Denied attempts.", registry=self.registry)
        self.slow = Counter(
            "croupier_feeds_cut",
            "Feeds closed because their reader fell behind.",
            registry=self.registry,
        )
        self._gauge("croupier_tables", "Tables on the floor.", lambda: len(floor.table_hosts))
        self._gauge(
            "croupier_readers",
            "Open feeds.",
            lambda: sum(len(host.subscriptions) for host in floor.table_hosts.values()),
        )
        self._gauge(
            "croupier_rounds_played",
            "Rounds played at the tables on the floor.",
            lambda: sum(host.table.rounds_played for host in floor.table_hosts.values()),
        )
        self._gauge(
            "croupier_tables_stopped",
            "Tables that stopped after a failed write.",
            lambda: sum(bool(h.recorded_table.stopped) for h in floor.table_hosts.values()),
        )

        self._gauge(
            "croupier_out_of_descriptors",
            "1 while no file or connection can be opened.",
            lambda: floor.out_of_descriptors,
        )
        self._gauge(
            "croupier_ledger_unavailable",
            "1 while writing or reading the ledger fails.",
            lambda: bool(floor.problem),
        )
        self._gauge(
            "croupier_task_failures",
            "Background tasks that failed and were started again.",
            lambda: floor.task_failures,
        )

    def count_request(self, method: str, status: int) -> None:
        """Count one HTTP request."""
        self.requests.labels(method, str(status)).inc()

    def answered(self, kind: str, status: int, seconds: float) -> None:
        """Count one command with its response time."""
        counter = self._counters.get((kind, status))
        if counter is None:  # looking up labels costs more than counting
            counter = self._counters[kind, status] = self.commands.labels(kind, str(status))
        counter.inc()
        self.seconds.observe(seconds)

    def _gauge(self, name: str, text: str, value: Callable[[], float]) -> None:
        Gauge(name, text, registry=self.registry).set_function(value)

    def text(self) -> bytes:
        """All metrics in the Prometheus text format."""
        return generate_latest(self.registry)
