"""Runs: what must be done in which order, done on DuckDB, told as events. Keeps nothing and knows no flow store."""
