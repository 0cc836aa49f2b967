"""Console renderers (Rich tables and JSON) of analyses, submissions and the rule book.

Each module has `render` for people and usually `to_json` for `--json`.
"""
