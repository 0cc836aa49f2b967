"""Audit of a ledger. Start with `verify.verify`, which checks everything in a database.

`replay_check` decides every command again, `cross_stream` compares streams with each other,
`deck_commitments` checks the virtual decks of practice tables.
"""
