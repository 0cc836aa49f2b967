"""Event-sourced aggregates of a ledger: meters, duty roster, administration, approvals, accounts.

Each is pure (`decide` may refuse, `evolve` may not). `aggregate_types` maps stream names to them;
`followers` keeps the ones that tables share up to date in a process.
"""
