"""Harbor Duel for Croupier: the game in two editions, its rule book, its form and its solver."""
