"""Outcomes made by hand, so that the report is tested without running a check."""

import pytest

from verify import registry
from verify.claim import Claim, Natural, Reading
from verify.evidence import Comparison, Declaration, Reproduction
from verify.runner import outcome_of


@pytest.fixture
def manifest():
    return {"seed": 3, "profile": "quick", "scale": 1.0, "jobs": 1, "versions": {"numpy": "<2>"}}


@pytest.fixture
def outcomes():
    """One claim of each kind of headline; hostile text wherever text goes."""
    hostile = f"<script>alert(1)</script> & <b>bold</b> /{'long/' * 30}"

    def claim(id, *forms, kind="inequality", **options):
        return Claim(id, hostile, kind, hostile, (Reading("literal", hostile, forms),), **options)

    wrong = Comparison(
        "literal", "printed", hostile, {"eta": 1e-5, "K": [1, 2]}, 2.0, 1.0, script="print('<i>')\n"
    )
    table = Reproduction(
        "literal", "printed", "rounded", ({"b": 1, "match": True}, {"b": 2, "match": False})
    )
    lemma = registry.claim("sglu.lem3.4")
    fine = [
        Comparison("literal", form, "AR(1)", {"K": 3.0}, 0.5, 1.0, tight=0.5)
        for form in ("printed", "tight")
    ]
    return [
        outcome_of(lemma, fine, 0.1, None),
        outcome_of(claim("x.false", "printed", formula=False), [wrong], 0.1, None),
        outcome_of(
            claim("x.open", "printed", formula=False),
            [Declaration("literal", "printed", "unspecified", hostile)], 0.1, None,
        ),
        outcome_of(claim("x.table", "printed", formula=False, kind="table"), [table], 0.1, None),
        outcome_of(
            claim("x.broken", "printed", formula=False, natural=Natural("K", (1.0, 2.0), {})),
            [], 0.1, f"Traceback\n{hostile}\nValueError: no",
        ),
    ]  # fmt: skip
