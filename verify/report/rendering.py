"""Templates of the report filled in, and its style sheets and scripts as text."""

from __future__ import annotations

from functools import cache
from typing import Any
from urllib.parse import quote_plus

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from verify import words
from verify.report.breakable import breakable
from verify.report.places import PAGE_SCRIPT, SCRIPT, STYLE


def render(template: str, **values: Any) -> str:
    """The template with these values; a value that it lacks is an error."""
    return environment().get_template(template).render(**values)


def asset(name: str) -> str:
    """The text of a style sheet or of a script."""
    templates = environment()
    source: str = templates.loader.get_source(templates, name)[0]  # type: ignore[union-attr]
    return source


def assets() -> dict[str, str]:
    """Where each asset of a report lies in its folder -> its text."""
    style = asset("style.css") + asset("claim.css")
    scripts = {path: asset(path.rpartition("/")[2]) for path in (SCRIPT, PAGE_SCRIPT)}
    return {STYLE: style, **scripts}


@cache
def environment() -> Environment:
    """The templates of this package."""
    # StrictUndefined: a missing value is an error, not an empty place; autoescape: texts are
    # anybody's.
    templates = Environment(
        loader=PackageLoader("verify.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters.update(
        number=words.number,
        tone=words.tone_of,
        svg=Markup,
        fragment=quote_plus,
        formula=breakable,
    )
    return templates
