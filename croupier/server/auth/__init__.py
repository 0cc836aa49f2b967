"""Accounts, credentials, sessions, rate limits, the two-person rule, records of attempts.

Start with `accounts`, which records changes in the account register of the ledger and has
passwords and sessions in a database of its own; `guard` authenticates requests.
"""
