"""Benchmarks: figures beside peers in one run; ratios count, times on shared machines are noisy."""
