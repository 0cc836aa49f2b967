"""Card faces: indices in two corners, pips that touch nothing, court cards in their frame."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from croupier.cards import DECK, names
from croupier.server.http.static_files import FOLDER
from tests.browser.chromium import open_context

pytestmark = pytest.mark.xdist_group(__name__)
SIZES = (48, 200)
HTML = """<!doctype html><link rel="stylesheet" href="/style.css"><div id="cards"></div>
<script type="module">
import { card } from "/components/playing_card.js";
import { h, render } from "/lib/render.js";
window.show = (names, width) => {
  const cards = document.getElementById("cards");
  cards.style.width = `${width}px`;
  render(cards, ...names.map((name) => card(name, { key: name })));
};
</script>"""
# The boxes of the parts of a card, and the names of its classes.
MEASURE = """
(name) => {
  const svg = document.querySelector(`[aria-label="${name}"]`);
  const box = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const boxes = (selector) => [...svg.querySelectorAll(selector)].map(box);
  return {
    card: box(svg),
    indices: boxes(".index"),
    corners: boxes(".corner .pip"),
    pips: boxes(".middle > .pip"),
    frame: boxes(".frame"),
    figure: boxes(".middle g > *"),
  };
}
"""
Box = list[float]


@pytest.fixture
def page(browser: Browser) -> Page:
    """A page that draws cards with the module of the pages."""
    page = open_context(browser).new_page()

    def fulfill(route: Route) -> None:
        path = route.request.url.removeprefix("http://cards.test/")
        kind = {"css": "text/css", "js": "text/javascript"}.get(path.rpartition(".")[2])
        body = (FOLDER / path).read_text("utf-8") if kind else HTML
        route.fulfill(body=body, content_type=kind or "text/html")

    page.route("http://cards.test/**", fulfill)
    page.goto("http://cards.test/")
    return page


def overlap(first: Box, second: Box) -> bool:
    """Whether two boxes share more than a border."""
    left, top = max(first[0], second[0]), max(first[1], second[1])
    right, bottom = min(first[2], second[2]), min(first[3], second[3])
    return right - left > 0.5 and bottom - top > 0.5


def is_inside(inner: Box, outer: Box) -> bool:
    """Whether a box is within another."""
    return all(inner[side] >= outer[side] - 1 for side in (0, 1)) and all(
        inner[side] <= outer[side] + 1 for side in (2, 3)
    )


@pytest.mark.parametrize("size", SIZES)
def test_faces(page: Page, size: int) -> None:
    """Every card of the deck, at the smallest and a large size."""
    page.evaluate("([names, size]) => show(names, size)", [list(names(DECK)), size])
    labels = [each.get_attribute("aria-label") for each in page.locator("svg").all()]
    assert len(set(labels)) == len(DECK)
    for label in labels:
        check_face(page.evaluate(MEASURE, label), f"{label} at {size}")


def check_face(parts: dict[str, Any], name: str) -> None:
    """Two corners; as many pips as the rank says, apart from each other and from the corners."""
    corners = [*parts["indices"], *parts["corners"]]
    assert len(parts["indices"]) == len(parts["corners"]) == 2, name
    assert all(is_inside(corner, parts["card"]) for corner in corners), name
    rank = name.split()[0]
    pips = parts["pips"]
    if rank in ("king", "queen", "jack"):
        (frame,) = parts["frame"]
        assert all(is_inside(shape, frame) for shape in parts["figure"]), name
        assert not any(overlap(corner, frame) for corner in corners), name
        return
    ranks = ("ace", "deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    assert len(pips) == ranks.index(rank) + 1, name
    middle = (parts["card"][0] + parts["card"][2]) / 2
    assert abs(sum(pip[0] + pip[2] for pip in pips) / (2 * len(pips)) - middle) < 1, name
    for number, pip in enumerate(pips):
        assert not any(overlap(pip, other) for other in [*pips[:number], *corners]), name
