"""Practice tables: `dealer_bot` runs a table, `requests` are the forms players send to it."""
