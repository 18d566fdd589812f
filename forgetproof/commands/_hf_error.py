"""Options of `noise hf` and `privacy hf`: where the bound on the approximation error comes from."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from forgetproof.assumptions import assumptions
from forgetproof.options import NUMBER, WHOLE, refuse_unused
from simulators.disk import read_text

MEASURED = "given by the user (measured)"
APRIORI = "certified a priori"
APOSTERIORI = "certified a posteriori"
_FROM_DATA = {MEASURED: ("error",), APRIORI: (), APOSTERIORI: ("norms",)}
_OPTIONS = (
    click.option(
        "--error", type=NUMBER,
        help="Bound on |v_T - w_T - a|, instead of the options of training below.",
    ),
    click.option("--step-size", type=NUMBER, help="eta_0."),
    click.option("--decay", type=NUMBER, default=1.0, show_default=True, help="q: eta_0 q^t."),
    click.option("--epochs", type=WHOLE, help="Epochs of training, E + 1."),
    click.option("--n", type=WHOLE, help="Number of samples."),
    click.option("--batch-size", type=WHOLE, help="b (default n); the last batch may be shorter."),
    click.option(
        "--clip", type=NUMBER,
        help="C: bound on the forgotten gradients, learned and retrained (not with --norms).",
    ),
    click.option("--strong-convexity", type=NUMBER, help="lambda, of any sign: least curvature."),
    click.option("--smoothness", type=NUMBER, help="M: largest curvature."),
    click.option("--hessian-lipschitz", type=NUMBER, help="Lambda; inf if unknown."),
    click.option(
        "--hessian", type=click.Choice(["kept", "batch"]), default="kept", show_default=True,
        help="Approximator: leave-one-out, or the paper's.",
    ),
    click.option(
        "--deletions", type=WHOLE, default=1, show_default=True, help="At most so many, anywhere."
    ),
    click.option(
        "--norms",
        help="CSV with the header missing,norm, a line a step: m_t and |A_t|, for the certificate "
        "after the run.",
    ),
    click.option(
        "--releases", type=WHOLE, default=1, show_default=True,
        help="Models released from one trajectory, each with fresh noise.",
    ),
)  # fmt: skip
_TRAINING = (
    "step_size", "epochs", "n", "strong_convexity", "smoothness", "hessian_lipschitz",
)  # fmt: skip


def error_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds every option that says how far the unlearned model may be from the retrained one."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True)
class Bound:
    """A bound on the approximation error, where it comes from, and what it rests on."""

    value: float
    source: str
    releases: int
    details: dict[str, Any]

    @property
    def assumptions(self) -> dict[str, Any]:
        return assumptions(
            "delete",
            from_data=_FROM_DATA[self.source],
            reference="retrained on the same slots without the deleted, with the same noise",
            released="last iterate" if self.releases == 1 else "every release",
            secret_state="none (statistics kept for other samples are not covered)",
            noise_on="released model, standard deviation sigma, the same for every set",
            error=self.value,
            error_source=self.source,
            releases=self.releases,
            **self.details,
        )


def bound_of(error: float | None, norms: str | None, releases: int, **given: Any) -> Bound:
    """The bound that the options describe. Raises ValueError naming the offending parameter."""
    from accounting import validation

    k = validation.count("releases", releases, low=1)
    training = {name: given[name] for name in _TRAINING}
    if error is not None:
        refuse_unused(["norms", *given], "with error, the bound itself")
        value = validation.scalar("error", error, low=0.0, high_open=True)
        return Bound(value, MEASURED, k, {})
    missing = [name for name, value in training.items() if value is None]
    if missing:
        raise ValueError(
            f"{missing[0]} must be given, or error, got neither: a bound on the error is needed"
        )
    if norms is None:
        return _before(k, **given)
    refuse_unused(["clip", "deletions"], "with norms, which count the deleted of every step")
    return _after(k, norms, **given)


def _schedule(step_size: float, decay: float, epochs: int, n: int, batch_size: int | None) -> Any:
    import numpy as np

    from accounting import validation
    from bounds.hf.placement import batch_sizes

    count = validation.count("n", n, low=1, high=10**9)
    epoch = batch_sizes(count, batch_size if batch_size is not None else count)
    eta = validation.scalar("step_size", step_size, low=0.0, low_open=True, high_open=True)
    q = validation.scalar("decay", decay, low=0.0, low_open=True, high=1.0)
    length = validation.count("epochs", epochs, low=1) * len(epoch)
    if length > 10**7:
        raise ValueError(f"epochs must give at most 10^7 steps, got {length}")
    steps = eta * q ** np.arange(length)
    if steps[-1] <= 0:
        raise ValueError(f"decay must leave every step positive, got {q!r}")
    return steps, epoch


def _constants(
    strong_convexity: float, smoothness: float, hessian_lipschitz: float
) -> tuple[float, float, float]:
    from accounting import validation

    lam = validation.scalar("strong_convexity", strong_convexity, low_open=True, high_open=True)
    M = validation.scalar("smoothness", smoothness, low=max(lam, 0.0), high_open=True)
    return lam, M, validation.scalar("hessian_lipschitz", hessian_lipschitz, low=0.0)


def _details(given: dict[str, Any], hypothesis: str) -> dict[str, Any]:
    names = ("step_size", "decay", "epochs", "n", "batch_size", "clip", "strong_convexity",
             "smoothness", "hessian_lipschitz")  # fmt: skip
    approximator = {
        "kept": "leave-one-out, of the set itself",
        "batch": "the paper's (whole batch, additive)",
    }
    shown = {name: given[name] for name in names if given[name] is not None}
    return {"approximator": approximator[given["hessian"]], "hypothesis": hypothesis, **shown}


def _before(releases: int, **given: Any) -> Bound:
    from accounting import validation
    from bounds.hf.placement import error_up_to

    if given["clip"] is None:
        raise ValueError("clip must be given for a bound before the run, or norms, got neither")
    C = validation.scalar("clip", given["clip"], low=0.0, high_open=True)
    steps, epoch = _schedule(
        *(given[name] for name in ("step_size", "decay", "epochs", "n", "batch_size"))
    )
    lam, M, Lam = _constants(
        *(given[name] for name in ("strong_convexity", "smoothness", "hessian_lipschitz"))
    )
    value = error_up_to(steps, epoch, given["deletions"], C, lam, M, Lam, hessian=given["hessian"])
    details = _details(
        given,
        "every loss has Hessians in [strong_convexity, smoothness], hessian_lipschitz-Lipschitz; "
        "forgotten gradients <= clip on both trajectories; no clipping active",
    )
    return Bound(
        value, APRIORI, releases,
        {"deletions": given["deletions"], "batch_order": "any", **details},
    )  # fmt: skip


def _after(releases: int, file: str, **given: Any) -> Bound:
    import numpy as np

    from bounds.hf.certificates import error_aposteriori

    steps, epoch = _schedule(
        *(given[name] for name in ("step_size", "decay", "epochs", "n", "batch_size"))
    )
    lam, M, Lam = _constants(
        *(given[name] for name in ("strong_convexity", "smoothness", "hessian_lipschitz"))
    )
    missing, norms = _read(file, len(steps))
    sizes = np.tile(epoch, len(steps) // len(epoch))
    found = error_aposteriori(steps, missing, sizes, norms, lam, M, Lam, given["hessian"])
    if not math.isfinite(found[-1]):
        raise ValueError(f"norms must be smaller for a finite bound, got {file}")
    details = _details(
        given,
        "every loss has Hessians in [strong_convexity, smoothness], hessian_lipschitz-Lipschitz; "
        "norms as stored; no clipping active",
    )
    details.pop("clip", None)
    return Bound(float(found[-1]), APOSTERIORI, releases, {"batch_order": "as stored", **details})


def _read(name: str, length: int) -> tuple[list[float], list[float]]:
    """m_t and |A_t| of every step. Raises ValueError for a file that is not such a table."""
    try:
        lines = read_text(name).split()
    except (OSError, ValueError) as error:
        raise ValueError(f"norms must be a readable CSV file, got {name}: {error}") from error
    if not lines or lines[0] != "missing,norm":
        raise ValueError(f"norms must start with the header missing,norm, got {name}")
    if len(lines) - 1 != length:
        raise ValueError(
            f"norms must have {length} lines, one a step of these epochs, n and batch_size, got "
            f"{len(lines) - 1}"
        )
    try:
        table = [tuple(map(float, line.split(","))) for line in lines[1:]]
        missing, norms = zip(*((m, a) for m, a in table), strict=True)
    except ValueError as error:
        raise ValueError(f"norms must hold two numbers a line, got {name}: {error}") from error
    if not all(m == math.floor(m) for m in missing if math.isfinite(m)):
        raise ValueError(f"missing must be whole numbers, got others in {name}")
    return list(missing), list(norms)
