"""The commands, one module per group; `croupier.cli.main` puts them together."""
