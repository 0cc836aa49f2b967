"""Merkle tree, signed checkpoints, proofs, and the integrity check (`check.py`)."""
