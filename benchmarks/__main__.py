"""`make bench`: run every benchmark of this folder."""

from __future__ import annotations

import importlib
import pkgutil

import benchmarks


def main() -> None:
    """Run the modules named bench_* in order."""
    for module in sorted(m.name for m in pkgutil.iter_modules(benchmarks.__path__)):
        if module.startswith("bench_"):
            print(f"== {module.removeprefix('bench_')}")
            importlib.import_module(f"benchmarks.{module}").main()
            print()


if __name__ == "__main__":
    main()
