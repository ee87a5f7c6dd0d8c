"""What to tell a person when a turn breaks off: one table from causes to words. Never a traceback."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from pydantic_ai import exceptions as ai

from headrace.base.errors import HeadraceError
from headrace.base.ids import new_id


class RepeatedFailure(Exception):
    """The same call failed or answered in the same way once more: going on would only burn the budget."""


CUT_SHORT = (
    "The model's answer was cut off at the length that it may have. Ask in smaller parts, or allow it longer answers."
)
_SAID_NOTHING = (
    "The model answered with nothing that can be read. Check that the address is that of an OpenAI-compatible API "
    "(most end in /v1) which can stream."
)
_ITS_WORDS = 300
"""Characters of a provider's own words that are passed on."""


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
    (ai.OutputTokenLimitExceeded, "model_cut_short", CUT_SHORT),
    (
        ai.ContentFilterError,
        "model_filtered",
        "The provider's content filter stopped the answer. Say it in other words.",
    ),
    (
        ai.UnexpectedModelBehavior,
        "model_confused",
        "The model kept calling tools in a way that cannot be read, and was stopped. Say it in smaller parts, or choose another model.",
    ),
    (ai.ModelAPIError, "model_failed", "The model's answer broke off. Try again."),
)


def explain(error: Exception, *, heard: bool = True) -> tuple[str, str]:
    """Return a stable code and a sentence for a person. An unknown error is logged whole and shown as an id.

    `heard` tells whether the model said or called anything before.
    """
    if isinstance(error, HeadraceError):
        return error.code, str(error)
    if isinstance(error, RepeatedFailure):
        return "repeated_failure", f"Stopped: {error}."
    for cause, code, words in _CAUSES:
        if isinstance(error, cause):
            if cause is ai.UnexpectedModelBehavior and not heard:
                return "model_empty", _SAID_NOTHING
            return code, words + (_its_words(error) if cause is ai.ModelRequestRejectedError else "")
    reference = new_id("err")
    _log.error("turn failed [%s]", reference, exc_info=error)
    return "internal", f"Something went wrong here (reference {reference}). It is logged; the flow is as it was."


def _its_words(error: Exception) -> str:
    """Return what the provider said about a request that it refused: it mostly names the setting to change."""
    body = getattr(error, "body", None)
    said = body.get("message") if isinstance(body, Mapping) else None
    return f" It says: {' '.join(said.split())[:_ITS_WORDS]}" if isinstance(said, str) and said.strip() else ""
