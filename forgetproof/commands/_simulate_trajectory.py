"""`forgetproof simulate recollection|mini|rewind|deltagrad|newton-removal|amnesiac|ns|ij`.

Each trains once, unlearns by its method, retrains for comparison, and says how far apart they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from forgetproof.commands._data import data_options, epilog
from forgetproof.commands._losses import LOSSES
from forgetproof.commands._trajectory_report import Report, compare, show
from forgetproof.commands._trajectory_world import World, measured
from forgetproof.options import NUMBER, WHOLE, emit_json, json_option, refuse_unused

_SHARED = (
    data_options(rows=400, test_share=0.2),
    click.option("--loss", type=click.Choice(LOSSES), default="logistic", show_default=True),
    click.option("--regularisation", type=NUMBER, default=0.005, show_default=True, help="lambda."),
    click.option("--epochs", type=WHOLE, default=20, show_default=True),
    click.option("--batch-size", type=WHOLE, help="Full batch if not given."),
    click.option("--step-size", default="1/L", show_default=True, help="eta; may use L, m and n."),
    click.option("--decay", type=NUMBER, default=1.0, show_default=True, help="q: eta q^t."),
    click.option("--clip", type=NUMBER, help="Bound on the norm of every step's mean gradient."),
    click.option("--ratio", type=NUMBER, default=0.05, show_default=True, help="Share forgotten."),
    click.option("--forget", help="Rows to forget, such as 0,3,8, in place of --ratio."),
    click.option("--seed", type=WHOLE, default=0, show_default=True),
)
TRAINING = ("epochs", "batch_size", "step_size", "decay", "clip")
_SCALING = click.option(
    "--scaling",
    type=click.Choice(["linear", "mean"]),
    help="Retraining divides by the whole batch, or by what is kept of it.",
)
_SOLVER = click.option(
    "--solver", type=click.Choice(["cholesky", "cg"]), default="cholesky", show_default=True
)
_K = click.option("--k", type=WHOLE, default=10, show_default=True, help="Last steps to redo.")


def register(group: click.Group) -> None:
    """Add the commands of this module to `simulate`."""
    for command in (recollection, mini, rewind, deltagrad, newton_removal, amnesiac, ns, ij):
        group.add_command(command)


def _command(
    name: str, example: str, *extra: Any
) -> Callable[[Callable[[World, dict[str, Any]], Report]], click.Command]:
    """The function of a world and its own options as a command that prints the report."""

    def make(method: Callable[[World, dict[str, Any]], Report]) -> click.Command:
        def body(as_json: bool, **options: Any) -> None:
            document = method(World(options), options).document(name)
            if as_json:
                emit_json(document)
            else:
                show(document)

        body.__doc__ = method.__doc__
        function: Any = json_option(body)
        for option in reversed((*extra, *_SHARED)):
            function = option(function)
        return click.command(name, epilog=epilog(f"{name} {example}"))(function)

    return make


@_command(
    "recollection",
    "--data digits --epochs 30 --batch-size 64 --decay 0.995 --hessian kept",
    _SCALING,
    click.option(
        "--hessian", type=click.Choice(["batch", "kept"]), default="batch", show_default=True,
        help="As the paper has it, or without the forgotten samples.",
    ),
    click.option(
        "--statistics", type=click.Choice(["each", "set"]), default="each", show_default=True,
        help="Of all samples, added up; or of the set, which must be known in advance.",
    ),
    click.option("--memory", type=NUMBER, default=2.0**30, help="Bytes for statistics; 1 GiB."),
    click.option("--folder", help="Keep the statistics in files there, whatever their size."),
)  # fmt: skip
def recollection(world: World, options: dict[str, Any]) -> Report:
    """Hessian-free recollection: statistics of all samples, deletion by vector addition."""
    from simulators.trajectory.recollection import Recollection
    from simulators.trajectory.recursion import Recursion
    from simulators.trajectory.variants import follow

    chosen = Recursion(options["hessian"], options["scaling"] or "linear")
    if options["statistics"] == "each":
        store = measured(
            lambda: Recollection.learn(
                world.model,
                world.training,
                chosen,
                memory=options["memory"],
                folder=options["folder"],
            )
        )
        point = measured(lambda: store.value.forget(world.forget))
        return compare(world, point, chosen.scaling, precomputation=store)
    refuse_unused(["memory", "folder"], "with statistics set")
    found = measured(lambda: follow(world.model, world.training, [world.forget], chosen))
    found.value = found.value.learned + found.value.vectors[0]
    return compare(world, found, chosen.scaling, path_found_again=1)


@_command(
    "mini",
    "--data digits --batch-size 64 --k 10 --hessian lbfgs",
    _K,
    click.option(
        "--hessian", type=click.Choice(["exact", "lbfgs"]), default="exact", show_default=True
    ),
    click.option("--pairs", type=WHOLE, default=2, show_default=True, help="m of L-BFGS."),
)
def mini(world: World, options: dict[str, Any]) -> Report:
    """Mini-Unlearning: the last k steps of the recursion, on top of the learned model."""
    from simulators.trajectory.lbfgs import mini_lbfgs
    from simulators.trajectory.mini import mini as run

    arguments = (world.model, world.training, world.forget, options["k"])
    if options["hessian"] == "exact":
        refuse_unused(["pairs"], "with hessian exact")
        done = measured(lambda: run(*arguments))
    else:
        done = measured(lambda: mini_lbfgs(*arguments, pairs=options["pairs"]))
    return compare(world, done, "mean", path_found_again=1)


@_command("rewind", "--data digits --batch-size 64 --k 10", _K, _SCALING)
def rewind(world: World, options: dict[str, Any]) -> Report:
    """The last k steps again, on what is kept, from the stored w_{T-k}."""
    from accounting import validation
    from simulators.trajectory.rewind import rewind as run

    k = validation.count("k", options["k"], low=0, high=world.training.length)
    stored = world.path[world.training.length - k]
    scaling = options["scaling"] or "mean"
    done = measured(
        lambda: run(
            world.model, world.training, world.forget, k, scaling=scaling, from_point=stored
        )
    )
    return compare(world, done, scaling)


@_command(
    "deltagrad",
    "--data digits --batch-size 64 --period 5 --burn-in 10",
    click.option("--period", type=WHOLE, default=5, show_default=True, help="T_0."),
    click.option("--burn-in", type=WHOLE, default=10, show_default=True, help="j_0."),
    click.option("--pairs", type=WHOLE, default=2, show_default=True, help="m of L-BFGS."),
)
def deltagrad(world: World, options: dict[str, Any]) -> Report:
    """DeltaGrad: retraining with most gradients replaced by stored ones and L-BFGS products."""
    from simulators.trajectory.deltagrad import deltagrad as run

    settings = {name: options[name] for name in ("period", "burn_in", "pairs")}
    done = measured(lambda: run(world.model, world.training, world.forget, **settings))
    steps, done.value = done.value.exact_steps, done.value.point
    # A step finds its scores, its gradient and, for the store, that gradient once more.
    return compare(world, done, "mean", path_found_again=1.5, exact_steps=steps)


@_command(
    "newton-removal",
    "--data digits --noise 0.1 --epsilon 1 --delta 1e-4",
    click.option("--noise", type=NUMBER, default=0.1, show_default=True, help="s of b."),
    click.option("--epsilon", type=NUMBER, default=1.0, show_default=True),
    click.option("--delta", type=NUMBER, default=1e-4, show_default=True),
)
def newton_removal(world: World, options: dict[str, Any]) -> Report:
    """Certified removal: a perturbed objective, one Newton step, a budget of residuals."""
    from dataclasses import asdict

    from simulators.trajectory.linear_score import LinearScore
    from simulators.trajectory.removal import CertifiedRemoval

    refuse_unused(TRAINING, "to newton-removal, which minimises")
    model = world.model
    if not isinstance(model, LinearScore):
        raise ValueError(f"loss must be one of a linear score, got {options['loss']!r}")
    server = measured(
        lambda: CertifiedRemoval(
            model, options["noise"], options["epsilon"], options["delta"], options["seed"]
        )
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


@_command("amnesiac", "--data digits --batch-size 16 --epochs 5 --ratio 0.01")
def amnesiac(world: World, options: dict[str, Any]) -> Report:
    """Amnesiac unlearning: every step that saw a forgotten sample is taken back."""
    from simulators.trajectory.amnesiac import amnesiac as run
    from simulators.trajectory.amnesiac import untouched_probability

    done = measured(lambda: run(world.model, world.training, world.forget))
    size = max(len(rows) for rows in world.training.batches)
    untouched = untouched_probability(world.model.size, len(world.forget), size)
    return compare(
        world, done, "mean", path_found_again=1, probability_of_an_untouched_batch=untouched
    )


@_command("ns", "--data digits --epochs 200 --solver cg", _SOLVER, _SCALING)
def ns(world: World, options: dict[str, Any]) -> Report:
    """The Newton step from the learned model (its target is the retained minimiser)."""
    from simulators.trajectory.newton import newton_step

    return _one_shot(world, options, newton_step)


@_command("ij", "--data digits --epochs 200", _SOLVER, _SCALING)
def ij(world: World, options: dict[str, Any]) -> Report:
    """The infinitesimal jackknife from the learned model."""
    from simulators.trajectory.newton import infinitesimal_jackknife

    return _one_shot(world, options, infinitesimal_jackknife)


def _one_shot(world: World, options: dict[str, Any], step: Callable[..., Any]) -> Report:
    w = world.path[-1]
    done = measured(lambda: w + step(world.model, w, world.forget, solver=options["solver"]))
    return compare(world, done, options["scaling"] or "linear")
