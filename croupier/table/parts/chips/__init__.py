"""Chips: buy-ins, color-ups, tips, cash-outs, fills and credits.

Start with `messages` and `buy_in`; `chip_journal` posts the double-entry bookkeeping.
"""
