"""`forgetproof simulate`: run an algorithm, batched over trials, and report its moments."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import click

from forgetproof.commands import _simulate_safe, _simulate_trajectory
from forgetproof.commands._data import data_options, epilog, held_out, load, tested
from forgetproof.commands._losses import LOSSES, step_of
from forgetproof.commands._simulate_online import online
from forgetproof.options import NUMBER, WHOLE, Algorithms, emit_json, json_option
from forgetproof.problems import aliases

EXAMPLE = epilog(
    "langevin --data digits --sigma 0.01 --batch-size 32 --learn-epochs 10 --unlearn-epochs 1 "
    "--trials 256"
)
# Algorithms that are privacy problems too bear their other names here as well.
SHARED_NAMES = ("langevin", "online", "recollection", "tracking")
ALIASES = {alias: name for name in SHARED_NAMES for alias in aliases(name)}
MOST_STEPS = 10**9
MOST_VALUES = 2 * 10**8  # of all trials' iterates together
_SHARED = (
    data_options(rows=1000, test_share=None),
    click.option("--loss", type=click.Choice(LOSSES), default="logistic", show_default=True),
    click.option("--regularisation", type=NUMBER, help="lambda; chosen non-vacuous if not given."),
    click.option("--clip", type=NUMBER, help="Clip per-sample gradients (regulariser outside)."),
    click.option("--sigma", type=NUMBER, required=True, help="Noise scale."),
    click.option("--step-size", default="1/L", show_default=True, help="eta; may use L, m and n."),
    click.option("--radius", type=NUMBER, default=4.0, show_default=True, help="R; inf for none."),
    click.option("--trials", type=WHOLE, default=256, show_default=True),
    click.option("--seed", type=WHOLE, default=0, show_default=True),
    click.option("--requests", type=WHOLE, default=1, show_default=True, help="S, in sequence."),
    click.option("--device", default="auto", show_default=True, help="auto, cpu or cuda."),
    click.option("--dtype", default="float64", show_default=True, help="float64 or float32."),
)
_BATCHES = (
    click.option("--batch-size", type=WHOLE, help="b; the last n mod b rows are dropped."),
    click.option("--batch-order", type=click.Choice(["fixed", "random"]), default="fixed"),
)
_EPOCHS = (
    click.option("--learn-epochs", type=WHOLE, default=10, show_default=True, help="T."),
    click.option("--unlearn-epochs", type=WHOLE, default=1, show_default=True, help="K."),
)


def _with(*groups: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for group in reversed(groups):
            for option in reversed(group):
                function = option(function)
        return function

    return add


@click.group("simulate", cls=Algorithms, aliases=ALIASES, epilog=EXAMPLE)
def command() -> None:
    """Run an algorithm and report its moments and gradient evaluations."""


_simulate_trajectory.register(command)
_simulate_safe.register(command)


@command.command("langevin", epilog=EXAMPLE)
@_with(_BATCHES, _EPOCHS, _SHARED)
@json_option
def langevin(as_json: bool, **options: Any) -> None:
    """Langevin unlearning, full batch or mini-batches: learning, then the replaced data."""
    from simulators.langevin import requests

    _run("langevin", requests, as_json, options, epochs=("learn_epochs", "unlearn_epochs"))


@command.command(
    "retrain",
    epilog=epilog("retrain --data digits --sigma 0.01 --batch-size 32 --learn-epochs 10"),
)
@_with(_BATCHES, (_EPOCHS[0],), _SHARED)
@json_option
def retrain(as_json: bool, **options: Any) -> None:
    """Retraining from scratch on the replaced data."""
    from simulators.retraining import retrain as run

    def on_last(loss: Any, data: Any, updates: Any, *, learn_epochs: int, **rest: Any) -> Any:
        return run(loss, updates[-1], retrain_epochs=learn_epochs, **rest)

    _run("retrain", on_last, as_json, options, epochs=("learn_epochs",))


@command.command(
    "d2d",
    epilog=epilog(
        "d2d --data digits --sigma 0.01 --learn-epochs 50 --unlearn-epochs 2 --published-state"
    ),
)
@click.option("--internal-state/--published-state", default=True, help="Continue from which?")
@_with(_EPOCHS, _SHARED)
@json_option
def d2d(as_json: bool, internal_state: bool, **options: Any) -> None:
    """Descent to Delete (Algorithms 2 and 3): gradient descent, noise at publication."""
    from simulators.d2d import descent_to_delete

    def run(loss: Any, data: Any, updates: Any, **rest: Any) -> Any:
        for name in ("batch_size", "batch_order"):
            rest.pop(name)
        steps = {
            "learn_steps": rest.pop("learn_epochs"),
            "unlearn_steps": rest.pop("unlearn_epochs"),
        }
        return descent_to_delete(
            loss, data, updates, internal_state=internal_state, **steps, **rest
        )

    source = click.get_current_context().get_parameter_source("step_size")
    if source is click.core.ParameterSource.DEFAULT:
        options["step_size"] = "2/(L+m)"
    options.update(batch_size=None, batch_order="fixed")
    _run("d2d", run, as_json, options, epochs=("learn_epochs", "unlearn_epochs"))


command.add_command(online)


def _run(
    algorithm: str,
    run: Callable[..., Any],
    as_json: bool,
    options: dict[str, Any],
    *,
    epochs: tuple[str, ...],
) -> None:
    """Sets the experiment up, runs it, and prints what came out."""
    from simulators.domains import Ball, WholeSpace

    data, test, updates, loss, lam = _problem(options)
    radius = options["radius"]
    domain = Ball(radius) if math.isfinite(radius) else WholeSpace()
    constants = loss.constants(data, *updates, domain=domain)
    eta = step_of(options["step_size"], constants, len(data))
    _insist_on_an_end(options, epochs, data)
    result = _within_floats(
        run,
        loss,
        data,
        updates,
        sigma=options["sigma"],
        step_size=eta,
        batch_size=options["batch_size"],
        batch_order=options["batch_order"],
        domain=domain,
        trials=options["trials"],
        seed=options["seed"],
        device=options["device"],
        dtype=options["dtype"],
        **{name: options[name] for name in epochs},
    )
    document = {
        "algorithm": algorithm,
        "data": {"name": data.name, "n": len(data), "dimension": data.dimension,
                 "sha256": data.sha256, "record": list(data.record)},
        "constants": {
            "regularisation": lam,
            "smoothness": constants.smoothness,
            "strong_convexity": constants.strong_convexity,
            "lipschitz": constants.half_gradient_difference,
            "step_size": eta,
            "contraction": constants.contraction(eta),
        },
        "settings": {k: v for k, v in options.items() if v is not None},
        "moments": _moments(result),
        "test": {} if test is None else {
            "rows": len(test),
            **{name: tested(options["loss"], x, test) for name, x in _laws(result).items()},
        },
        "gradient_evaluations": dict(result.gradient_evaluations),
        "steps": dict(result.steps),
    }  # fmt: skip
    if as_json:
        emit_json(document)
        return
    click.echo(f"{algorithm} on {data.name}: n = {len(data)}, d = {data.dimension}")
    for line in data.record:
        click.echo(f"  {line}")
    for name, value in document["constants"].items():  # type: ignore[attr-defined]
        click.echo(f"  {name:<17} {value:.6g}")
    for name, moments in document["moments"].items():  # type: ignore[attr-defined]
        click.echo(
            f"  {name:<17} |mean| = {moments['mean_norm']:.6g}, "
            f"mean standard deviation = {moments['mean_std']:.6g}"
        )
    for name, measures in document["test"].items():  # type: ignore[attr-defined]
        if name != "rows":
            for measure, value in measures.items():
                shown = f"{measure.replace('_', ' ')} {value:.4g} on {len(test)} rows held out"
                click.echo(f"  {name:<17} {shown}")
    for name, value in result.gradient_evaluations.items():
        click.echo(f"  gradients, {name:<7} {value} per trial")


def _insist_on_an_end(options: dict[str, Any], epochs: tuple[str, ...], data: Any) -> None:
    """ValueError for a number of steps, or of trials, that no machine takes."""
    from accounting import validation

    trials, most = options["trials"], MOST_VALUES // data.dimension
    if trials > most:
        raise ValueError(f"trials must be at most {most} of {data.dimension} numbers, got {trials}")
    batches = len(data) // options["batch_size"]
    for name in epochs:
        count = validation.count(name, options[name], low=0)
        if count * batches * options["requests"] > MOST_STEPS:
            raise ValueError(f"{name} must be at most {MOST_STEPS} steps in all, got {count}")


def _within_floats(run: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What `run` returns; a ValueError where a number leaves the range of its type."""
    import numpy as np

    try:
        with np.errstate(all="ignore"):
            return run(*arguments, **options)
    except RuntimeError as error:
        if "overflow" not in str(error):
            raise
        raise ValueError(
            f"sigma and step_size must be in the range of {options['dtype']}, got "
            f"{options['sigma']:g}, {options['step_size']:g}"
        ) from error


def _problem(options: dict[str, Any]) -> tuple[Any, Any, list[Any], Any, float]:
    """Data, rows held out, the data's successive adjacent sets, the loss, its regularisation."""
    from accounting import validation
    from forgetproof.commands._losses import adjacent_to, make_loss
    from simulators.data.adjacency import row_in_batch
    from simulators.losses.regularisation import choose_regularisation

    requests = validation.count("requests", options["requests"], low=1)
    whole = load(options, options["loss"], made_rows=1000)
    if options["test_share"] is not None:
        if options["loss"] == "quadratic":
            raise ValueError("test_share must be given for a loss that predicts, got quadratic")
        whole = whole.shuffled(options["seed"])
    data, test = held_out(whole, options)
    if options["batch_size"] is not None:
        data = data.trimmed(
            validation.count("batch_size", options["batch_size"], low=1, high=len(data))
        )
    options["batch_size"] = size = options["batch_size"] or len(data)
    lam = options["regularisation"]
    if lam is None:
        radius = options["radius"] if math.isfinite(options["radius"]) else 100.0
        lam = choose_regularisation(
            len(data), batch_size=size, bound=1.0, curvature=0.25, radius=radius
        ).value
    loss = make_loss(options["loss"], lam, options["clip"], whole)
    if requests > size:
        raise ValueError(f"requests must be at most the batch size {size}, got {requests}")
    first = row_in_batch(len(data) // size - 1, size)
    updates: list[Any] = []
    for request in range(requests):
        updates.append(adjacent_to(updates[-1] if updates else data, first + request))
    return data, test, updates, loss, lam


def _laws(result: Any) -> dict[str, Any]:
    """The published iterates that the run has."""
    names = ("learned", "unlearned", "retrained")
    return {name: x for name in names if (x := getattr(result, name)) is not None}


def _moments(result: Any) -> dict[str, Any]:
    """Mean, per-coordinate variance, and two summaries, of every published law."""
    import numpy as np

    found = {}
    for name, iterates in _laws(result).items():
        flat = np.asarray(iterates, dtype=float).reshape(len(iterates), -1)
        with np.errstate(over="ignore", invalid="ignore"):
            mean, variance = flat.mean(axis=0), flat.var(axis=0, ddof=min(1, len(flat) - 1))
            if not (np.isfinite(mean).all() and np.isfinite(variance).all()):
                raise ValueError("sigma must be small enough for finite moments; these are not")
        found[name] = {
            "mean": mean,
            "variance": variance,
            "mean_norm": float(np.linalg.norm(mean)),
            "mean_std": float(np.sqrt(variance).mean()),
        }
    return found
