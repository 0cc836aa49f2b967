"""Write path: group commit (`group_commit.py`), one transaction per group, asyncio front."""
