"""The assistant: what it sees, how a turn goes, which models answer. Edits nothing except through the tools."""
