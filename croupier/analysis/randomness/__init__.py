"""Tests of the shuffle (`shuffle_tests`) and of raw random bits (`sp800_22`)."""
