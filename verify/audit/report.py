"""What an audit found: plain data, a text of a few lines, and a picture."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from accounting.curves.gaussian import epsilon_gdp
from accounting.numerics.arguments import typed
from accounting.problems.answer import shown
from simulators.data.disk import write
from verify.audit.curves import Claim
from verify.audit.sequential import SequentialResult
from verify.jsonio import dumps

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from verify.audit.limits import EventLimits


@dataclass(frozen=True, eq=False)
class AuditReport:
    """The outcome; every limit and the verdict hold together with probability `confidence`.

    Attributes:
        claim: what was claimed.
        refuted: whether the samples contradict it.
        confidence, seed: as asked.
        trials: samples drawn of each law.
        delta: where `epsilon_lower` is stated.
        epsilon_lower, mu_lower: lower limits of the true parameters (in a sequential audit only
            what refuting the claim implies).
        w_infinity_lower: lower limit of W_infinity between unlearned and retrained outputs.
        limits: the events judged; None in a sequential audit.
        sequential: how the sequential test ended; None in an audit of fixed size.
        detectable_mu: N(0, I) and N(v, I) with |v| this large are caught with probability 0.9
            (inf: no distance would), `claimed_mu` being where the claim starts to be wrong.
        detectable_epsilon: the true epsilon of such Gaussians at `delta`; a smaller one may pass.
        detectable_leak: so are outputs of this probability that the other law never has.
        contraction, sensitivity: measured on the user's step (lower limits); None without one.
        notes: what looked odd.
    """

    claim: Claim
    refuted: bool
    confidence: float
    seed: int
    trials: int
    delta: float
    epsilon_lower: float
    mu_lower: float
    w_infinity_lower: float | None
    limits: EventLimits | None
    sequential: SequentialResult | None
    detectable_mu: float | None
    detectable_leak: float | None
    contraction: float | None
    sensitivity: float | None
    notes: tuple[str, ...]

    @property
    def detectable_epsilon(self) -> float | None:
        if self.detectable_mu is None:
            return None
        if math.isinf(self.detectable_mu):
            return math.inf
        return float(epsilon_gdp(self.detectable_mu, self.delta))

    @property
    def power(self) -> str:
        """What would have been noticed, in a line; empty for a sequential audit."""
        return (
            ""
            if self.detectable_mu is None
            else noticeable(
                self.claim, self.detectable_mu, self.delta, 1 - self.confidence, self.trials
            )
        )

    @property
    def verdict(self) -> str:
        """The word: refuted, or not refuted."""
        return "refuted" if self.refuted else "not refuted"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON (see `verify.jsonio`); infinities are floats."""
        limits = self.limits
        events = None
        if limits is not None:
            events = [
                {"event": name, "unlearn": list(u), "retrain": list(r), "frequencies": list(o)}
                for name, u, r, o in zip(
                    limits.names,
                    limits.first.tolist(),
                    limits.second.tolist(),
                    limits.frequencies.tolist(),
                    strict=True,
                )
            ]
        return {
            "verdict": self.verdict,
            "claim": self.claim.describe(),
            "confidence": self.confidence,
            "trials": self.trials,
            "judged": None if limits is None else min(limits.judged),
            "seed": self.seed,
            "delta": self.delta,
            "epsilon_lower": self.epsilon_lower,
            "epsilon_claimed": self.claim.epsilon(self.delta),
            "mu_lower": self.mu_lower,
            "w_infinity_lower": self.w_infinity_lower,
            "contraction": self.contraction,
            "sensitivity": self.sensitivity,
            "detectable_mu": self.detectable_mu,
            "detectable_epsilon": self.detectable_epsilon,
            "detectable_leak": self.detectable_leak,
            "power": 0.9,
            "events": events,
            "sequential": None if self.sequential is None else asdict(self.sequential),
            "notes": list(self.notes),
        }

    def to_json(self) -> str:
        """`to_dict` as JSON, infinities spelled "inf"."""
        return dumps(self.to_dict(), indent=2)

    def __str__(self) -> str:
        """A summary of a few lines."""
        stated = self.claim.describe()
        kind, curve = stated["kind"], stated.get("divergence", {})
        claimed = ", ".join(
            f"{k} = {_shown(v)}" for k, v in stated.items() if not isinstance(v, Mapping | str)
        )
        claimed = claimed or ", ".join(f"D_{a} <= {v:.6g}" for a, v in curve.items())
        error = f"{1 - self.confidence:.2g}"
        lines = [f"claim        {kind}: {claimed}", f"verdict      {self.verdict}"]
        if self.sequential is not None:
            used = self.sequential.pairs
            log10 = self.sequential.log_wealth / math.log(10)
            ended = f"stopped at {self.sequential.stopped}" if self.refuted else "never reached it"
            lines.append(
                f"evidence     e-value 10^{log10:.2f} against 1/{error}; {ended} of {used}"
            )
        else:
            lines.append(
                f"epsilon      at least {self.epsilon_lower:.4g} at delta {self.delta:.3g}"
            )
            lines.append(f"mu           at least {self.mu_lower:.4g}")
        if self.w_infinity_lower is not None:
            lines.append(f"W_infinity   at least {self.w_infinity_lower:.4g}")
        if self.contraction is not None:
            lines.append(f"contraction  at least {self.contraction:.6g} (measured)")
        if self.sensitivity is not None:
            lines.append(f"sensitivity  at least {self.sensitivity:.6g} (measured)")
        if self.detectable_mu is not None:
            power_text = f"0.9 for Gaussians {_shown(self.detectable_mu)} apart or more"
            if self.limits is not None and self.limits.dimension > 1:
                power_text += " (independent coordinates)"
            power_text += (
                f": a true epsilon of {_shown(self.detectable_epsilon)} at delta {self.delta:.3g}"
            )
            none = "too few trials: no distance would be seen with probability 0.9"
            lines.append(
                f"power        {power_text if math.isfinite(self.detectable_mu) else none}"
            )
        if self.detectable_leak is not None:
            rare = f"0.9 for outputs of probability {_shown(self.detectable_leak)} that the other"
            none = "too few trials: no leak"
            leak_text = f"{rare} law never has" if math.isfinite(self.detectable_leak) else none
            lines.append(f"leak         {leak_text}")
        lines.append(
            f"error        {error} in all, both directions; {self.trials} trials a law, "
            f"seed {self.seed}"
        )
        return "\n".join([*lines, *(f"note         {note}" for note in self.notes)])

    def figure(self) -> Figure:
        """The claimed trade-off and the limits of every event: a box outside the band refutes."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.patches import Rectangle

        figure = Figure(figsize=(4.4, 4.2), layout="constrained")
        # Agg without pyplot: no display is needed, and no global state is left behind.
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        # Claims are steep near p = 0, where a linear grid would cut the corner.
        p = np.concatenate([np.geomspace(1e-6, 0.02, 60), np.linspace(0.02, 1 - 1e-6, 200)])
        most = self.claim.most(p)
        axes.plot(p, most, color="#d55e00", label="claimed limit")
        axes.plot(most, p, color="#d55e00")
        axes.plot([0, 1], [0, 1], color="#d9d9d9", linewidth=0.8)
        if self.limits is not None:
            pairs = zip(self.limits.second, self.limits.first, strict=True)
            for (left_edge, right), (low, high) in pairs:
                axes.add_patch(
                    Rectangle(
                        (left_edge, low),
                        right - left_edge,
                        high - low,
                        facecolor="#0072b2",
                        alpha=0.6,
                    )
                )
            axes.plot(
                self.limits.frequencies[:, 1],
                self.limits.frequencies[:, 0],
                ".",
                color="#1b1b1b",
                label="events judged",
            )
        axes.set(
            xlim=(0, 1),
            ylim=(0, 1),
            xlabel="probability after retraining",
            ylabel="probability after unlearning",
            title=self.verdict,
        )
        axes.legend(loc="lower right", frameon=False)
        return figure

    @typed
    def plot(self, path: str | Path) -> None:
        """Writes `figure` to a file; its suffix (.svg, .png, .pdf) decides. ValueError else."""
        target = Path(path)
        if target.suffix not in (".svg", ".png", ".pdf"):
            raise ValueError(f"path must end in .svg, .png or .pdf, got {target.name!r}")
        # Through memory, so that a failure to draw leaves no half-written file.
        buffer = io.BytesIO()
        self.figure().savefig(buffer, format=target.suffix[1:])
        write(target, buffer.getvalue())


def noticeable(claim: Claim, mu: float, delta: float, level: float, trials: int) -> str:
    """What samples of two laws would have shown, in a line: the epsilon, rounded up, of Gaussians.

    mu: `verify.audit.detectable_mu`; level: the chance that a true claim fails.
    """
    basis = f"power 0.9, level {level:.2g}, {trials} trials"
    if math.isinf(mu):
        return f"would notice nothing, however large epsilon is: too few trials ({basis})"
    detectable = shown(float(epsilon_gdp(mu, delta)), 3)
    claimed = shown(claim.epsilon(delta), 3)
    return (
        f"would notice epsilon >= {detectable} where {claimed} is claimed, at delta {delta:.3g}; "
        f"what is between may pass ({basis}, Gaussians {mu:.4g} apart)"
    )


def _shown(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
