"""Notation of mini: gamma is -dB/B in Section 4.1 and |D_U|/|D| in Section 5.1."""

from verify.checks import Check, Context, Findings, Limit, case_table


def measure(n: float, u: float) -> float:
    """|D_U|/|D|, counted."""
    data, forgotten = set(range(int(n))), set(range(int(u)))
    return len(data & forgotten) / len(data)


def check(ctx: Context) -> Findings:
    for inputs in case_table("n u", (100, 5), (100, 15), (7, 3)):
        exact = measure(**inputs)
        label = "samples counted, full batch"
        yield ctx.compare("literal", "corrected", exact, inputs, label)
    reason = "two letters stand for two things each; only the place tells which is meant"
    yield ctx.declare("literal", "printed", "unspecified", reason)


OTHER_LETTER = Limit("the share that Section 5.1 calls gamma is counted", others=("printed",))
CHECKS = (Check("mini.not", evidence=check, exact_side=measure, limits={"literal": OTHER_LETTER}),)
