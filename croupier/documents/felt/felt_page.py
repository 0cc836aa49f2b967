"""A drawing as a page of its own size."""

from __future__ import annotations

from croupier.documents.felt.felt import Felt
from croupier.documents.felt.pdf_reader import differences
from croupier.documents.felt.sign import Sign
from croupier.documents.pdf import drawing_page
from croupier.errors import BadInput
from croupier.games import House


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
