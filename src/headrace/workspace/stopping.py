"""The word that whoever called is no longer interested: looks and thrown-away runs end when it is given."""

from __future__ import annotations

from headrace.engine.cancel import CancelToken


class Stop(CancelToken):
    """Given once, from any thread; it stays given."""
