"""The dealer school: `lessons` from start to signature, `grading`, and `simulated_people`."""
