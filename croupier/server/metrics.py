"""What is measured, for Prometheus: counts and times, never a card, a name or an amount."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from croupier.server.floor import Floor

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """The measures of one server."""

    def __init__(self, floor: Floor) -> None:
        self.registry = CollectorRegistry()
        self._answered: dict[tuple[str, int], Counter] = {}
        self.commands = Counter(
            "croupier_commands",
            "Commands by kind and how they were answered.",
            ("kind", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "croupier_command_seconds",
            "From a command's arrival to its answer, durability included.",
            buckets=SECONDS,
            registry=self.registry,
        )
        self.requests = Counter(
            "croupier_requests",
            "Requests by method and status.",
            ("method", "status"),
            registry=self.registry,
        )
        self.frames = Counter("croupier_frames", "Frames sent to readers.", registry=self.registry)
        self.denied = Counter(
            "croupier_denied", "Attempts that were not let through.", registry=self.registry
        )
        self.slow = Counter(
            "croupier_feeds_cut",
            "Readers that fell behind and must resume.",
            registry=self.registry,
        )
        self.forwarded = Counter(
            "croupier_forwarded",
            "Requests passed on to the server that has their table.",
            registry=self.registry,
        )
        self._gauge("croupier_tables", "Tables on record.", lambda: len(floor.table_hosts))
        self._gauge(
            "croupier_tables_owned", "Tables of this server.", lambda: len(floor.leases.terms)
        )
        self._gauge(
            "croupier_tables_without_server",
            "Tables that no server has, by the last look.",
            lambda: len(floor.table_hosts.keys() - floor.places.keys() - floor.leases.terms.keys()),
        )
        self._gauge(
            "croupier_tables_taken",
            "Tables that this server took over from others, since it started.",
            lambda: floor.takeovers,
        )
        self._gauge(
            "croupier_readers",
            "Open feeds.",
            lambda: total(len(desk.subscriptions) for desk in floor.table_hosts.values()),
        )
        self._gauge(
            "croupier_rounds_played",
            "Rounds of all tables on record, ever.",
            lambda: total(desk.table.rounds_played for desk in floor.table_hosts.values()),
        )
        self._gauge(
            "croupier_tables_stopped",
            "Tables whose record could not be written.",
            lambda: total(bool(desk.opened.stopped) for desk in floor.table_hosts.values()),
        )

    def answered(self, kind: str, status: int, seconds: float) -> None:
        """A command was answered."""
        counter = self._answered.get((kind, status))
        if counter is None:  # to look one up by its labels costs more than to count
            counter = self._answered[kind, status] = self.commands.labels(kind, str(status))
        counter.inc()
        self.seconds.observe(seconds)

    def _gauge(self, name: str, words: str, value: Callable[[], float]) -> None:
        Gauge(name, words, registry=self.registry).set_function(value)

    def text(self) -> bytes:
        """As Prometheus reads it."""
        return generate_latest(self.registry)


def total(numbers: Iterable[int]) -> int:
    """Their sum."""
    return sum(numbers)
