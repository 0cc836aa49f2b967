"""The player's room: all five games in a terminal of 80 columns and 24 rows.

Presentation is pure (`felt`, `telling`, `rules`, `slip`: a round or a House becomes lines), the
loop (`session`, `sitting`) speaks through an injected reader and screen. No rule lives here: what
is legal, paid and cited comes from the table and the House.
"""

from __future__ import annotations

from croupier.terminal.coach_thread import coach_is_solving
from croupier.terminal.start import play

__all__ = ["coach_is_solving", "play"]
