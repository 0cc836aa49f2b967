"""The table layout and the sign of a House, and the check that reads them back.

drawn = felt(house)
drawn.svg()         the layout to scale, with its own fonts
drawn.page_svg()    the same drawing for a page that brings fonts and styles
drawn.anchors()     where chips and cards go on it
"""

from __future__ import annotations

from croupier.papers.felt.felt import Felt, Logo, felt

__all__ = ["Felt", "Logo", "felt"]
