"""A drawing as a page of its own size."""

from __future__ import annotations

from croupier.errors import BadInput
from croupier.games import House
from croupier.papers.felt.felt import Felt
from croupier.papers.felt.pdf_reading import differences
from croupier.papers.felt.sign import Sign
from croupier.papers.pages import drawing_page


def full_size(house: House, drawn: Felt | Sign) -> bytes:
    """The PDF of a drawing; it is read back before it is given out."""
    svg = drawn.svg()
    page = drawing_page(
        svg,
        width=drawn.width,
        height=drawn.height,
        title=drawn.name,
        author=house.operator,
        alt=drawn.description,
        approval=house.choices.layout_approval or "",
    )
    if unlike := differences(svg, page):
        raise BadInput("\n".join(unlike))
    return page
