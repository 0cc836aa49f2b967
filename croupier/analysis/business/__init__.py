"""Business figures: player sessions, prediction intervals, progressive meters, paytable design.

Distributions of many rounds are convolved (`fft_convolution`), never approximated as normal.
"""
