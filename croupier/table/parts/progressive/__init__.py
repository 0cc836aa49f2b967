"""The progressive system: chips against accepted wagers, lights, validated awards (A50, A144)."""
