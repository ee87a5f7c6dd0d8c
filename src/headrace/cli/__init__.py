"""The door for terminals: one file a command. Decides nothing that the workspace decides; says things in plain words."""
