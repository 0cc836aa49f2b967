"""Console renderers (Rich tables) of analyses, submissions and the rule book.

Each module has `render`. The JSON of a result is its fields (`formatting.json_values`); a module
has `to_json` if that is not enough.
"""
