"""The grammar of requests, as templates: one module an area. None of them knows a table or a node type."""
