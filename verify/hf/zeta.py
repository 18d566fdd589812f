"""The closed forms of hf's (41): right off their removable singularities; how large they are."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

_REGULAR = "rho different from q and q^2; for the tight form any rho >= 0"
ZETA = Claim(
    id="hf.zeta",
    label="Closed form of the first two terms of (41)",
    kind="equality",
    statement="sum_{k<T} rho^{T-1-k}(q^k - q^{2k}) is a difference of two quotients.",
    readings=(
        Reading(
            "literal",
            _REGULAR,
            ("printed", "tight"),
            proofs={
                "printed": "two geometric sums, in q/rho and in q^2/rho",
                "tight": "h_{T-1}(rho, q) - h_{T-1}(rho, q^2) = q(1-q) h_{T-2}(rho, q, q^2)",
            },
        ),
    ),
    natural=Natural(
        "rho", tuple(0.8 + 0.0101 * k for k in range(25)), {"q": 0.9, "T": 50}, log_y=False
    ),
    quantity="the sum, term by term",
    correction="Evaluate as q(1-q) h_{T-2}(rho, q, q^2): the quotients are 0/0 at rho = q.",
)
VISITS = Claim(
    id="hf.zeta.visits",
    label="Closed form of the third term of (41)",
    kind="equality",
    statement="sum_e rho^{T-1-eB-b(u)} q^{eB+b(u)} is a quotient.",
    readings=(
        Reading(
            "literal",
            "rho different from q; for the tight form any rho >= 0",
            ("printed", "tight"),
            proofs={
                "printed": "a geometric sum over the epochs, ratio (q/rho)^B",
                "tight": "that sum is h_E by its definition",
            },
        ),
    ),
    natural=Natural(
        "rho",
        tuple(0.8 + 0.0101 * k for k in range(25)),
        {"q": 0.9, "E": 9, "B": 4, "b_u": 1},
        log_y=False,
    ),
    quantity="the sum, term by term",
)
SIZE = Claim(
    id="hf.tightness",
    label="Tightness analysis (A.6)",
    kind="inequality",
    statement="The first and third terms increase as rho approaches q, and are at most "
    "T rho^{T-1} + T rho^{T-B}.",
    readings=(
        Reading(
            "literal", "any rho and q in (0, 1)", ("printed", "corrected"),
            proofs={"corrected": "T and E + 1 terms, each at most the larger factor's power"},
        ),
        Reading(
            "slow", "q <= rho", ("printed", "corrected"),
            proofs={"printed": "every term with rho in place of q",
                    "corrected": "T and E + 1 terms, each at most a power of rho"},
            stance="repair",
        ),
        Reading("peak", "the terms are largest at rho = q", ("printed",), stance="part"),
    ),
    natural=Natural(
        "rho", tuple(0.3 + 0.025 * k for k in range(29)), {"q": 0.8, "E": 4, "B": 3}
    ),
    quantity="the two sums, term by term",
    correction="T max(rho, q)^{T-1} + (E+1) max(rho, q)^{T-B}; increasing in rho, without a peak.",
)  # fmt: skip
CLAIMS = (ZETA, VISITS, SIZE)


def measure_zeta(rho: float, q: float, T: float) -> float:
    """The sum in exact arithmetic."""
    r, x, steps = Fraction(rho), Fraction(q), int(T)
    total = sum(r ** (steps - 1 - k) * (x**k - x ** (2 * k)) for k in range(steps))
    return float(total)


def measure_visits(rho: float, q: float, E: float, B: float, b_u: float) -> float:
    """The sum in exact arithmetic."""
    r, x, epoch, u = Fraction(rho), Fraction(q), int(B), int(b_u)
    T = int(E + 1) * epoch
    return float(sum(r ** (T - 1 - t) * x**t for t in range(u, T, epoch)))


def measure_size(rho: float, q: float, E: float, B: float) -> float:
    """Both terms in exact arithmetic: sum_k rho^{T-1-k} q^k + sum_e rho^{T-B-eB} q^{eB}."""
    r, x, epoch = Fraction(rho), Fraction(q), int(B)
    T = int(E + 1) * epoch
    first = sum(r ** (T - 1 - k) * x**k for k in range(T))
    return float(first + sum(r ** (T - epoch - t) * x**t for t in range(0, T, epoch)))


def check_zeta(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    about = "the sum in exact arithmetic"
    for k in range(ctx.pick(40, 400)):
        q = float(rng.uniform(0.2, 1 - 1e-6))
        near = q * (1 + float(rng.choice([1e-15, 1e-9, -1e-12, 1e-3])))
        rho = near if k % 2 else float(rng.uniform(0, 1.3))
        inputs = {"rho": rho, "q": q, "T": int(rng.integers(1, 25))}
        yield from ctx.compare_forms(
            "literal", measure_zeta(**inputs), inputs, about, relation="==", tolerance=1e-11
        )
    for inputs in ({"rho": 0.7, "q": 0.7, "T": 9}, {"rho": 0.25, "q": 0.5, "T": 6},
                   {"rho": 0.0, "q": 0.5, "T": 4}, {"rho": 0.5, "q": 0.5, "T": 1}):  # fmt: skip
        yield ctx.compare(
            "literal", "tight", measure_zeta(**inputs), inputs, about + ", where quotients are 0/0",
            relation="==",
        )  # fmt: skip


def check_visits(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 400)):
        B = int(rng.integers(1, 5))
        inputs = {"rho": float(rng.uniform(0.01, 1.3)), "q": float(rng.uniform(0.2, 1)),
                  "E": int(rng.integers(0, 8)), "B": B, "b_u": int(rng.integers(B))}  # fmt: skip
        yield from ctx.compare_forms(
            "literal", measure_visits(**inputs), inputs, "the sum in exact arithmetic",
            relation="==", tolerance=1e-11,
        )  # fmt: skip
    same = {"rho": 0.7, "q": 0.7, "E": 3, "B": 2, "b_u": 1}
    yield ctx.compare("literal", "tight", measure_visits(**same), same, "rho = q", relation="==")


def check_size(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(60, 600)):
        rho, q = (float(x) for x in rng.uniform(0.05, 1, 2))
        inputs = {"rho": rho, "q": q, "E": int(rng.integers(0, 8)), "B": int(rng.integers(1, 4))}
        exact = measure_size(**inputs)
        yield ctx.compare("literal", "corrected", exact, inputs, "random rho and q")
        slow = {**inputs, "rho": max(rho, q), "q": min(rho, q)}
        yield from ctx.compare_forms("slow", measure_size(**slow), slow, "q <= rho")
    inputs = {"rho": 0.8, "q": 0.8, "E": 4, "B": 2}
    yield ctx.compare(
        "literal", "corrected", measure_size(**inputs), inputs, "equality at rho = q",
        relation="==",
    )  # fmt: skip
    inputs = {"rho": 0.5, "q": 0.9, "E": 9, "B": 1}
    yield ctx.compare(
        "literal", "printed", measure_size(**inputs), inputs, "rho = .5, q = .9, T = 10",
        script="tightness_larger",
    )  # fmt: skip
    inputs = {"rho": 0.95, "q": 0.9, "E": 9, "B": 1}
    yield ctx.compare(
        "peak", "printed", measure_size(**inputs), inputs, "rho = .95 against rho = q = .9",
        bound=measure_size(**{**inputs, "rho": 0.9}), script="tightness_larger",
    )  # fmt: skip


CHECKERS = {ZETA.id: check_zeta, VISITS.id: check_visits, SIZE.id: check_size}
MEASURES = {ZETA.id: measure_zeta, VISITS.id: measure_visits, SIZE.id: measure_size}
