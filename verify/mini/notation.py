"""Notation of mini: gamma is -dB/B in Section 4.1 and |D_U|/|D| in Section 5.1."""

from __future__ import annotations

from collections.abc import Iterator

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


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


CHECKS = (Check("mini.not", evidence=check, oracle=measure),)
