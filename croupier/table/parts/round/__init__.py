"""The round: wagers, cards, decisions, settlement and what goes wrong (chapters 6 to 13)."""
