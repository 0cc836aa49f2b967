"""Jackpot Hold 'Em: rules, submission form, rule book data, and its own solver modules."""
