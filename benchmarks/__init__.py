"""Benchmarks against peers in the same run; compare ratios, since absolute times are noisy."""
