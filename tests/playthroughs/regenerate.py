"""Write every golden transcript anew; then read the diff."""

from __future__ import annotations

from pathlib import Path

from tests.playthroughs.rounds import every_round

FOLDER = Path(__file__).parent
COMMAND = "python -m tests.playthroughs.regenerate"


def transcripts() -> dict[str, str]:
    """The text of every transcript by its path: "top_five/win-hand.txt"."""
    return {f"{script.game}/{script.name}.txt": script.transcript() for script in every_round()}


def main() -> None:
    """Replace what is there."""
    for old in FOLDER.glob("*/*.txt"):
        old.unlink()
    texts = transcripts()
    for path, text in texts.items():
        (FOLDER / path).parent.mkdir(exist_ok=True)
        (FOLDER / path).write_text(text, encoding="utf-8")
    print(f"{len(texts)} transcripts written to {FOLDER}")


if __name__ == "__main__":
    main()
