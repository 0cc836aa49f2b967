"""Export, import, backup, restore and archive; the file format is in `verifier.py`."""
