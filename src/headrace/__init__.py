"""Headrace: a visual flow builder for tables with an assistant.

Owns the version number and nothing else: importing this package loads no other module of it.
"""

__version__ = "0.1.0"
