"""The frozen value object that every wire type of the house is made of."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen value; unknown fields are refused, so a typo by a model or a client surfaces at once.

    The docstring under a field is its description: it reaches the tool schema, the form and the web client.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, validate_default=False)
