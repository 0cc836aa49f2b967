"""Kernels compiled by Numba: they count facts and know no rules and no payouts.

`hands` evaluates hands, `enumerate` enumerates boards, `cross` two runs over a cross, `live_cards`
sets of live cards, and `simulate` plays random rounds. They import only NumPy, Numba and
`croupier.ranking`. Compilations are reported to `croupier.analysis.compile_events`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from croupier.analysis import compile_events


def is_writable(folder: Path) -> bool:
    """Whether a file can be created in a folder; creates the folder if needed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def first_writable(folders: Iterable[Path]) -> Path | None:
    """The first writable folder, if any."""
    return next((folder for folder in folders if is_writable(folder)), None)


def _set_numba_cache() -> None:
    """Set NUMBA_CACHE_DIR if `__pycache__` is read-only: Numba fails without a cache folder."""
    pycache = Path(__file__).parent / "__pycache__"
    if "NUMBA_CACHE_DIR" not in os.environ and not is_writable(pycache):
        configured = os.environ.get("CROUPIER_CACHE")
        temporary = Path(tempfile.gettempdir()) / "croupier-kernels"
        folder = first_writable(
            [*([Path(configured) / "kernels"] if configured else []), temporary]
        )
        if folder is not None:
            os.environ["NUMBA_CACHE_DIR"] = str(folder)


def _report_compilations() -> None:
    from numba.core import event  # reads NUMBA_CACHE_DIR

    class CompileListener(event.Listener):
        def on_start(self, event: Any) -> None:
            compile_events.notify()

        def on_end(self, event: Any) -> None:
            pass

    event.register("numba:compile", CompileListener())  # type: ignore[no-untyped-call]


_set_numba_cache()
_report_compilations()
