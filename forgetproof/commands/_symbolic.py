"""Answers to symbolic questions of `bound` and `explain`: asked, and printed."""

import math
from collections.abc import Mapping
from typing import Any

from forgetproof.expressions import number
from verify.search.limit import Late, limit

SECONDS = 30.0
"""For the answer to one question."""


def asked(claim: Any, form: str, question: str, about: str, seconds: float = SECONDS) -> list[Any]:
    """Answers to one question about one form, or one that says that there is none in time.

    Raises ValueError for a symbol that the form does not have.
    """
    from bounds import algebra

    try:
        with limit(seconds):
            return _answers(algebra, claim, form, question, about)
    except Late:
        words = f"no closed form found in {seconds:g} s"
    # Before GIVES_UP, which holds ValueError: a bad question is refused, not given up.
    except ValueError:
        raise
    except algebra.GIVES_UP as error:
        words = f"no closed form found: {type(error).__name__} in computer algebra"
    return [algebra.Derived(f"{question} {about}", "numeric", None, (), 0, words)]


def _answers(algebra: Any, claim: Any, form: str, question: str, about: str) -> list[Any]:
    chosen = claim[form]
    if question == "ratio":
        first, _, second = about.partition("/")
        if not second:
            raise ValueError(f"ratio must be FORM/FORM, such as printed/tight, got {about!r}")
        return list(algebra.ratio(claim[first], claim[second]))
    if question == "limit":
        name, _, end = about.partition("=")
        if not end:
            raise ValueError(f"limit must be SYMBOL=NUMBER, such as K=oo, got {about!r}")
        # At infinity the leading term tells the limit; at a number sympy is asked.
        point = math.inf if end in ("oo", "inf") else number(end)
        return list(algebra.limit(chosen, name, point))
    if question == "direction":
        return [algebra.direction(chosen, about)]
    ask = {
        "solve": algebra.solve,
        "diff": algebra.differentiate,
        "order": algebra.order,
        "elasticity": algebra.elasticity,
    }[question]
    return list(ask(chosen, about))


def rooted(claim: Any, form: str, name: str, values: Mapping[str, Any]) -> Any:
    """The number at which the form has the value given, by bisection, as an answer."""
    from bounds.algebra import Derived, root

    inputs = {k: v for k, v in values.items() if k != "value"}
    missing = [a for a in claim[form].arguments if a not in inputs and a != name]
    if missing:
        raise ValueError(f"{missing[0]} is missing: a root needs every argument but {name}")
    solution = root(claim[form], name, float(values["value"]), inputs)
    return Derived(
        f"{name} from the value", "numeric", None, (), 1, f"{name} = {float(solution)!r}"
    )


def row(answer: Any, claim: Any, style: str, arguments: tuple[str, ...] = ()) -> dict[str, Any]:
    """An answer as JSON has it; the arguments are those of the form that was asked about."""
    from bounds.algebra import shown

    def written(expression: Any) -> str:
        return shown(expression, claim, style, arguments)

    return {
        "question": answer.question,
        "kind": answer.kind,
        "expression": None if answer.expression is None else written(answer.expression),
        "where": [written(condition) for condition in answer.where],
        "points": answer.points,
        "words": answer.words,
    }


def possible_rows(answers: list[Any], claim: Any, style: str) -> list[dict[str, Any]]:
    """Answers that hold for some numbers, without conditions that always do.

    Expression and conditions share their letters, which are explained once, in `letters`.
    """
    from bounds.algebra import shown_answer

    rows = []
    for answer in answers:
        entry = row(answer, claim, style) | {"letters": []}
        if answer.expression is not None:
            text = shown_answer(answer.expression, answer.where, claim, style)
            if text is None:
                continue
            entry |= {"expression": text.expression, "where": list(text.where)}
            entry["letters"] = list(text.letters)
        rows.append(entry)
    return rows


def checked(claim: Any, form: str) -> list[str]:
    """How the form follows from a sharper one by machine, once for interpretations that agree."""
    from bounds.certificates import certificate

    # Interpretations may follow by one certificate, which is then told once.
    certificates = [
        certificate(claim, interpretation.name, form) for interpretation in claim.interpretations
    ]
    return list(dict.fromkeys("; ".join(row.told) for row in certificates if row is not None))


def told(rows: list[dict[str, Any]]) -> str:
    """Answers as lines for a person."""
    lines = []
    for answer in rows:
        lines.append(answer["expression"] or answer["words"])
        where = "" if not answer["where"] else ", where " + " and ".join(answer["where"])
        # A direction has no expression: closed, it is proved.
        proved = answer["expression"] is None and answer["kind"] == "closed"
        kind = "proved on every branch" if proved else answer["kind"]
        checked = (
            f", verified by substitution at {answer['points']} points"
            if answer["points"] > 1
            else ""
        )
        lines.append(f"  {kind}{where}{checked}")
    return "\n".join(lines)
