"""Keeps records and nothing else: a protocol, SQL tables behind it, and a fake in memory. Knows no rule of flows."""
