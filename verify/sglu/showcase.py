"""The showcase of sglu: how much noise the guarantee needs, and what the paper prints."""

from dataclasses import asdict
from typing import Any

from simulators.data import sklearn_sets
from simulators.runs.langevin import MNIST_VARIABLE
from verify.sglu import headline
from verify.showcases import Showcase, Shown
from verify.showcases.data import Chosen


def show(chosen: Chosen, seed: int) -> Shown:
    """Table 3 of the paper beside the exact noise, and accuracy on real images with either."""
    rows = headline.table()
    tight = headline.tightness(
        next(r for r in rows if (r.data, r.batch_size, r.epsilon) == ("MNIST", 128, 1))
    )
    utilities = _utilities(chosen, seed)
    return Shown(
        lines=_lines(rows, tight, utilities),
        document={
            "table3": [{**asdict(r), "ratio": r.ratio} for r in rows],
            "necessity": {
                "target_delta": tight.target,
                "delta_at_exact_sigma": tight.at_least,
                "delta_at_0.999_sigma": tight.below,
            },
            "utility": [asdict(one) for one in utilities],
        },
        title="How much noise forgetting needs",
        paragraphs=[_ratios(rows), _necessity(tight), *map(_accuracy, utilities)],
        caption="Left: noise in Table 3 of sglu and the exact noise for the same guarantee. "
        "Right: accuracy of unlearned logistic regression on real images of 3s and 8s.",
        header=["data", "b", "ε", "paper's σ", "formula's σ", "exact σ", "ratio"],
        rows=[
            [
                r.data,
                r.batch_size,
                f"{r.epsilon:g}",
                f"{r.paper:.4f}",
                f"{r.printed:.10f}",
                f"{r.exact:.10f}",
                f"{r.ratio:.1f}",
            ]
            for r in rows
        ],
        drawing=headline.figure(rows, utilities),
        hashes=[one.data_sha256 for one in utilities],
    )


def _utilities(chosen: Chosen, seed: int) -> list[Any]:
    utilities = []
    for name, data, batch, trials in (
        ("digits", chosen.cut(sklearn_sets.digits()), 32, 64),
        ("MNIST", chosen.images(1984, classes=(3, 8)), 128, 32),
    ):
        if data is not None:
            utilities.append(
                headline.utility(
                    data,
                    name=name,
                    batch_size=batch,
                    train=chosen.learned(len(data), batch),
                    trials=trials,
                    seed=seed,
                )
            )
    return utilities


def _lines(rows: list[Any], tight: Any, found: list[Any]) -> list[str]:
    lines = [
        "Table 3 of sglu: noise for one request, one unlearning epoch, delta = 1/n",
        f"  {'data':<9}{'b':>6}{'epsilon':>9}{'paper':>9}{'printed':>14}{'exact':>15}{'ratio':>7}",
    ]
    lines += [
        f"  {r.data:<9}{r.batch_size:>6}{r.epsilon:>9g}{r.paper:>9.4f}{r.printed:>14.10f}"
        f"{r.exact:>15.10f}{r.ratio:>7.1f}"
        for r in rows
    ]
    lines += [_ratios(rows), _necessity(tight)]
    names = ("printed", "exact")
    for one in found:
        lines.append(f"Test accuracy after unlearning, {one.data}: n = {one.n}, delta = 1/{one.n}")
        head = "".join(f"{name + ' sigma':>15}{'accuracy':>10}" for name in names)
        lines.append(f"  {'epsilon':<9}{head}")
        for i, epsilon in enumerate(one.epsilons):
            row = "".join(f"{one.sigma[a][i]:>15.5g}{one.accuracy[a][i]:>10.3f}" for a in names)
            lines.append(f"  {epsilon:<9g}{row}")
        lines.append(f"  without noise {one.noiseless:.3f}")
    return lines


def _ratios(rows: list[Any]) -> str:
    ratios = [r.ratio for r in rows]
    return (
        f"The same guarantee needs {min(ratios):.1f} to {max(ratios):.1f} times less noise than "
        "the paper prints."
    )


def _necessity(tight: Any) -> str:
    r = tight.row
    return (
        f"Less is impossible (gradient differences at most 2M, projection inactive): at "
        f"{r.data}, b = {r.batch_size}, epsilon = {r.epsilon:g} a linear instance has delta = "
        f"{tight.at_least:.10g} at the exact noise, {tight.below:.10g} with 0.1 % less; "
        f"the target is {tight.target:.10g}."
    )


def _accuracy(one: Any) -> str:
    best = max(
        range(len(one.epsilons)),
        key=lambda i: one.accuracy["exact"][i] - one.accuracy["printed"][i],
    )
    return (
        f"On {one.n} real images ({one.data}, 3s against 8s) at ε = {one.epsilons[best]:g}, the "
        f"printed noise leaves {one.accuracy['printed'][best]:.1%} test accuracy, the exact noise "
        f"{one.accuracy['exact'][best]:.1%}; without noise it is {one.noiseless:.1%}."
    )


SHOWCASE = Showcase(show, mnist=MNIST_VARIABLE)
