"""The front door of study: what it offers is there, and nobody reaches past it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from croupier import study

ROOT = Path(__file__).parents[2]


def test_every_public_name_is_there() -> None:
    """`__all__` promises nothing that is not importable, and names nothing twice."""
    assert len(set(study.__all__)) == len(study.__all__)
    assert all(hasattr(study, name) for name in study.__all__)


def reached(path: Path) -> list[str]:
    """Modules of study that a file imports."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
            if node.module == "croupier.study":
                names = {alias.name for alias in node.names}
                found += [f"croupier.study.{name}" for name in names - set(study.__all__)]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return [name for name in found if name.startswith("croupier.study.")]


def test_nobody_reaches_past_it() -> None:
    """Other rooms and the documents use the names of the front door."""
    room = ROOT / "croupier" / "study"
    others = [path for path in (ROOT / "croupier").rglob("*.py") if room not in path.parents]

    assert len(others) > 50
    assert {} == {
        str(path): found for path in [*others, ROOT / "docs" / "generate.py"]
        if (found := reached(path))
    }  # fmt: skip


def test_it_loads_no_compiler() -> None:
    """The room, its results and its advice are imported without NumPy or Numba."""
    program = (
        "import sys; from croupier import study;"
        "study.Analysis, study.MainResult, study.SideResult, study.Solution, study.to_json;"
        "study.advise, study.hint, study.analyze;"
        "sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    )

    assert 0 == subprocess.run([sys.executable, "-c", program], check=False).returncode


def test_kernels_begin_without_linear_algebra() -> None:
    """A kernel runs without linear algebra, which whoever else uses Numba still finds there."""
    program = (
        "import sys; import numpy as np; from croupier.ranking import rank_hands;"
        "rank_hands([[0, 1, 2, 3, 4, 5, 6]]);"
        "early = 'scipy.linalg' in sys.modules;"
        "import numba; one = np.eye(2); product = numba.njit(lambda a: a @ a)(one);"
        "sys.exit(early or 'scipy.linalg' not in sys.modules or not (product == one).all())"
    )

    assert 0 == subprocess.run([sys.executable, "-c", program], check=False).returncode
