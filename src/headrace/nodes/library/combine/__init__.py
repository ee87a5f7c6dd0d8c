"""Node types that put several tables together."""
