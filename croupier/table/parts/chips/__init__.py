"""Chips: bought, exchanged, tipped, taken away; fills and credits; what a round may ask of them."""
