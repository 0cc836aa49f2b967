"""Printed and drawn output: felts, signs, filings, PAR sheets, reports, charts, console tables.

Import the module you need; the package itself imports nothing.
"""
