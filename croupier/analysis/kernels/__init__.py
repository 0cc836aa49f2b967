"""The compiled code of study: it counts, and knows no rule and no payout.

Kernels import NumPy, Numba and `croupier.ranking`, nothing else of the project.
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
    """Whether a file can be made in a folder, which is made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def first_writable(folders: Iterable[Path]) -> Path | None:
    """The first folder that can be written."""
    return next((folder for folder in folders if is_writable(folder)), None)


def _choose_folder() -> None:
    """Numba refuses to work where it can keep compiled code nowhere: then a temporary folder."""
    beside = Path(__file__).parent / "__pycache__"
    if "NUMBA_CACHE_DIR" not in os.environ and not is_writable(beside):
        own = os.environ.get("CROUPIER_CACHE")
        passing = Path(tempfile.gettempdir()) / "croupier-kernels"
        chosen = first_writable([*([Path(own) / "kernels"] if own else []), passing])
        if chosen is not None:
            os.environ["NUMBA_CACHE_DIR"] = str(chosen)


def _put_off_linear_algebra() -> None:
    """Begin without SciPy: half of what Numba needs for its first kernel is to load that.

    Numba only looks whether linear algebra is there, which kernels here do without. It is left as
    it would be had it looked: whoever multiplies matrices later loads SciPy then.
    """
    linalg: Any = import_module("numba.np.linalg")
    look = getattr(linalg, "ensure_blas", None)
    if look is None or "numba.np.arraymath" in sys.modules:
        return  # another Numba, or one that has begun
    linalg.ensure_blas = lambda: None
    try:
        arraymath: Any = import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = look
    arraymath.ensure_blas = look


_choose_folder()
_put_off_linear_algebra()
