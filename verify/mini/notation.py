"""Notation of mini: gamma is -dB/B in Section 4.1 and |D_U|/|D| in Section 5.1."""

from __future__ import annotations

from collections.abc import Iterator

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="mini.not",
    label="Notation (Sections 3, 4.1 and 5.1)",
    kind="definition",
    statement="B/Bbar is the batch without its forgotten samples; gamma is -dB/B and also the "
    "unlearning ratio, which Section 5.2 and Appendix C call eta, like the step size.",
    readings=(
        Reading(
            "literal",
            "one letter, one meaning",
            ("printed", "corrected"),
        ),
    ),
    natural=Natural("u", (1.0, 5.0, 10.0, 20.0, 40.0), {"n": 100}, log_y=False),
    quantity="share of forgotten samples",
    correction="Write a set difference with a backslash, gamma_l for -dB_l/B only, and another "
    "letter than gamma or eta for the unlearning ratio.",
)


def measure(n: float, u: float) -> float:
    """|D_U|/|D|, counted."""
    data, forgotten = set(range(int(n))), set(range(int(u)))
    return len(data & forgotten) / len(data)


def check(ctx: Context) -> Iterator[Evidence]:
    for n, u in ((100, 5), (100, 15), (7, 3)):
        inputs = {"n": n, "u": u}
        for form in ("printed", "corrected"):
            yield ctx.compare(
                "literal", form, measure(**inputs), inputs, "samples counted, full batch",
                relation="==", script="not",
            )  # fmt: skip
