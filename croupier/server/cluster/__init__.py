"""Several servers on one database: table leases, proxy to the owner, link between servers."""
