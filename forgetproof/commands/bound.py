"""`forgetproof bound`: a claim's formula at given numbers."""

from __future__ import annotations

from typing import Any

import click

from forgetproof.expressions import assignment
from forgetproof.options import emit_json, json_option


@click.command(
    "bound",
    epilog="Example: forgetproof bound sglu.lem3.4 alpha=3 Z=1 s2=1 c=0.9 K=20 --form tight",
)
@click.argument("id")
@click.argument("inputs", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--form", help="printed, corrected or tight; all of them without it.")
@click.option("--latex", is_flag=True, help="Print the formula instead of its value.")
@json_option
def command(id: str, inputs: tuple[str, ...], form: str | None, latex: bool, as_json: bool) -> None:
    """Evaluate a claim's formula. Values may be expressions such as 1/11264, or lists [1, 2]."""
    import bounds
    from verify import registry

    claim = registry.claim(id)
    formula = bounds.get(claim.id)
    names = [form] if form else list(formula.forms)
    if latex:
        texts = {name: formula[name].tex for name in names}
        if as_json:
            emit_json({"id": formula.id, "left": formula.left, "latex": texts})
        else:
            for name, tex in texts.items():
                click.echo(f"% {formula.id} {name}\n{tex}")
        return
    values = dict(assignment(text) for text in inputs)
    results = {}
    for name in names:
        chosen = formula[name]
        known = {
            k: v for k, v in values.items() if k in chosen.arguments or k not in formula.symbols
        }
        results[name] = _plain(chosen(**known))
    if as_json:
        common: dict[str, Any] = {"id": formula.id}
        tail = {"form": form, "value": results[form]} if form else {"values": results}
        emit_json({**common, **tail, "inputs": values})
        return
    for name, value in results.items():
        click.echo(f"{name:<10} {value!r}   {formula[name].note}".rstrip())


def _plain(value: Any) -> Any:
    return value.item() if value.ndim == 0 else value.tolist()
