"""All games in a terminal of 80 columns and 24 rows. Start in `start` (setup) and `game_loop`.

`render` turns rounds and Houses into lines of text, `io` reads and prints them, `textual_ui` is
the full-screen app. Rules are not here: the table decides what is legal and what it pays.
"""

from __future__ import annotations

from croupier.terminal.coach_thread import coach_is_solving
from croupier.terminal.start import play

__all__ = ["coach_is_solving", "play"]
