"""Node types that bring tables in."""
