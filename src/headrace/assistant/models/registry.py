"""Which models can be chosen here, and the one that a name means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from headrace.base.data_kinds import DATA_KINDS, DataKind
from headrace.base.errors import Invalid
from headrace.base.value import Value
from headrace.nodes.catalog import Catalog
from headrace.nodes.egress import origin, stays_here

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


Leaving = Callable[[int], None]
"""Hears how many bytes are about to leave."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A model that a name means: what of the data it may be told, and how to speak to it."""

    name: str
    share: DataKind
    lend: Callable[[Leaving], AbstractAsyncContextManager[Model]]
    """Lends the model for a turn; it tells of each request before it leaves."""
    provider: str = ""
    """Where it answers, `scheme://host:port`; empty: in this program."""


class Models:
    """The models of one installation: the offline planner always, an endpoint where one is set, scripts in tests."""

    def __init__(
        self,
        catalog: Catalog,
        *,
        endpoint: Endpoint | None = None,
        share: DataKind | None = None,
        scripts: Mapping[str, Callable[[], Model]] | None = None,
    ) -> None:
        self._catalog = catalog
        self._endpoint = endpoint
        self._share = share
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
            told = _TOLD[self._share_of(self._endpoint)]
            hint = f"Answers at {self._endpoint.url}. It is told {told}."
            found.append(ModelChoice(name="endpoint", title=self._endpoint.name, hint=hint))
        return (*found, offline)

    def resolve(self, name: str) -> Chosen:
        """Return the model of a name; the empty name means the default.

        Errors: Invalid `unknown_model`, naming those that there are.
        """
        chosen, endpoint = name or self.default, self._endpoint
        if chosen in self._scripts:
            return Chosen(chosen, self._share or DATA_KINDS[-1], lambda _: nullcontext(self._scripts[chosen]()))
        if chosen == "offline":
            return Chosen(chosen, DATA_KINDS[-1], lambda _: nullcontext(offline_model(self._catalog)))
        if endpoint is not None and chosen in ("endpoint", endpoint.name):
            lend = partial(compatible_model, endpoint)
            return Chosen("endpoint", self._share_of(endpoint), lend, origin(endpoint.url))
        known = ", ".join(choice.name for choice in self.choices())
        raise Invalid(
            "unknown_model",
            f"There is no model {name!r} here.",
            f"Models here: {known}. To add one, set HEADRACE_MODEL_URL (and HEADRACE_MODEL_NAME, HEADRACE_MODEL_KEY).",
        )

    def _share_of(self, endpoint: Endpoint) -> DataKind:
        """What an endpoint is told: what was set, else all on this machine and no data elsewhere."""
        return self._share or (DATA_KINDS[-1] if stays_here(endpoint.url) else DATA_KINDS[0])


_TOLD: Mapping[DataKind, str] = {
    "columns": "the flow, names and types of columns and counts of rows; no values and no rows of your data",
    "values": "the flow, names and types of columns, counts of rows and single values; no rows of your data",
    "rows": "the flow, columns, values and sample rows of your data",
}
