"""Run 'Em Twice Poker: rules, submission form, rule book data, and its own solver modules."""
