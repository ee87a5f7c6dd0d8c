"""Node types that keep, order or take away rows."""
