"""From what a flow keeps for a node to the config that its type reads: parameters put in, every fault listed.

Refuses secrets: none of the types that handle tables may hold one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from pydantic import ValidationError

from headrace.flow.model import Node, Parameter

from .near import near
from .spec import Config, Fault, NodeType

_PLAIN = {
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
    "dict_type": "must be an object",
    "float_type": "must be a number",
    "int_from_float": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_type": "must be a whole number",
    "list_type": "must be a list",
    "model_type": "must be an object",
    "string_type": "must be text",
    "tuple_type": "must be a list",
}
_SIMPLE = frozenset({"bool", "int", "float", "str"})
"""What pydantic calls the branches of a value that may be of several simple kinds."""
_SIMPLE_WORDS = "a text, a number, or true or false"
_MOST_FAULTS = 20


def read_config(
    node: Node, node_type: NodeType, parameters: Mapping[str, Parameter]
) -> tuple[Config | None, tuple[Fault, ...]]:
    """Return a node's config as its type reads it, or None and why not: F301, F302, F303, F304."""
    values, faults = filled(node.config, parameters)
    if faults:
        return None, faults
    if node.version < node_type.version:
        values = node_type.migrate(values, node.version)
    try:
        return node_type.Config.model_validate(values), ()
    except ValidationError as error:
        every = [_fault(each, values, node_type.Config) for each in _apart(error.errors(include_url=False))]
        return None, tuple(dict.fromkeys(every))[:_MOST_FAULTS]


def filled(config: Mapping[str, Any], parameters: Mapping[str, Parameter]) -> tuple[dict[str, Any], tuple[Fault, ...]]:
    """Return a config with each `{"$parameter": name}` replaced by that parameter's value, and what is wrong with them."""
    faults: list[Fault] = []
    values = {key: _filled(value, parameters, path=(key,), faults=faults) for key, value in config.items()}
    return values, tuple(faults)


def parameters_in(config: Any) -> Iterator[str]:
    """Return the names of the parameters that a config refers to."""
    if isinstance(config, Mapping):
        if set(config) == {"$parameter"} and isinstance(config["$parameter"], str):
            yield config["$parameter"]
        else:
            for value in config.values():
                yield from parameters_in(value)
    elif isinstance(config, list | tuple):
        for value in config:
            yield from parameters_in(value)


def _filled(value: Any, parameters: Mapping[str, Parameter], *, path: tuple[str, ...], faults: list[Fault]) -> Any:
    if isinstance(value, Mapping):
        if set(value) == {"$parameter"}:
            return _parameter(value["$parameter"], parameters, path=path, faults=faults)
        if set(value) == {"$secret"}:
            faults.append(
                Fault("F303", "A secret may not stand here: it would be written into SQL. Write the value.", path)
            )
            return None
        return {key: _filled(inner, parameters, path=(*path, key), faults=faults) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [
            _filled(inner, parameters, path=(*path, str(place)), faults=faults) for place, inner in enumerate(value)
        ]
    return value


def _parameter(name: Any, parameters: Mapping[str, Parameter], *, path: tuple[str, ...], faults: list[Fault]) -> Any:
    parameter = parameters.get(name) if isinstance(name, str) else None
    if parameter is None:
        close = near(str(name), parameters)
        there = f"There are: {', '.join(sorted(parameters))}." if parameters else "The flow has no parameters."
        meant = f" Did you mean {close[0]!r}?" if close else ""
        faults.append(Fault("F304", f"There is no parameter {name!r}.{meant} {there} Add it, or write a value.", path))
        return None
    if parameter.default is None:
        faults.append(
            Fault("F304", f"The parameter {name!r} has no value. Give it a default, or give the run a value.", path)
        )
    return parameter.default


def _apart(errors: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The errors that do not merely follow from others: a list is not too short because its items were refused."""
    places = [error["loc"] for error in errors]
    return [
        error
        for error in errors
        if error["type"] != "too_short"
        or not any(len(place) > len(error["loc"]) and place[: len(error["loc"])] == error["loc"] for place in places)
    ]


def _fault(error: Mapping[str, Any], values: Mapping[str, Any], config: type[Config]) -> Fault:
    path = tuple(str(part) for part in error["loc"] if not _is_branch(part))
    if error["type"] != "missing" and path and path[-1] in _SIMPLE and not _holds(values, path):
        return Fault("F303", f"{_named(path[:-1])} is {_shown(error['input'])}; it must be {_SIMPLE_WORDS}.", path[:-1])
    match error["type"]:
        case "missing":
            return Fault("F301", f"{_named(path)} is missing. {_described(config, path)}", path)
        case "extra_forbidden":
            return _unknown_key(path, config)
        case "literal_error" | "enum":
            return Fault(
                "F303", f"{_named(path)} is {_shown(error['input'])}; it must be {error['ctx']['expected']}.", path
            )
        case kind:
            must = _PLAIN.get(kind) or str(error["msg"]).removeprefix("Value error, ").removeprefix("Input ")
            must = _verb(must.replace("should", "must", 1).rstrip("."))
            what = f"{_named(path)} is {_shown(error['input'])}; it" if path else "This node"
            return Fault("F303", f"{what} {must}.", path)


def _holds(value: Any, path: Sequence[str]) -> bool:
    """Whether a config has a value at a path."""
    for part in path:
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list | tuple) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            return False
    return value is not None


def _verb(text: str) -> str:
    return text if text.startswith(("must", "may", "needs")) else f"does not fit: {text}"


def _unknown_key(path: tuple[str, ...], config: type[Config]) -> Fault:
    keys = _keys_at(config, path[:-1])
    close = near(path[-1], keys)
    meant = f" Did you mean {close[0]!r}?" if close else ""
    there = f" The keys are {', '.join(keys)}." if keys else ""
    return Fault("F302", f"{_named(path)} is not a key of this config.{meant}{there} Rename it, or take it out.", path)


def _keys_at(config: type[Config], path: Sequence[str]) -> list[str]:
    """The keys of the config object at a path, followed through lists and unions as far as they can be."""
    schema = config.model_json_schema()
    here: Any = schema
    for part in path:
        here = _resolved(here, schema)
        here = here.get("properties", {}).get(part) or here.get("items") or here.get("additionalProperties") or {}
    here = _resolved(here, schema)
    return list(here.get("properties", {})) if isinstance(here, dict) else []


def _resolved(part: Any, schema: Mapping[str, Any]) -> dict[str, Any]:
    while isinstance(part, dict):
        if "$ref" in part:
            part = schema["$defs"][part["$ref"].rsplit("/", 1)[-1]]
        elif "anyOf" in part:
            part = next((each for each in part["anyOf"] if each.get("type") != "null"), {})
        else:
            return part
    return {}


def _is_branch(part: Any) -> bool:
    """Whether a part of an error's place is pydantic's own name for a branch of a union, not a key."""
    return isinstance(part, str) and (
        part.startswith(("function-", "list[", "tuple[", "dict[", "literal[")) or "[" in part
    )


def _named(path: Sequence[str]) -> str:
    """A place in a config as people say it: `'column' in item 1 of 'by'`."""
    words = ""
    for part in path:
        if not part.isdigit():
            words = f"{part!r} in {words}" if words else repr(part)
        else:
            words = f"item {int(part) + 1} of {words}" if words else f"item {int(part) + 1}"
    return words or "The config"


def _described(config: type[Config], path: Sequence[str]) -> str:
    """What goes where something is missing, without the examples that are written for programs."""
    field = config.model_fields.get(path[0]) if len(path) == 1 else None
    if field is None or not field.description:
        return "Give it a value."
    choices = get_args(field.annotation)
    if choices and all(isinstance(choice, str) for choice in choices):
        return f"Choose one of {', '.join(choices)}."
    said = re.sub(r"(:|,? such as)? `[\[{][^`]*`", "", field.description.splitlines()[0])
    return f"What goes there: {said[:1].lower()}{said[1:]}"


def _shown(value: Any) -> str:
    text = repr(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:59]}…"
