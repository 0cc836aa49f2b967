"""Finds Chromium for the browser tests, or brings one.

`make test` runs this module first, so that parallel test workers do not install the browser at the
same time. With `--package` it tries only the system's package manager, and needs no dependencies.
A system package is installed only as root with CI=true or in a container. Without any browser the
browser tests are skipped, and fail if CI=true.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

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
    "the browser tests need Chromium: install it (apt-get install chromium, or "
    ".venv/bin/playwright install chromium) or set CROUPIER_CHROMIUM=/path/to/chromium"
)


@cache
def find_chromium() -> str:
    """The path of an installed Chromium; an empty string if there is none."""
    configured = os.environ.get("CROUPIER_CHROMIUM", "")
    if configured:
        assert os.access(configured, os.X_OK), f"CROUPIER_CHROMIUM={configured} cannot be run"
        return configured
    return find_on_path() or find_in_playwright()


def install_chromium() -> str:
    """The path of a Chromium, installed if necessary; empty, with an explanation, if impossible."""
    path, errors = find_chromium(), ""
    if not path and may_install_packages():
        errors = install_package()
        path = find_on_path()
    if not path:
        print("installing Chromium for the browser tests with Playwright", flush=True)
        errors += run_install(PLAYWRIGHT_INSTALL)
        path = find_in_playwright()
    if not path:
        print(f"{errors}{HELP}; without it they are skipped", flush=True)
    return path


def may_install_packages() -> bool:
    """Whether system packages may be installed unasked: as root, in CI or in a container."""
    is_container = Path("/.dockerenv").exists() or Path("/run/.containerenv").exists()
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return is_root and (os.environ.get("CI") == "true" or is_container)


def open_context(browser: Browser, **options: Any) -> BrowserContext:
    """A new browser context, by default with reduced motion."""
    size = {"width": 1280, "height": 800}
    return browser.new_context(**{"viewport": size, "reduced_motion": "reduce"} | options)


def install_package() -> str:
    """Install a system package until there is a browser; returns the output of failures."""
    print(f"installing the system package {HEADLESS_SHELL} for the browser tests", flush=True)
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
        path = install_chromium()
        if path:
            print(f"browser of the browser tests: {path}")
    elif may_install_packages() and not (
        os.environ.get("CROUPIER_CHROMIUM")
        or find_on_path()
        or any(PLAYWRIGHT_BROWSERS.glob("chromium*"))
    ):
        install_package()


if __name__ == "__main__":
    main()
