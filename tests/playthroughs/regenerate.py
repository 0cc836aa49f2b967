"""Regenerates every golden transcript; review the diff afterwards."""

from __future__ import annotations

from pathlib import Path

from tests.playthroughs.rounds import every_round

FOLDER = Path(__file__).parent
COMMAND = "python -m tests.playthroughs.regenerate"


def transcripts() -> dict[str, str]:
    """Return the text of every transcript by path: "top_five/win-hand.txt"."""
    return {f"{script.game}/{script.name}.txt": script.transcript() for script in every_round()}


def main() -> None:
    """Replace all transcripts."""
    for path in FOLDER.glob("*/*.txt"):
        path.unlink()
    texts = transcripts()
    for name, text in texts.items():
        (FOLDER / name).parent.mkdir(exist_ok=True)
        (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"{len(texts)} transcripts written to {FOLDER}")


if __name__ == "__main__":
    main()
