"""Drivers that play a table without people: shuffler, shoe, bot players, simulated staff."""
