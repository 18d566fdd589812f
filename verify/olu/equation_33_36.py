"""(33)-(36) of olu: quadratics, one deletion, alternating streams, and random runs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.olu.alternating import program
from verify.olu.huber_runs import draw
from verify.olu.theorem_4 import instance

SELF = Claim(
    id="olu.eq33",
    label="(33)",
    kind="inequality",
    statement="(3D/2) sqrt(sum |grad f_t|^2) <= (3D/2) sqrt(beta sum f_t(z_t)).",
    readings=(
        Reading(
            "literal",
            "f_t >= 0, beta-smooth on R^d",
            ("printed", "corrected"),
            proofs={"corrected": "Lemma 8 with its factor 2"},
        ),
    ),
    natural=Natural("X", (0.1, 0.3, 1, 3, 10), {"D": 1.0, "beta": 2.0}, log_x=True),
    quantity="(3D/2) sqrt(sum of squared gradients)",
    correction="2 beta for beta.",
)
NOISE = Claim(
    id="olu.eq34",
    label="(34)",
    kind="inequality",
    statement="With eta_t = D/sqrt(p(t)) and the paper's noise, E B is at most "
    "d k^{omega+1/2} omega L^2 D/(4 sqrt 3 (omega-1) eps) sqrt(sum p(tau_i)/p(u_i)^2).",
    readings=(
        Reading(
            "literal",
            "sigma_i^2 = i^omega omega L^2 eta_{u_i}^2/(2 (omega-1) eps), omega = 1.5",
            ("printed", "corrected", "tight"),
            proofs={
                "corrected": "Cauchy-Schwarz",
                "tight": "definitions; p(tau_i - 1) <= p(tau_i)",
            },
        ),
    ),
    correction="k (k + 1)/2 for k^2/sqrt 3.",
)
IMPLICIT = Claim(
    id="olu.eq35",
    label="(35)",
    kind="inequality",
    statement="The expected regret is at most E B + (3D/2) sqrt(beta sum f_t(z_t)).",
    readings=(
        Reading(
            "literal",
            "f_t >= 0, beta-smooth on R^d, eta_t = D/sqrt(p(t))",
            ("printed", "corrected"),
            proofs={"corrected": "(31) with the path, Lemma 7, Lemma 8, Jensen"},
        ),
    ),
    correction="E B + (3D/2 + P) sqrt(2 beta E sum f_t(z_t)).",
)
EXPLICIT = Claim(
    id="olu.eq36",
    label="(36)",
    kind="inequality",
    statement="The regret is at most 9 D^2 beta/4 + 3D sqrt(sum f_t(z_i*)) + "
    "d k^{omega+1/2} omega L^2 D^2/(4 (omega-1) eps) sqrt(beta sum p(tau_i)/p(u_i)^2).",
    readings=(
        Reading(
            "literal",
            "f_t >= 0, beta-smooth on R^d, eta_t = D/sqrt(p(t))",
            ("printed", "corrected"),
            proofs={"corrected": "(35) corrected, Lemma 9 tight"},
        ),
        Reading(
            "algebra",
            "last step alone: 3D sqrt(beta (F* + B)) + B into 3D sqrt(F*) + sqrt(3 beta) D B",
            ("printed",),
        ),
    ),
    correction="B + a/2 + sqrt(a (F* + B) + a^2/4), a = 2 beta (3D/2 + P)^2.",
)
CLAIMS = (SELF, NOISE, IMPLICIT, EXPLICIT)

QUADRATIC = '''"""olu (33) on one quadratic: f(z) = (3/2) z^2 at z = 0.7, D = 1."""
from math import sqrt
beta, z = 3.0, 0.7
left = 1.5 * sqrt((beta * z) ** 2)
right = 1.5 * sqrt(beta * (beta * z**2 / 2))
print("left side", left, "claimed at most", right)
assert left > right
'''
ONE = '''"""olu (34)(d) with one deletion: d = eps = L = D = 1, p(u) = p(tau - 1) = p(tau) = 4.

E B = sigma^2/(2 eta_{tau-1}), sigma^2 = omega eta_u^2/(2 (omega - 1)), eta = 1/sqrt p, omega = 3/2.
"""
from math import sqrt
w, p = 1.5, 4.0
left = w / (2 * (w - 1)) / p * sqrt(p) / 2
right = w / (4 * sqrt(3) * (w - 1)) * sqrt(p / p**2)
print("E B =", left, "claimed at most", right)
assert left > right
'''
_TITLE = """olu {label} on alternating losses z + 1/2 and 3/2 - z, K = [0, 1], D = L = beta = 1.

They are >= 0 and 1-smooth on R: |y|^2/2 for |y| <= 1, |y| - 1/2 beyond, y the distance from
-1 or 2. p(t) = t, eta_t = 1/sqrt t; the noise is negligible."""
_LAST = """F = sum(abs(s) / 2 + (s * v if s > 0 else -s * (1 - v)) for s, v in zip(slopes, (
    star[sum(t > b for b in times)] for t in range(1, T + 1))))
found = regret(lambda t: 1 / math.sqrt(t))
bound = {bound}
print("regret", found, "claimed at most", bound)
assert found > bound
"""
ALGEBRA = '''"""olu (36), last step, at D = 1, beta = 4, F* = 100, B = 0: it drops beta."""
from math import sqrt
D, beta, F, B = 1.0, 4.0, 100.0, 0.0
before = 9 * D**2 * beta / 4 + B + 3 * D * sqrt(beta * (F + B))
after = 9 * D**2 * beta / 4 + 3 * D * sqrt(F) + sqrt(3 * beta) * D * B
print("before", before, "claimed at most", after)
assert before > after
'''


def measure_self(D: float, beta: float, X: float) -> float:
    """(3D/2) |f'| for (beta/2) z^2 where its value is X."""
    z = np.sqrt(2 * X / beta)
    return float(1.5 * D * abs(beta * z))


def check_self(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    inputs = {"D": 1.0, "beta": 3.0, "X": 0.735}
    yield ctx.compare(
        "literal", "printed", measure_self(**inputs), inputs, "one quadratic", script=QUADRATIC
    )
    for _ in range(ctx.pick(100, 2000)):
        beta, D = np.exp(rng.normal(size=2)).tolist()
        z = rng.normal(size=int(rng.integers(1, 20)))
        value = {"D": D, "beta": beta, "X": float(np.sum(beta * z**2 / 2))}
        left = 1.5 * D * float(np.sqrt(np.sum((beta * z) ** 2)))
        yield ctx.compare(
            "literal", "corrected", left, value, "quadratics attain it", relation="=="
        )
        huber = beta * np.where(np.abs(z) < 1, z**2 / 2, np.abs(z) - 0.5)
        left = 1.5 * D * float(np.sqrt(np.sum((beta * np.clip(z, -1, 1)) ** 2)))
        inputs = {"D": D, "beta": beta, "X": float(huber.sum())}
        yield ctx.compare("literal", "corrected", left, inputs, "Huber losses")


def noise_term(
    p_before: np.ndarray, p_u: np.ndarray, D: float, L: float, d: float, epsilon: float,
    omega: float,
) -> float:  # fmt: skip
    """sum d sigma_i^2/(2 eta_{tau_i - 1}) from the definitions; p_before = p(tau_i - 1)."""
    i = np.arange(1, p_u.size + 1)
    sigma = np.sqrt(i**omega * omega / (2 * (omega - 1) * epsilon)) * L * D / np.sqrt(p_u)
    return float(np.sum(d * sigma**2 / (2 * D / np.sqrt(p_before))))


def check_noise(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    unit = {"D": 1.0, "L": 1.0, "d": 1.0, "epsilon": 1.0, "omega": 1.5}
    one = {**unit, "p_tau": [4.0], "p_u": [4.0]}
    measured = noise_term(np.array([4.0]), np.array([4.0]), **unit)
    yield ctx.compare("literal", "printed", measured, one, "one deletion", script=ONE)
    yield ctx.compare("literal", "corrected", measured, one, "one deletion", relation="==")
    for _ in range(ctx.pick(60, 2000)):
        k = int(rng.integers(1, 12))
        p_u = np.exp(rng.normal(2, 1, size=k))
        before = np.sort(p_u.max() + np.exp(rng.normal(2, 1, size=k)))
        scalars = dict(
            zip(("D", "L", "d", "epsilon"), np.exp(rng.normal(size=4)).tolist(), strict=True)
        )
        scalars["omega"], scalars["d"] = 1 + float(np.exp(rng.normal(-1, 0.7))), 3.0
        measured = noise_term(before, p_u, **scalars)
        inputs = {**scalars, "p_tau": before, "p_u": p_u}
        yield ctx.compare("literal", "tight", measured, inputs, "random sums", relation="==")
        later = {**inputs, "p_tau": before + np.cumsum(rng.exponential(size=k))}
        yield ctx.compare("literal", "tight", measured, later, "p(tau_i) above p(tau_i - 1)")
        yield ctx.compare("literal", "corrected", measured, later, "p(tau_i) above p(tau_i - 1)")


def script(label: str, bound: str) -> str:
    """The program of an alternating stream with 30 deletions."""
    return program(_TITLE.format(label=label), _LAST.format(bound=bound), n=2000, k=30)


def check_implicit(ctx: Context) -> Iterator[Evidence]:
    measured, inputs = instance(2000, 30)
    inputs = {**inputs, "X": measured + float(inputs["F"]), "B": 0.0}
    yield ctx.compare(
        "literal", "printed", measured, inputs, "alternating Huber losses",
        script=script("(35)", "1.5 * math.sqrt(F + found)"),
    )  # fmt: skip
    yield ctx.compare("literal", "corrected", measured, inputs, "alternating Huber losses")
    yield from random_runs(ctx)


def check_explicit(ctx: Context) -> Iterator[Evidence]:
    measured, inputs = instance(2000, 30)
    yield ctx.compare(
        "literal", "printed", measured, {**inputs, "omega": 1.5}, "alternating Huber losses",
        script=script("(36)", "9 / 4 + 3 * math.sqrt(F)"), tight=np.nan,
    )  # fmt: skip
    yield ctx.compare(
        "literal", "corrected", measured, {**inputs, "B": 0.0}, "alternating Huber losses"
    )
    for D, beta, F, B in ((1.0, 4.0, 100.0, 0.0), (1.0, 1.0, 0.0, 1e-4), (1.0, 1.0, 0.0, 1.0)):
        before = 9 * D**2 * beta / 4 + B + 3 * D * np.sqrt(beta * (F + B))
        after = 9 * D**2 * beta / 4 + 3 * D * np.sqrt(F) + np.sqrt(3 * beta) * D * B
        yield ctx.compare(
            "algebra", "printed", float(before), {"D": D, "beta": beta, "F": F, "B": B},
            "the last step of (36)", bound=after, tight=np.nan, script=ALGEBRA,
        )  # fmt: skip
    yield from random_runs(ctx)


def random_runs(ctx: Context) -> Iterator[Evidence]:
    """Expected regret on random Huber losses against the corrected form of (35) or (36)."""
    rng = ctx.rng()
    T, count = 60, ctx.pick(150, 1500)
    for k in (1, 2, 3):
        runs = draw(rng, count, T, k)
        epsilon = np.exp(rng.normal(0, 3, size=count))
        played, stars = runs.play(None, epsilon, "paper", 1.5), runs.comparators()
        inputs = {
            "D": runs.diameter, "beta": runs.lipschitz / runs.width,
            "P": np.abs(np.diff(stars, axis=0)).sum(axis=0), "B": played.noise_cost(),
            "F": runs.loss(runs.served(stars)).sum(axis=0), "X": played.loss(),
        }  # fmt: skip
        if ctx.claim.id == "olu.eq36":
            del inputs["X"]
        yield ctx.compare(
            "literal", "corrected", played.regret(stars), inputs,
            f"random Huber losses, {k} deletions",
        )  # fmt: skip


CHECKERS = {
    "olu.eq33": check_self, "olu.eq34": check_noise, "olu.eq35": check_implicit,
    "olu.eq36": check_explicit,
}  # fmt: skip
MEASURES = {"olu.eq33": measure_self}
