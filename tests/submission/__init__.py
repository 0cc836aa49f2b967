"""Tests of `croupier.submission`."""
