"""The use cases, and the only way in: every call names its actor, every answer is a view. Knows no chat, no HTTP."""
