"""Finds Chromium for the browser tests, and installs it if possible.

`make test` runs this module first, so that parallel test workers do not install the browser at the
same time. With `--package` it tries only the system's package manager, and needs no dependencies.
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

# The headless shell renders like the full browser and needs two thirds of its CPU time.
HEADLESS_SHELL = "chromium-headless-shell"
EXECUTABLES = (HEADLESS_SHELL, "chromium", "chromium-browser", "google-chrome", "chrome")
# Wait for the package lock, which another installation on the same machine may hold.
APT = ["apt-get", "-o", "DPkg::Lock::Timeout=300", "-qq", "-y"]
APT_INSTALLS = (
    ([*APT, "update"], [*APT, "install", "--no-install-recommends", HEADLESS_SHELL]),
    ([*APT, "install", "--no-install-recommends", "chromium"],),
)
PLAYWRIGHT_INSTALL = ([sys.executable, "-m", "playwright", "install", "chromium"],)
PLAYWRIGHT_BROWSERS = Path(
    os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache/ms-playwright"
)
HELP = (
    "the browser tests need Chromium: install it (apt-get install chromium) "
    "or set CROUPIER_CHROMIUM=/path/to/chromium"
)


@cache
def chromium_path() -> str:
    """The path of a Chromium executable, installed if necessary."""
    configured = os.environ.get("CROUPIER_CHROMIUM", "")
    if configured:
        assert os.access(configured, os.X_OK), f"CROUPIER_CHROMIUM={configured} cannot be run"
        return configured
    path, errors = find_on_path() or find_in_playwright(), ""
    if not path:
        errors = install_package()
        path = find_on_path()
    if not path:
        errors += run_install(PLAYWRIGHT_INSTALL)
        path = find_in_playwright()
    assert path, f"{HELP}\n{errors}".strip()
    return path


def open_context(browser: Browser, width: int = 1280, height: int = 800) -> BrowserContext:
    """A new browser context with reduced motion, for tests that do not check animations."""
    size: ViewportSize = {"width": width, "height": height}
    return browser.new_context(viewport=size, reduced_motion="reduce")


def install_package() -> str:
    """Install a system package until there is a browser; returns the output of failures."""
    errors = ""
    for commands in APT_INSTALLS:
        if not find_on_path():
            errors += run_install(commands)
    return errors


def find_on_path() -> str:
    """A Chromium on PATH, or an empty string."""
    return next((path for name in EXECUTABLES if (path := shutil.which(name))), "")


def find_in_playwright() -> str:
    """The browser that Playwright downloaded, or an empty string."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else ""


def run_install(commands: tuple[list[str], ...]) -> str:
    """Run installation commands; returns the output of those that fail."""
    errors = ""
    for command in commands:
        if not shutil.which(command[0]):
            return f"{command[0]} is not installed\n"
        result = subprocess.run(command, check=False, capture_output=True, timeout=900, text=True)
        errors += result.stdout[-2000:] + result.stderr[-2000:] if result.returncode else ""
    return errors


def main() -> None:
    """Find or install Chromium; with `--package` only if there is no other browser."""
    if "--package" not in sys.argv:
        print(f"browser of the browser tests: {chromium_path()}")
    elif not (
        os.environ.get("CROUPIER_CHROMIUM")
        or find_on_path()
        or any(PLAYWRIGHT_BROWSERS.glob("chromium*"))
    ):
        install_package()


if __name__ == "__main__":
    main()
