"""The models that can answer a turn, each behind the same seam: a Pydantic AI model."""
