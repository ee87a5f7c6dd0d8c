"""What an agent may do, written once, usable by any door. Refuses to reach past the workspace."""
