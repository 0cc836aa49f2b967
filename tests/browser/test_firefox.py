"""A round in Firefox, where one is installed: the pages work in a second engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.firefox import HELP, FirefoxPage, find_firefox, firefox_page
from tests.support.floor_server import PASSWORD, ServerThread, serving
from tests.support.server_shift import make_ready

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group(__name__),
    pytest.mark.skipif(not find_firefox(), reason=HELP),
]


def sign_in(page: FirefoxPage, world: ServerThread, name: str) -> None:
    """Sign in with the form."""
    page.goto(f"{world.address}/sign-in")
    page.evaluate(
        f"""(() => {{
          const form = document.querySelector("form[action='/sign-in']");
          form.elements.name.value = "{name}";
          form.elements.password.value = "{PASSWORD}";
          form.requestSubmit();
        }})()"""
    )
    page.wait_for("location.pathname !== '/sign-in' && document.querySelector('.account')")


def test_round_in_firefox(tmp_path: Path) -> None:
    """Sit down, bet, decide ; the result; then a dealer's console."""
    profile = tmp_path / "profile"
    profile.mkdir()
    with serving(tmp_path) as world, firefox_page(profile) as page:
        world.open("P", "ultimate_texas_holdem", seed=7)
        world.open("T4", "ultimate_texas_holdem", service="attended")
        make_ready(world, "T4")
        sign_in(page, world, "ann")
        page.goto(f"{world.address}/play/P")
        page.wait_for("[...document.querySelectorAll('.seat button')].length")
        page.evaluate("document.querySelector('.seat button:enabled').click()")
        page.wait_for("document.querySelector('.prompt')?.innerText.includes('Place your bets')")
        page.press("d")
        page.wait_for("document.querySelector('.actions [data-word=\"4x\"]:enabled')")
        page.press("4")
        page.wait_for("document.querySelector('.headline')?.innerText.includes('Round 1')")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate("document.querySelectorAll('.own-hand .playing-card').length") == 2

        page.evaluate("document.querySelector('form[action=\"/sign-out\"]').requestSubmit()")
        page.wait_for("location.pathname === '/sign-in'")
        sign_in(page, world, "dana")
        page.goto(f"{world.address}/console/T4?role=dealer")
        page.wait_for("document.querySelector('.act-title')")
        assert [] == page.errors
