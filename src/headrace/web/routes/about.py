"""What this installation is, and that it is there."""

from __future__ import annotations

from fastapi import APIRouter

from headrace import __version__
from headrace.web.parts import Here
from headrace.web.shapes import About, Health, ModelView

router = APIRouter(tags=["about"])


@router.get("/health")
def health() -> Health:
    """Return that the server is there; asks for no token."""
    return Health(version=__version__)


@router.get("/about")
def about(parts: Here) -> About:
    """Return the version, the models that can be chosen (the default first), who acts, and the data folder's name."""
    models = (ModelView(name=each.name, title=each.title, hint=each.hint) for each in parts.assistant.models.choices())
    return About(
        version=__version__,
        models=tuple(models),
        actor=parts.actor.owner,
        data_folder_name=parts.data_folder_name,
    )
