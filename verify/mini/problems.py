"""Small problems for mini: learning, retraining, eq (10) and rewinding, on any losses and numbers.

Numbers may be Fractions, floats or numpy vectors: a problem is two functions, the gradient of a
sample and its Hessian applied to a vector.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import Hypothesis
from verify.checks import Limit

# What exact sides that deal batches cannot do.
THOUSANDTHS = Limit(
    "batches share in thousandths",
    (Hypothesis("beta in thousandths", sets={"beta": lambda beta: round(beta, 3)}),),
)


@dataclass(frozen=True)
class FixedBatches:
    """SGD on fixed batches (w_l uses batches[t - 1]) and the samples `gone` to forget.

    `gradient(j, w)` and `hessian(j, w, v)` belong to sample j. Every batch keeps a sample; one that
    it holds several times costs one gradient.
    """

    gradient: Callable[[int, Any], Any]
    hessian: Callable[[int, Any, Any], Any]
    batches: Sequence[Sequence[int]]
    gone: frozenset[int]
    eta: Any
    start: Any

    def kept(self, t: int) -> list[int]:
        """Rows of batch t that are not forgotten."""
        return [j for j in self.batches[t - 1] if j not in self.gone]

    def dropped(self, t: int) -> list[int]:
        """Rows of batch t that are forgotten."""
        return [j for j in self.batches[t - 1] if j in self.gone]

    def step(self, rows: Sequence[int], w: Any) -> Any:
        """w - eta (mean gradient over the rows)."""
        total = sum(n * self.gradient(j, w) for j, n in Counter(rows).items())
        return w - self.eta * total / len(rows)

    def learn(self) -> list[Any]:
        """w_0, ..., w_T."""
        path = [self.start]
        for rows in self.batches:
            path.append(self.step(rows, path[-1]))
        return path

    def redo(self, begin: int, w: Any) -> list[Any]:
        """Iterates of steps begin + 1, ..., T on kept data, from w."""
        path = [w]
        for t in range(begin + 1, len(self.batches) + 1):
            path.append(self.step(self.kept(t), path[-1]))
        return path

    def retrain(self) -> list[Any]:
        """w*_0, ..., w*_T."""
        return self.redo(0, self.start)

    def injection(self, t: int, w: Any) -> Any:
        """G(t) at w: the kept step minus the step on the whole batch."""
        return self.step(self.kept(t), w) - self.step(self.batches[t - 1], w)

    def factor(self, t: int, w: Any, v: Any) -> Any:
        """H(t) v at w."""
        rows = self.kept(t)
        total = sum(n * self.hessian(j, w, v) for j, n in Counter(rows).items())
        return v - self.eta * total / len(rows)

    def mini(self, k: int, path: Sequence[Any]) -> Any:
        """The right side of eq (10) after all steps, along the learned path."""
        T = len(self.batches)
        v = 0 * path[0]
        for t in range(T - k + 1, T + 1):
            v = self.injection(t, path[t - 1]) + self.factor(t, path[t - 1], v)
        return v

    def first(self, steps: int) -> FixedBatches:
        """The same problem, stopped early."""
        return replace(self, batches=self.batches[:steps])


def random_batches(
    rng: np.random.Generator, n: int, size: int, steps: int, gone: Sequence[int]
) -> list[list[int]]:
    """Batches of distinct rows that each keep a sample."""
    batches: list[list[int]] = []
    while len(batches) < steps:
        rows = rng.choice(n, size, replace=False).tolist()
        if set(rows) - set(gone):
            batches.append(rows)
    return batches


def line_quadratics(
    rng: np.random.Generator, steps: int, n: int = 6, size: int = 3, gone: int = 2
) -> FixedBatches:
    """F_j = (a_j/2)(w - x_j)^2 with random rational numbers, 1 <= a_j <= 2 and eta < 1."""
    a = [Fraction(int(v), 8) for v in rng.integers(8, 17, n)]
    x = [Fraction(int(v), 4) for v in rng.integers(-12, 13, n)]
    forgotten = rng.choice(n, gone, replace=False).tolist()
    return FixedBatches(
        lambda j, w: a[j] * (w - x[j]),
        lambda j, w, v: a[j] * v,
        random_batches(rng, n, size, steps, forgotten),
        frozenset(forgotten),
        Fraction(int(rng.integers(1, 8)), 8),
        Fraction(int(rng.integers(-8, 9)), 4),
    )


def plane_quadratics(
    rng: np.random.Generator, steps: int, p: int = 3, n: int = 6, size: int = 3, gone: int = 2
) -> tuple[FixedBatches, np.ndarray]:
    """F_j = (w - x_j)^T A_j (w - x_j)/2, spectra of A_j in [0.5, 2]; the problem and all A_j."""
    Q = np.linalg.qr(rng.normal(size=(n, p, p)))[0]
    A = (Q * rng.uniform(0.5, 2.0, (n, 1, p))) @ Q.transpose(0, 2, 1)
    x = rng.normal(size=(n, p))
    forgotten = rng.choice(n, gone, replace=False).tolist()
    problem = FixedBatches(
        lambda j, w: A[j] @ (w - x[j]),
        lambda j, w, v: A[j] @ v,
        random_batches(rng, n, size, steps, forgotten),
        frozenset(forgotten),
        float(rng.uniform(0.1, 0.9)),
        rng.normal(size=p),
    )
    return problem, A


def log_cosh(
    rng: np.random.Generator, steps: int, n: int = 6, size: int = 3, gone: int = 2
) -> FixedBatches:
    """F_j = log cosh(w - x_j) + 0.05 w^2 on the line."""
    x = rng.normal(size=n) * 1.5
    forgotten = rng.choice(n, gone, replace=False).tolist()
    return FixedBatches(
        lambda j, w: np.tanh(w - x[j]) + 0.1 * w,
        lambda j, w, v: (1 / np.cosh(w - x[j]) ** 2 + 0.1) * v,
        random_batches(rng, n, size, steps, forgotten),
        frozenset(forgotten),
        float(rng.uniform(0.2, 0.9)),
        float(rng.normal()),
    )


def two_steps(eta: float, b: float, m: float = 0.1) -> FixedBatches:
    """The closed form that refutes eq (17): F_R = log cosh w + (m/2)w^2, F_U = F_R - b w, w_0 = 0.

    Two steps on the batch {R, U}; w_1 = eta b/2 and the error at k = s = 2 is
    eta (tanh w_1 - w_1/cosh(w_1)^2).
    """
    return FixedBatches(
        lambda j, w: np.tanh(w) + m * w - b * j,
        lambda j, w, v: (1 / np.cosh(w) ** 2 + m) * v,
        [[0, 1]] * 2,
        frozenset({1}),
        eta,
        0.0,
    )


def mean_problem(
    mu: Any, eta: Any, gone: Any, rest: Any, steps: int, share: Fraction
) -> FixedBatches:
    """F_j = (mu/2)w^2 - c_j w on the full batch, a `share` of it forgotten, w_0 = 0.

    c_j is `gone` on forgotten and `rest` on kept samples, so that G is eta share (rest - gone).
    """
    batch = [0] * share.numerator + [1] * (share.denominator - share.numerator)
    return FixedBatches(
        lambda j, w: mu * w - (rest if j else gone),
        lambda j, w, v: mu * v,
        [batch] * steps,
        frozenset({0}),
        eta,
        0 * eta,
    )


def batch_lists(problem: FixedBatches, t: int, w: Any) -> dict[str, list[float]]:
    """Gradients of the kept and of the forgotten rows of batch t at w, as the forms take them."""
    return {
        "kept": [float(problem.gradient(j, w)) for j in problem.kept(t)],
        "gone": [float(problem.gradient(j, w)) for j in problem.dropped(t)],
    }


def touched(problem: FixedBatches) -> list[int]:
    """The steps whose batch holds a forgotten sample."""
    return [t for t in range(1, len(problem.batches) + 1) if problem.dropped(t)]
