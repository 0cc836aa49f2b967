"""Read-only queries on the log: periods, rounds, round search, and the figures behind reports."""
