"""Scenarios: one round written as JSON. `scenario` parses the format, `replay` plays it."""
