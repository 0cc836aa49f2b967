"""Input and output of the terminal: styled text, screen, line input, prompts."""
