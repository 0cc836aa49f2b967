"""One hosted table: `host` (commands, fan-out), `subscription` and `frames` (what readers get)."""
