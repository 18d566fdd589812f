"""Methods that train once, unlearn rows, and are compared with retraining without them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from accounting.numerics import validation
from accounting.problems.options import Rule, natural, positive, real, text, whole, word
from simulators.experiments.comparison import Report, compare
from simulators.experiments.data import OnRows, share
from simulators.experiments.losses import LOSSES, step_rule
from simulators.experiments.path_observables import Compared
from simulators.experiments.path_samples import LAST_STEPS, RECOLLECTIONS, REMOVALS
from simulators.experiments.recollected import Recollected
from simulators.experiments.removals import Removed
from simulators.experiments.shortened import Shortened
from simulators.experiments.trajectory import World, measured


@dataclass(frozen=True, kw_only=True, eq=False)
class Unlearning(OnRows):
    """What every method is asked for."""

    measures = Compared
    made_rows: ClassVar[int] = 400

    test_share: float = share(0.2)
    loss: str = word("Of a row.", *LOSSES)
    regularisation: float = natural("lambda.", 0.005)
    ratio: float = real("Share forgotten.", 0.05, low=0.0, low_open=True, high=1.0, high_open=True)
    forget: str | None = text(
        "Rows to forget, such as 0,3,8, in place of --ratio; or aligned: those whose gradients at "
        "0 pull farthest one way."
    )

    def unused(self) -> dict[str, str]:
        named = self.forget not in (None, "aligned")
        return super().unused() | ({"ratio": "with forget"} if named else {})

    def report(self, world: World) -> Report:
        """Unlearns and compares."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True, eq=False)
class OnPath(Unlearning):
    """What a method is asked for that follows gradient steps."""

    epochs: int = whole("Of training.", 20)
    batch_size: int | None = whole("Full batch if not given.", None)
    step_size: Rule | float | None = step_rule("1/L")
    decay: float = positive("q: eta q^t.", 1.0)
    clip: float | None = positive("Bound on the norm of every step's mean gradient.", None)


def _scaling() -> Any:
    help = "Retraining divides by the whole batch, or by what is kept of it."
    return word(help, "linear", "mean", default=None, shown="the method's own")


def _last() -> Any:
    return whole("Last steps to redo.", 10, low=0)


@dataclass(frozen=True, kw_only=True, eq=False)
class HessianFree(OnPath):
    """Hessian-free recollection: statistics of all samples, deletion by vector addition."""

    algorithm = "recollection"
    example = "--data digits --epochs 30 --batch-size 64 --decay 0.995 --hessian kept"
    measures = Recollected
    divides: ClassVar = "linear"
    samples: ClassVar = RECOLLECTIONS

    scaling: str | None = _scaling()
    hessian: str = word("As the paper has it, or without the forgotten samples.", "batch", "kept")
    statistics: str = word(
        "Of all samples, added up; or of the set, which must be known in advance.", "each", "set"
    )
    memory: float = positive("Bytes for statistics.", 2.0**30, shown="1 GiB")
    folder: str | None = text("Keep the statistics in files there, whatever their size.")

    def unused(self) -> dict[str, str]:
        set_known = dict.fromkeys(("memory", "folder"), "with statistics set")
        return super().unused() | (set_known if self.statistics == "set" else {})

    def report(self, world: World) -> Report:
        from simulators.trajectory.recollection import Recollection
        from simulators.trajectory.recursion import Recursion
        from simulators.trajectory.variants import follow

        chosen = Recursion(self.hessian, self.scaling or "linear")
        if self.statistics == "each":
            keep: dict[str, Any] = {"memory": self.memory, "folder": self.folder}
            store = measured(
                lambda: Recollection.learn(world.model, world.training, chosen, **keep)
            )
            point = measured(lambda: store.value.forget(world.forget))
            return compare(world, point, chosen.scaling, precomputation=store)
        found = measured(lambda: follow(world.model, world.training, [world.forget], chosen))
        found.value = found.value.learned + found.value.vectors[0]
        return compare(world, found, chosen.scaling, path_found_again=1)


@dataclass(frozen=True, kw_only=True, eq=False)
class LastSteps(OnPath):
    """Mini-Unlearning: the last k steps of the recursion, on top of the learned model."""

    algorithm = "mini"
    example = "--data digits --batch-size 64 --k 10 --hessian lbfgs"
    measures = Shortened
    divides: ClassVar = "mean"
    samples: ClassVar = LAST_STEPS

    k: int = _last()
    hessian: str = word("Of the recursion.", "exact", "lbfgs")
    pairs: int = whole("m of L-BFGS.", 2)

    def unused(self) -> dict[str, str]:
        return super().unused() | (
            {"pairs": "with hessian exact"} if self.hessian == "exact" else {}
        )

    def report(self, world: World) -> Report:
        from simulators.trajectory.lbfgs import mini_lbfgs
        from simulators.trajectory.mini import mini

        arguments = (world.model, world.training, world.forget, self.k)
        if self.hessian == "exact":
            done = measured(lambda: mini(*arguments))
        else:
            done = measured(lambda: mini_lbfgs(*arguments, pairs=self.pairs))
        return compare(world, done, "mean", path_found_again=1)


@dataclass(frozen=True, kw_only=True, eq=False)
class Rewinding(OnPath):
    """The last k steps again, on what is kept, from the stored w_{T-k}."""

    algorithm = "rewind"
    example = "--data digits --batch-size 64 --k 10"

    k: int = _last()
    scaling: str | None = _scaling()

    def report(self, world: World) -> Report:
        from simulators.trajectory.rewind import rewind

        k = validation.count("k", self.k, low=0, high=world.training.length)
        how = {
            "scaling": self.scaling or "mean",
            "from_point": world.path[world.training.length - k],
        }
        done = measured(lambda: rewind(world.model, world.training, world.forget, k, **how))
        return compare(world, done, how["scaling"])


@dataclass(frozen=True, kw_only=True, eq=False)
class DeltaGrad(OnPath):
    """DeltaGrad: retraining with most gradients replaced by stored ones and L-BFGS products."""

    algorithm = "deltagrad"
    example = "--data digits --batch-size 64 --period 5 --burn-in 10"

    period: int = whole("T_0.", 5)
    burn_in: int = whole("j_0.", 10)
    pairs: int = whole("m of L-BFGS.", 2)

    def unused(self) -> dict[str, str]:
        return super().unused() | {"clip": "to DeltaGrad, whose stored gradients have none"}

    def report(self, world: World) -> Report:
        from simulators.trajectory.deltagrad import deltagrad

        settings = {"period": self.period, "burn_in": self.burn_in, "pairs": self.pairs}
        done = measured(lambda: deltagrad(world.model, world.training, world.forget, **settings))
        steps, done.value = done.value.exact_steps, done.value.point
        # A step finds its scores, its gradient and, for the store, that gradient once more.
        return compare(world, done, "mean", path_found_again=1.5, exact_steps=steps)


@dataclass(frozen=True, kw_only=True, eq=False)
class NewtonRemoval(Unlearning):
    """Certified removal: a perturbed objective, one Newton step, a budget of residuals."""

    algorithm = "newton-removal"
    example = "--data digits --noise 0.1 --epsilon 1 --delta 1e-4"
    measures = Removed
    samples: ClassVar = REMOVALS

    noise: float = natural("s of b.", 0.1)
    epsilon: float = positive("Target epsilon.", 1.0)
    delta: float = real("Target delta.", 1e-4, low=0.0, low_open=True, high=1.0, high_open=True)

    def report(self, world: World) -> Report:
        from simulators.trajectory.linear_score import LinearScore
        from simulators.trajectory.removal import CertifiedRemoval

        model = world.model
        if not isinstance(model, LinearScore):
            raise ValueError(f"loss must be one of a linear score, got {self.loss!r}")
        if not math.isfinite(model.loss.curvature_lipschitz):
            raise ValueError(f"loss must have a Lipschitz second derivative, got {self.loss!r}")
        server = measured(
            lambda: CertifiedRemoval(model, self.noise, self.epsilon, self.delta, self.seed)
        )
        learned, linear = server.value.point, server.value.linear
        done = measured(lambda: server.value.remove(world.forget))
        residual, done.value = done.value, server.value.point
        retraining = world.minimum(linear)
        return Report(
            world,
            {"learned": learned, "unlearned": done.value, "retrained": retraining.value},
            {"learning": server, "unlearning": done, "retraining": retraining},
            {
                "residual": asdict(residual),
                "spent": server.value.spent,
                "budget": server.value.budget,
                "retrained_for_the_budget": server.value.retrainings > 0,
            },
            steps=None,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Amnesiac(OnPath):
    """Amnesiac unlearning: every step that saw a forgotten sample is taken back."""

    algorithm = "amnesiac"
    example = "--data digits --batch-size 16 --epochs 5 --ratio 0.01"

    def report(self, world: World) -> Report:
        from simulators.trajectory.amnesiac import amnesiac, untouched_probability

        done = measured(lambda: amnesiac(world.model, world.training, world.forget))
        size = max(len(rows) for rows in world.training.batches)
        untouched = untouched_probability(world.model.size, len(world.forget), size)
        return compare(
            world, done, "mean", path_found_again=1, probability_of_an_untouched_batch=untouched
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class OneShot(OnPath):
    """A step of second order from the learned model."""

    solver: str = word("Of the linear system.", "cholesky", "cg")
    scaling: str | None = _scaling()

    def step(self) -> Callable[..., Any]:
        """What gives the step."""
        raise NotImplementedError

    def report(self, world: World) -> Report:
        w, step = world.path[-1], self.step()
        done = measured(lambda: w + step(world.model, w, world.forget, solver=self.solver))
        return compare(world, done, self.scaling or "linear")


@dataclass(frozen=True, kw_only=True, eq=False)
class NewtonStep(OneShot):
    """The Newton step from the learned model (its target is the retained minimiser)."""

    algorithm = "ns"
    example = "--data digits --epochs 200 --solver cg"

    def step(self) -> Callable[..., Any]:
        from simulators.trajectory.newton import newton_step

        return newton_step


@dataclass(frozen=True, kw_only=True, eq=False)
class Jackknife(OneShot):
    """The infinitesimal jackknife from the learned model."""

    algorithm = "ij"
    example = "--data digits --epochs 200"

    def step(self) -> Callable[..., Any]:
        from simulators.trajectory.newton import infinitesimal_jackknife

        return infinitesimal_jackknife
