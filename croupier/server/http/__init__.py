"""HTTP layer below the endpoints: requests, errors, middleware, WebSocket protocol, OpenAPI.

Start with `endpoint`, which declares a route together with its OpenAPI operation.
"""
