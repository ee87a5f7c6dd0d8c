"""The node types, one a file; a file that is put here is in the catalog."""
