"""Rules Submissions: what is legal, what is refused, and in which words."""
