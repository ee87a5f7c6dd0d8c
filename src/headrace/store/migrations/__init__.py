"""Brings a database from any older layout to the present one, all or nothing, with a copy of it put aside first."""
