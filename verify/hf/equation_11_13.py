"""(11)-(13) of hf: the statistic is the derivative of training with respect to a weight."""

from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings


def check(ctx: Context) -> Findings:
    yield from _rationals(ctx)
    yield from _forward_mode(ctx)
    yield from _order(ctx)


def _rationals(ctx: Context) -> Findings:
    """Derivative of training on cubic losses, in rationals modulo s^2, against the statistic."""
    from verify.hf.exact_derivatives import by_power_series
    from verify.hf.quadratic_problems import equal

    rng = ctx.rng()
    pairs = []
    for _ in range(ctx.pick(40, 400)):
        n = int(rng.integers(2, 5))
        rational = [tuple(Fraction(int(k), 8) for k in row) for row in rng.integers(-8, 9, (n, 3))]
        batches = [rng.permutation(n)[: rng.integers(1, n + 1)] for _ in range(5)]
        steps = [Fraction(int(k), 16) for k in rng.integers(1, 9, 5)]
        derivative, statistic = by_power_series(
            rational, [list(map(int, r)) for r in batches], steps, Fraction(1, 4), 0
        )
        if not any(0 in r for r in batches):
            continue
        pairs.append((float(statistic), float(derivative)))
        if statistic != derivative:
            pairs[-1] = (float(statistic), float(derivative) + abs(float(derivative)) + 1)
    at = "cubic losses in rationals, modulo s^2"
    yield equal(ctx, "literal", "corrected", pairs, at, tolerance=1e-15)


def smooth_problems(ctx: Context, count: int):  # type: ignore[no-untyped-def]
    """Losses that are neither quadratic nor convex, and runs of them with a visit every epoch."""
    import torch

    from simulators.trajectory.generic import FunctionModel
    from simulators.trajectory.training import Training, batches_of, geometric_steps

    def logistic(w: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.softplus(-y * (x @ w)) + 0.05 * (w @ w)

    def network(w: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return 0.5 * (torch.tanh(x @ w[:2]) * w[2] + torch.sin(w[3]) - y) ** 2

    rng = ctx.rng(1)
    for index in range(count):
        loss, p = ((logistic, 2), (network, 4))[index % 2]
        n = int(rng.integers(3, 7))
        size = int(rng.integers(1, n + 1))
        features = rng.normal(size=(n, 2)) * 1.5
        targets = rng.choice((-1.0, 1.0), size=n)
        model = FunctionModel(loss, features, targets, p)
        batches = batches_of(n, size, 3, seed=int(rng.integers(1 << 30)))
        steps = geometric_steps(float(rng.uniform(0.3, 0.9)), 0.95, len(batches))
        training = Training(batches, steps, rng.normal(size=p))
        yield model, training, int(rng.integers(n)), len(batches) // 3


def _forward_mode(ctx: Context) -> Findings:
    """Derivative of training on logistic and network losses, against six ways to compute it."""
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.exact_derivatives import by_reverse_mode
    from verify.hf.quadratic_problems import departure, equal
    from verify.hf.recollection_matrix import recollected

    variants = {"recursion": Recursion("batch"), "kept": Recursion("kept")}
    variants["late"] = Recursion("batch", order="late")
    pairs: dict[str, list[tuple[float, float]]] = {}
    for model, training, sample, per_epoch in smooth_problems(ctx, ctx.pick(4, 60)):
        slope = by_reverse_mode(model, training, sample)
        vectors = {
            name: differences(model, training, [[sample]], chosen).vectors[0]
            for name, chosen in variants.items()
        }
        for interpretation in ("literal", "skipped", "corrected"):
            vectors[interpretation] = recollected(
                model, training, sample, per_epoch, interpretation
            )
        for name, vector in vectors.items():
            pairs.setdefault(name, []).append(departure(vector, slope))
    texts = {
        "recursion": "logistic and network losses: forward-mode derivative of training",
        "corrected": "the same with the matrices multiplied out",
        "literal": "(10) as printed on the same losses",
        "late": "the injection before the step's matrix",
        "skipped": "without epoch 0",
        "kept": "without u's own Hessian",
    }
    for name, text in texts.items():
        form, script = ("printed", "eq11_13") if name == "literal" else ("corrected", None)
        role = "bound" if name in ("recursion", "corrected", "literal") else "control"
        yield equal(ctx, "literal", form, pairs[name], text, role=role, script=script)


def _order(ctx: Context) -> Findings:
    """(W(s) - W(0) - s a)/s^2 at s and s/2, extrapolated: W''(0)/2 both ways."""
    ratios = []
    h = 2.0**-10
    for n, T, eta, c in ((2, 6, 0.5, 0.7), (5, 12, 0.3, -1.1), (3, 40, 0.2, 0.4)):

        def trained(s: float, n: int = n, T: int = T, eta: float = eta, c: float = c) -> float:
            w = 0.3
            for _ in range(T):
                others = sum(np.tanh(w + k) for k in range(1, n))
                w -= eta / n * ((1 - s) * (np.sinh(w) - c) + others)
            return float(w)

        # Each step of s is exact; a is the derivative by a five-point rule.
        a = (8 * (trained(h) - trained(-h)) - trained(2 * h) + trained(-2 * h)) / (12 * h)
        errors = [abs(trained(s) - trained(0.0) - s * a) for s in (2.0**-8, 2.0**-9)]
        ratios.append(np.log2(errors[0] / errors[1]))
    at, digits = "exponent of the error in the deletion weight", 0.006
    yield ctx.compare("order", "corrected", ratios, {}, at, bound=2.0, tolerance=digits)


CHECKS = (Check("hf.eq11_13", evidence=check),)
