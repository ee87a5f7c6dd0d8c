"""Reads the grammar of requests from its text files: one rule a line, under the symbol that it is for.

    NAME := words              a piece of template that `<NAME>` stands for below
    symbol                     the symbol of the rules that follow
      template :: meaning @ cost

A template is what `grammar.compiled` reads. A meaning is a call such as `compare('>', n)`: a name out of a vocabulary of
builders, over the template's slots and constants. It is read as a tree and built by walking it; nothing is evaluated, and
whatever else stands there is refused when the file is read. A slot that an optional part left empty is None, and what it is `of` is nothing.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .grammar import Build, Rule, compiled

_MACRO = re.compile(r"<([A-Za-z_]+)>")
_DEFINITION = re.compile(r"([A-Za-z_]+) := (.+)")


@dataclass(slots=True)
class Notation:
    """A reader that knows the builders by name and remembers the definitions it has read."""

    builders: Mapping[str, Any]
    definitions: dict[str, str] = field(default_factory=dict)

    def rules(self, text: str) -> Iterator[Rule]:
        """Yield the rules of a text. Errors: ValueError with the line that cannot be read."""
        symbol = ""
        for line in text.splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            if line.startswith("  "):
                yield self._rule(symbol, line.strip())
            elif defined := _DEFINITION.fullmatch(line):
                self.definitions[defined[1]] = self.expanded(defined[2])
            else:
                symbol = line.strip()

    def expanded(self, template: str) -> str:
        """Return a template with its `<NAME>`s written out."""
        return _MACRO.sub(lambda found: self.definitions.get(found[1], found[0]), template)

    def _rule(self, symbol: str, line: str) -> Rule:
        template, _, rest = line.partition(" :: ")
        meaning, cost = costed(rest)
        try:
            template = self.expanded(template)
            return Rule(symbol, template, self._build(meaning, slots(template)), cost)
        except (ValueError, SyntaxError, TypeError, KeyError) as error:
            raise ValueError(f"The rule {line!r} of {symbol!r} cannot be read: {error}") from error

    def _build(self, meaning: str, named: frozenset[str]) -> Build:
        tree = ast.parse(meaning, mode="eval").body
        self._check(tree, named)
        return lambda **bound: self._made(tree, bound)

    def _check(self, tree: ast.expr, named: frozenset[str]) -> None:
        """Refuse what is neither a slot, a constant, a known builder with fitting arguments, nor a part of one."""
        match tree:
            case ast.Name(id=name) if name not in named and name not in self.builders:
                raise ValueError(f"there is no slot and no builder {name!r}")
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                keys = {str(keyword.arg): keyword.value for keyword in keywords}
                _signature(self.builders[name]).bind(*args, **keys)
                for each in (*args, *keys.values()):
                    self._check(each, named)
            case ast.Tuple(elts=elements):
                for each in elements:
                    self._check(each, named)
            case ast.Starred(value=inner) | ast.Attribute(value=inner) | ast.Subscript(value=inner):
                self._check(inner, named)
            case ast.Name() | ast.Constant():
                pass
            case _:
                raise ValueError(f"{ast.unparse(tree)!r} is no slot, constant or call of a builder")

    def _made(self, tree: ast.expr, bound: Mapping[str, Any]) -> Any:
        match tree:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return bound[name] if name in bound else self.builders.get(name)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                builder: Callable[..., Any] = self.builders[name]
                given = [self._made(each, bound) for each in args]
                return builder(*given, **{str(key.arg): self._made(key.value, bound) for key in keywords})
            case ast.Tuple(elts=elements):
                made: list[Any] = []
                for each in elements:
                    inner = each.value if isinstance(each, ast.Starred) else each
                    value = self._made(inner, bound)
                    made += value if isinstance(each, ast.Starred) else [value]
                return tuple(made)
            case ast.Attribute(value=inner, attr=name):
                whole = self._made(inner, bound)
                return () if whole is None else getattr(whole, name)
            case ast.Subscript(value=inner, slice=ast.Constant(value=at)):
                return self._made(inner, bound)[at]
        raise ValueError(f"{ast.unparse(tree)!r} was not checked")


_signature = lru_cache(maxsize=None)(inspect.signature)
"""Some hundred rules name the same few builders, and every start reads them all."""


def costed(text: str) -> tuple[str, float]:
    """Return a text without the cost at its end, and the cost; 0 where there is none."""
    head, sign, cost = text.rpartition(" @ ")
    return (head, float(cost)) if sign else (text, 0.0)


def slots(template: str) -> frozenset[str]:
    """Return the names of a template's slots. Errors: ValueError where it is no template."""
    compiled(template)
    return frozenset(name for name in re.findall(r"\{(\w+)[^{}]*\}", template) if not name.startswith("_"))
