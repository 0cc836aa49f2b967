"""The core of a table: messages, parts, dispatch, views, steps, snapshots and accounting.

Start with `messages` (Command, Event, Envelope) and `part` (what a part of a table consists of).
"""
