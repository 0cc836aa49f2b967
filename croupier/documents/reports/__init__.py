"""Ledger reports, hand histories and the watchlist. Start with `report_registry.report`."""
