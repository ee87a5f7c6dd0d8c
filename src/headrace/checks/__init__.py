"""Judges: what is wrong with a flow, said without running it. Stable codes, exact places, fixes that are operations."""
