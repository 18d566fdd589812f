"""`forgetproof bound`: a claim's formula at given numbers, or with its symbols left free."""

from typing import Any

import click

from forgetproof.expressions import assignments
from forgetproof.options import (
    claim_and_inputs,
    claim_named,
    emit_json,
    json_option,
    name_and_inputs,
    paper_option,
)
from forgetproof.progress import progress


@click.command(
    "bound",
    epilog="\b\nExample: forgetproof bound sglu.lem3.4 alpha=3 Z=1 s2=1 c=0.9 K=20 --form tight",
)
@claim_and_inputs
@paper_option
@click.option("--form", help="printed, corrected or tight; all of them without it.")
@click.option("--latex", is_flag=True, help="Print the formula instead of its value.")
@click.option("--unicode", is_flag=True, help="With --symbolic: draw the expression.")
@click.option("--python", is_flag=True, help="With --symbolic: code to paste.")
@click.option("--symbolic", is_flag=True, help="The form as an expression in free symbols.")
@click.option("--solve", metavar="X", help="X as a function of the form's value.")
@click.option("--diff", metavar="X", help="The derivative in X.")
@click.option("--limit", metavar="X=oo", help="The limit as X grows, or tends to a number.")
@click.option("--order", metavar="X", help="The leading term as X grows.")
@click.option("--ratio", metavar="FORM/FORM", help="One form over another, simplified.")
@click.option("--direction", metavar="X", help="Increasing or decreasing in X.")
@click.option("--elasticity", metavar="X", help="Per cent of change for one per cent of X.")
@json_option
def command(
    words: tuple[str, ...],
    paper: str | None,
    form: str | None,
    latex: bool,
    unicode: bool,
    python: bool,
    symbolic: bool,
    as_json: bool,
    **questions: str | None,
) -> None:
    """Evaluate a claim's formula. Values may be expressions such as 1/11264, or lists [1, 2].

    The claim is named by its id (olu.thm2) or its label, after its paper if need be: olu thm2.

    With --symbolic the symbols stay free, and a question may be asked; its answer is verified by
    substitution at random numbers inside the hypotheses before it is shown.
    """
    named_by, inputs = name_and_inputs(words)
    styles = {"latex": latex, "unicode": unicode, "python": python}
    if sum(styles.values()) > 1:
        raise ValueError("only one of latex, unicode, python can be given")
    requests = {name: about for name, about in questions.items() if about is not None}
    style = next((name for name, on in styles.items() if on), "text")
    if symbolic:
        claim = claim_named(named_by, paper)
        with progress(0, what=f"{claim.id}: computer algebra"):
            _symbolic(claim, inputs, form, requests, style, as_json)
        return
    # Whatever is left over needs --symbolic: the first of them is refused.
    for name in (*requests, *(n for n in ("unicode", "python") if styles[n])):
        raise ValueError(f"{name} must be given with --symbolic")

    claim = claim_named(named_by, paper)
    if not claim.forms:
        raise ValueError(f"id must name a claim with a formula, got {claim.id}, which has none")
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
        # Names that are no symbol of the claim go along, for the form to refuse them.
        arguments = {
            k: v for k, v in values.items() if k in chosen.arguments or k not in claim.symbols
        }
        results[name] = _plain(chosen(**arguments))
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


def _symbolic(
    claim: Any,
    inputs: tuple[str, ...],
    form: str | None,
    questions: dict[str, str],
    style: str,
    as_json: bool,
) -> None:
    """Prints expressions, or the answers to one question about one form."""
    from bounds.algebra import Derived
    from bounds.algebra.code import imports, program
    from forgetproof.commands._symbolic import asked, checked, rooted, row, told

    if len(questions) > 1:
        raise ValueError(f"only one question can be asked at once, got {', '.join(questions)}")
    values = assignments(inputs)
    if values and ("solve" not in questions or "value" not in values):
        raise ValueError(f"inputs must be left out with --symbolic, got {inputs[0]!r}")
    if questions and form is None and "ratio" not in questions:
        form = claim.own_form
    # None stands for a claim of algorithms alone, which then says why it has no expression.
    names = [form] if form else [n for n in claim.forms if claim[n].formula is not None] or [None]
    rows = {}
    for name in names:
        form_name = name or claim.own_form
        if values:
            answers = [rooted(claim, form_name, questions["solve"], values)]
        elif questions:
            answers = asked(claim, form_name, *next(iter(questions.items())))
        else:
            answers = [Derived("expression", "closed", claim[form_name].symbolic())]
        rows[form_name] = [
            row(answer, claim, style, claim[form_name].arguments) for answer in answers
        ]
        # A ratio names its two forms itself: one answer, whatever form is asked about.
        if "ratio" in questions:
            break
    steps = {} if questions else {name: checked(claim, name) for name in rows}
    if as_json:
        emit_json({"id": claim.id, "answers": rows, "checked": steps})
        return
    if style == "python":
        texts = [answer["expression"] or "" for answers in rows.values() for answer in answers]
        # One list of imports in front of all lines of code.
        click.echo("".join(f"import {module}\n" for module in imports(" ".join(texts))), nl=False)
    for name, entries in rows.items():
        if style == "python" and not questions:
            click.echo(program(name, claim[name].arguments, entries[0]["expression"]))
            continue
        if not questions:
            click.echo(
                "\n           ".join([f"{name:<10} {entries[0]['expression']}", *steps[name]])
            )
        else:
            click.echo(told(entries))


def _missing(form: Any, values: dict[str, Any]) -> list[str]:
    """Arguments that the form needs and was not given."""
    return [a for a in form.arguments if a not in values and a not in form.optional]


def _plain(value: Any) -> Any:
    return value.item() if value.ndim == 0 else value.tolist()
