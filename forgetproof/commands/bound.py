"""`forgetproof bound`: a claim's formula at given numbers."""

from __future__ import annotations

from typing import Any

import click

from forgetproof.expressions import assignments
from forgetproof.options import emit_json, json_option


@click.command(
    "bound",
    epilog="\b\nExample: forgetproof bound sglu.lem3.4 alpha=3 Z=1 s2=1 c=0.9 K=20 --form tight",
)
@click.argument("id")
@click.argument("inputs", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--form", help="printed, corrected or tight; all of them without it.")
@click.option("--latex", is_flag=True, help="Print the formula instead of its value.")
@json_option
def command(id: str, inputs: tuple[str, ...], form: str | None, latex: bool, as_json: bool) -> None:
    """Evaluate a claim's formula. Values may be expressions such as 1/11264, or lists [1, 2]."""
    import bounds

    claim = bounds.get(id)
    if not claim.forms:
        raise ValueError(f"id must name a claim with a formula, got {id!r}, which has none")
    names = [form] if form else list(claim.forms)
    if latex:
        if inputs:
            raise ValueError(f"inputs must be left out with --latex, got {inputs[0]!r}")
        texts = {name: claim[name].tex for name in names}
        if as_json:
            emit_json({"id": claim.id, "left": claim.left, "latex": texts})
        else:
            for name, tex in texts.items():
                click.echo(f"% {claim.id} {name}\n{tex}")
        return
    values = assignments(inputs)
    missing = {name: _missing(claim[name], values) for name in names}
    # Forms may take different arguments: those that can be evaluated are, unless there is none.
    ready = [name for name in names if not missing[name]] or names[:1]
    results = {}
    for name in ready:
        chosen = claim[name]
        known = {k: v for k, v in values.items() if k in chosen.arguments or k not in claim.symbols}
        results[name] = _plain(chosen(**known))
    wanting = {name: needed for name, needed in missing.items() if needed}
    if as_json:
        tail = {"form": form, "value": results[form]} if form else {"values": results}
        more = {"missing": wanting} if wanting else {}
        emit_json({"id": claim.id, **tail, **more, "inputs": values})
        return
    for name, value in results.items():
        click.echo(f"{name:<10} {value!r}   {claim[name].note}".rstrip())
    for name, needed in wanting.items():
        click.echo(f"{name:<10} needs {', '.join(needed)}")


def _missing(form: Any, values: dict[str, Any]) -> list[str]:
    """Arguments that the form needs and was not given."""
    return [a for a in form.arguments if a not in values and a not in form.optional]


def _plain(value: Any) -> Any:
    return value.item() if value.ndim == 0 else value.tolist()
