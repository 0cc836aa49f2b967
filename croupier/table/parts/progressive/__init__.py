"""Progressive wagers: chip count against accepted wagers, and award validation (A50, A144).

Start with `messages`, then `coin_count` and `awards`.
"""
