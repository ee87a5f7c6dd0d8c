"""Any OpenAI-compatible endpoint, by base address, key and model name."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headrace.nodes.egress import client_for

if TYPE_CHECKING:
    from pydantic_ai.models import Model

_RETRIES = 2


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model answers. The key leaves this object only in the request to that address."""

    url: str
    """The base address, such as `http://127.0.0.1:8080/v1`."""
    name: str = "default"
    """The model's name at that endpoint."""
    key: str = ""

    def __repr__(self) -> str:
        """Return the endpoint without its key, so that no log or traceback can show it."""
        return f"Endpoint(url={self.url!r}, name={self.name!r})"


@asynccontextmanager
async def compatible_model(endpoint: Endpoint, leaving: Callable[[int], None]) -> AsyncGenerator[Model]:
    """Lend a model that speaks to this endpoint, and let go of the connection afterwards.

    `leaving` hears the bytes of each request before it goes. A stream that ends without a finish reason is an error, not
    an answer. What is refused for now (429, 5xx, no connection) is asked again twice before anything has arrived, after
    the wait that the provider names.
    Errors: Invalid where the address cannot be one.
    """
    import openai
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider

    async with client_for(endpoint.url, leaving=leaving) as http:
        client = openai.AsyncOpenAI(
            base_url=endpoint.url, api_key=endpoint.key or "none", max_retries=_RETRIES, http_client=http
        )
        yield OpenAIChatModel(
            endpoint.name,
            provider=OpenAIProvider(openai_client=client),
            profile=OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True),
        )
