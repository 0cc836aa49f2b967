"""Kernels compiled by Numba: they count facts and know no rules and no payouts.

`hands` evaluates hands, `enumerate` enumerates boards, `cross` two runs over a cross, `live_cards`
sets of live cards, and `simulate` plays random rounds. They import only NumPy, Numba and
`croupier.ranking`.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any


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


def _defer_scipy() -> None:
    """Import Numba without SciPy, which takes half of the time to the first kernel.

    Numba only checks that BLAS is available, which these kernels do not use. The check is restored
    afterwards: code that multiplies matrices later loads SciPy then.
    """
    linalg: Any = import_module("numba.np.linalg")
    ensure_blas = getattr(linalg, "ensure_blas", None)
    if ensure_blas is None or "numba.np.arraymath" in sys.modules:
        return  # another version of Numba, or already imported
    linalg.ensure_blas = lambda: None
    try:
        arraymath: Any = import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = ensure_blas
    arraymath.ensure_blas = ensure_blas


_set_numba_cache()
_defer_scipy()
