"""What to tell a person when a turn breaks off: one table from causes to words. Never a traceback."""

from __future__ import annotations

import logging

from pydantic_ai import exceptions as ai

from headrace.base.errors import HeadraceError
from headrace.base.ids import new_id


class RepeatedFailure(Exception):
    """The same call failed in the same way once more: going on would only burn the budget."""


_log = logging.getLogger(__name__)

_CAUSES: tuple[tuple[type[Exception], str, str], ...] = (
    (
        ai.ModelAuthenticationError,
        "model_key_refused",
        "The model's provider refused the key. Check the key in the settings.",
    ),
    (
        ai.ModelNotFoundError,
        "model_unknown",
        "The provider does not know a model of that name. Check the model's name in the settings.",
    ),
    (
        ai.ModelQuotaExceededError,
        "model_quota",
        "The provider says that the quota is used up. Nothing more can be asked until it is raised.",
    ),
    (ai.ModelRateLimitError, "model_busy", "The provider takes no more requests just now. Try again in a minute."),
    (
        ai.ModelContextWindowExceededError,
        "model_context",
        "This chat has become too long for the model. Start a new chat; the flow stays as it is.",
    ),
    (ai.ModelOverloadedError, "model_busy", "The provider is overloaded. Try again in a minute."),
    (ai.ModelServerError, "model_failed", "The provider answered with an error of its own. Try again."),
    (
        ai.ModelRequestRejectedError,
        "model_rejected",
        "The provider refused the request. Check that the model can call tools.",
    ),
    (ai.ModelTimeoutError, "model_silent", "The model did not answer in time. Try again, or choose another model."),
    (
        ai.ModelConnectionError,
        "model_unreachable",
        "The model cannot be reached, or the connection broke off. Check its address and that it is running.",
    ),
    (ai.UsageLimitExceeded, "budget_used_up", "This turn has used up its budget and was stopped."),
    (ai.RunTimedOut, "budget_used_up", "This turn has used up its time and was stopped."),
    (
        ai.UnexpectedModelBehavior,
        "model_confused",
        "The model kept calling tools in a way that cannot be read, and was stopped. Say it in smaller parts, or choose another model.",
    ),
    (ai.ModelAPIError, "model_failed", "The model's answer broke off. Try again."),
)


def explain(error: Exception) -> tuple[str, str]:
    """Return a stable code and a sentence for a person. An unknown error is logged whole and shown as an id."""
    if isinstance(error, HeadraceError):
        return error.code, str(error)
    if isinstance(error, RepeatedFailure):
        return "repeated_failure", f"Stopped: {error}."
    for cause, code, words in _CAUSES:
        if isinstance(error, cause):
            return code, words
    reference = new_id("err")
    _log.error("turn failed [%s]", reference, exc_info=error)
    return "internal", f"Something went wrong here (reference {reference}). It is logged; the flow is as it was."
