"""Node types that carry tables out: into files and charts."""
