"""The parts of a table: each module or folder is one subject with its state, commands and rules.

Start with `round` (betting, dealing, settlement); `core.part` says what a part consists of.
"""
