"""Node types that make many rows into few."""
