"""The full-screen game, a Textual app. Start in `textual_app`."""
