"""Harbor Duel for Croupier: the game in two editions, its rule book, form and solver."""
