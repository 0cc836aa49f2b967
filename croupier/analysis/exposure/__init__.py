"""Game protection: the value of exposed cards, and detection of players who use them.

Start with `exposed_cards.analyze_exposure` and `detection.PlayerEvidence`.
"""
