"""HTTP, WebSocket and page endpoints, one module per topic.

Start with `command_endpoints`: every command at a table passes through it.
"""
