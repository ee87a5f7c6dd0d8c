"""The door for browsers: HTTP under /api, one event stream, the built web app. Decides nothing that the workspace decides."""
