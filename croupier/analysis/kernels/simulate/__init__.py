"""Monte Carlo rounds: `philox` deals, the `*_rounds` modules decide and code, `tally` adds up."""
