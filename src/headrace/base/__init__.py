"""The leaf room: errors, ids, canonical JSON, the clock and the frozen value. Knows nothing of flows."""
