"""Hands of live cards: `live_card_counts` compares sets, `subset_sums` sums over known cards."""
