"""YAML and JSON files as values, with the line on which each field stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forgetproof.linting.places import lines as lines_of
from simulators.data.disk import DEEPEST, parse_json, read_text

MOST_FIELDS = 100_000
MOST_BYTES = 2**24
SUFFIXES = (".yaml", ".yml", ".json")


@dataclass(frozen=True)
class Configuration:
    """A file of settings.

    Attributes:
        file: where it lies.
        value: what it holds.
        lines: dotted path of a field -> its line, from 1; entries of lists by their place.
    """

    file: str
    value: Any
    lines: dict[str, int]

    def field(self, path: str) -> Any:
        """The value at a dotted path such as "training.lr"; KeyError where there is none."""
        value = self.value
        for key in path.split("."):
            if isinstance(value, dict) and key in value:
                value = value[key]
            elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
                value = value[int(key)]
            else:
                raise KeyError(path)
        return value


def read(path: Path) -> Configuration:
    """The configuration in a YAML or JSON file.

    Raises ValueError that begins with the file for text that is neither, for a key that stands
    twice in one mapping, and for more than `MOST_FIELDS` fields; OSError where it cannot be read;
    ImportError where the file is no JSON and PyYAML is missing.
    """
    try:
        text = read_text(path, MOST_BYTES)
        value, lines = _of_json(text) if path.suffix == ".json" else _of_yaml(text)
    except RecursionError:
        raise ValueError(f"{path} must be nested less deeply") from None
    except ValueError as error:
        message = str(error)
        raise ValueError(
            message if message.startswith(str(path)) else f"{path}: {message}"
        ) from error
    return Configuration(str(path), value, lines)


def _of_json(text: str) -> tuple[Any, dict[str, int]]:
    """The value of a JSON text, and dotted path -> line."""
    value = parse_json(text, object_pairs_hook=_once)
    lines = lines_of(text)
    return value, {p.replace("[", ".").replace("]", ""): line for p, line in lines.items()}


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping in which no key stands twice."""
    _insist_on_once([key for key, _ in pairs])
    return dict(pairs)


def _insist_on_once(keys: list[str]) -> None:
    """ValueError naming the first of the keys of a mapping that stands twice."""
    for key, count in Counter(keys).items():
        if count > 1:
            raise ValueError(f"{key} must stand once in a mapping")


def _of_yaml(text: str) -> tuple[Any, dict[str, int]]:
    """The value of a YAML text, and dotted path -> line."""
    import yaml

    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        if node is None:
            return None, {}
        lines = dict(_lines(node))
        return loader.construct_document(node), lines
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}" if mark is not None else ""
        what = getattr(error, "problem", None) or error
        raise ValueError(f"it must be YAML: {what}{where}") from error


def _lines(root: Any) -> Iterator[tuple[str, int]]:
    """(dotted path, line) of every field below the node."""
    from yaml.nodes import MappingNode, SequenceNode

    below = [("", root, 0)]
    count = 0
    while below:
        path, node, depth = below.pop()
        # An alias that names what it stands in has no end.
        if depth > DEEPEST:
            raise ValueError(f"it must be nested at most {DEEPEST} levels deep")
        fields: list[tuple[str, Any, Any]] = []
        if isinstance(node, MappingNode):
            fields = [(str(key.value), key, value) for key, value in node.value]
            # Several mappings may be merged into one.
            _insist_on_once([name for name, _, _ in fields if name != "<<"])
        elif isinstance(node, SequenceNode):
            fields = [(str(place), entry, entry) for place, entry in enumerate(node.value)]
        count += len(fields)
        if count > MOST_FIELDS:
            raise ValueError(f"it must hold at most {MOST_FIELDS} fields")
        for name, mark, value in fields:
            inner = f"{path}.{name}" if path else name
            yield inner, mark.start_mark.line + 1
            below.append((inner, value, depth + 1))
