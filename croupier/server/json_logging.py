"""JSON log formatter: one line per record, without bodies, passwords, tokens or cards."""

from __future__ import annotations

import json
import logging
import sys
import threading
from datetime import UTC, datetime
from typing import Any, TextIO

from croupier.server.http.request_id import request_id
from croupier.wording import shortened

# The only extra fields that a line may contain.
LENGTH_MAX = 200  # characters of a text; what people type can be long
FIELDS = (
    "table",
    "sequence",
    "kind",
    "status",
    "milliseconds",
    "account",
    "peer",
    "method",
    "why",
    "task",
)


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON; of an exception its type and location, not its message."""
        moment = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "at": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": _shortened(record.getMessage()),
        }
        line |= {
            name: _shortened(getattr(record, name)) for name in FIELDS if hasattr(record, name)
        }
        if request_id.get():
            line["request"] = request_id.get()
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            last = record.exc_info[2]
            while last is not None and last.tb_next is not None:
                last = last.tb_next
            if last is not None:
                line["raised"] = f"{last.tb_frame.f_globals.get('__name__')}:{last.tb_lineno}"
        return json.dumps(line, ensure_ascii=False, default=str)


def configure_json_logging(stream: TextIO | None = None, level: int = logging.INFO) -> None:
    """Send logs, warnings and unhandled errors to a stream, stderr by default, as JSON lines."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]  # libraries; only their warnings and errors
    logging.captureWarnings(True)
    sys.unraisablehook = _log_unraisable
    threading.excepthook = _log_thread_error
    for name in ("croupier", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(level)
        logger.propagate = False
    logging.getLogger("uvicorn.access").disabled = True  # URLs can contain private data


def _shortened(value: Any) -> Any:
    return shortened(value, LENGTH_MAX) if isinstance(value, str) else value


def _log_unraisable(error: sys.UnraisableHookArgs) -> None:
    logging.getLogger("croupier").error("unraisable error", exc_info=error.exc_value)


def _log_thread_error(error: threading.ExceptHookArgs) -> None:
    logging.getLogger("croupier").error("a thread failed", exc_info=error.exc_value)
