"""The pit: the queue of floor, cage and security with its evidence, and the board of tables.

Start with `pit_endpoints`.
"""
