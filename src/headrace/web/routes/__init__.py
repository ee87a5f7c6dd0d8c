"""The routes under /api, one module a thing. Each calls the workspace or the assistant once and returns a view."""
