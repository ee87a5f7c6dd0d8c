"""Which models can be chosen here, and the one that a name means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from headrace.base.errors import Invalid
from headrace.base.value import Value
from headrace.nodes.catalog import Catalog

from .compatible import Endpoint, compatible_model
from .offline.model import offline_model

if TYPE_CHECKING:
    from pydantic_ai.models import Model


class ModelChoice(Value):
    """A model that can be chosen."""

    name: str
    title: str
    hint: str = ""
    """What it is good for, or what it still needs."""


class Models:
    """The models of one installation: the offline planner always, an endpoint where one is set, scripts in tests."""

    def __init__(
        self,
        catalog: Catalog,
        *,
        endpoint: Endpoint | None = None,
        scripts: Mapping[str, Callable[[], Model]] | None = None,
    ) -> None:
        self._catalog = catalog
        self._endpoint = endpoint
        self._scripts = dict(scripts or {})

    @property
    def default(self) -> str:
        """The name that stands when none is chosen: the endpoint where one is set, else the offline planner."""
        return self.choices()[0].name

    def choices(self) -> tuple[ModelChoice, ...]:
        """Return the models that can be chosen, the default first."""
        offline = ModelChoice(
            name="offline",
            title="Offline planner",
            hint="Rules, not a language model: everyday table requests in English, nothing leaves this machine.",
        )
        found = [ModelChoice(name=name, title=name) for name in self._scripts]
        if self._endpoint is not None:
            hint = f"Answers at {self._endpoint.url}."
            found.append(ModelChoice(name="endpoint", title=self._endpoint.name, hint=hint))
        return (*found, offline)

    def resolve(self, name: str) -> Model:
        """Return the model of a name; the empty name means the default.

        Errors: Invalid `unknown_model`, naming those that there are.
        """
        chosen = name or self.default
        if chosen in self._scripts:
            return self._scripts[chosen]()
        if chosen == "offline":
            return offline_model(self._catalog)
        if self._endpoint is not None and chosen in ("endpoint", self._endpoint.name):
            return compatible_model(self._endpoint)
        known = ", ".join(choice.name for choice in self.choices())
        raise Invalid(
            "unknown_model",
            f"There is no model {name!r} here.",
            f"Models here: {known}. To add one, set HEADRACE_MODEL_URL (and HEADRACE_MODEL_NAME, HEADRACE_MODEL_KEY).",
        )
