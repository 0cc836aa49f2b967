"""Strategies as rules: `rule_language` parses them, `cost` values them exactly.

`features` are the names that rules may use, `rule_search` finds short rule lists.
"""
