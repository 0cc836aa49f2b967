"""JSON log formatter: one line per record, without bodies, passwords, tokens or cards."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, TextIO

# The only extra fields that a line may contain.
FIELDS = ("table", "kind", "status", "milliseconds", "account", "peer", "method", "why", "task")


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON; of an exception its type and location, not its message."""
        moment = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "at": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage(),
        }
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            last = record.exc_info[2]
            while last is not None and last.tb_next is not None:
                last = last.tb_next
            if last is not None:
                line["raised"] = f"{last.tb_frame.f_globals.get('__name__')}:{last.tb_lineno}"
        return json.dumps(line, ensure_ascii=False, default=str)


def configure_json_logging(stream: TextIO | None = None, level: int = logging.INFO) -> None:
    """Send the logs of Croupier and uvicorn to a stream, stderr by default, as JSON lines."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter())
    for name in ("croupier", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(level)
        logger.propagate = False
    logging.getLogger("uvicorn.access").disabled = True  # URLs can contain private data
