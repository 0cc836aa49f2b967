"""Texas Hold 'Em Bonus Poker: rules, submission form, rule book data, and its own solver modules."""
