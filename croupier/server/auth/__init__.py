"""Accounts and their database, sessions, rate limits, the two-person rule, denied attempts.

Start with `accounts`; `guard` authenticates requests.
"""
