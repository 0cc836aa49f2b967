"""Database access: connection pools, schema migrations, and checks of the SQLite file."""
