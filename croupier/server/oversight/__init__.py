"""What oversight sees: rounds on record, gaming days and their checkpoints, reports."""
