"""Node types that make, choose, rename and mend columns."""
