"""Node types: what each is, what it takes, what comes out, how it is written in SQL or run."""
