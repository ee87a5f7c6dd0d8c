"""The flow document: pure values and pure functions, no I/O. Everything else in the house speaks these types."""
