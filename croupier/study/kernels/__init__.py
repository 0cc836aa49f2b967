"""The compiled code of study: it counts, and knows no rule and no payout.

Kernels import NumPy, Numba and `croupier.ranking`, nothing else of the project.
"""
