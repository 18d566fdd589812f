"""`forgetproof simulate safe|tracking`: a stream of deletions, what is published, its regret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from forgetproof.commands._answers import show_assumptions
from forgetproof.commands._data import data_options, epilog, held_out, load
from forgetproof.options import NUMBER, WHOLE, emit_json, json_option, refuse_unused

LEAKS = "from the largest row of the data, which is not public: no guarantee (give --row-norm)"
MOST_VALUES = 2 * 10**7  # of all trials' models together
_SHARED = (
    data_options(rows=400, test_share=0.2),
    click.option("--row-norm", type=NUMBER, help="Public bound on norms; 1 if normalised."),
    click.option("--regularisation", type=NUMBER, default=0.01, show_default=True, help="mu."),
    click.option("--rounds", type=WHOLE, default=20, show_default=True, help="T."),
    click.option("--share", type=NUMBER, default=0.01, show_default=True, help="Leaves a round."),
    click.option(
        "--schedule", type=click.Choice(["random", "class"]), default="random", show_default=True,
        help="Random rows, or one class after the other.",
    ),
    click.option("--epsilon", type=NUMBER, default=1.0, show_default=True, help="Target epsilon."),
    click.option("--delta", type=NUMBER, default=1e-5, show_default=True, help="Target delta."),
    click.option("--releases", type=WHOLE, default=1, show_default=True, help="Seen together."),
    click.option("--trials", type=WHOLE, default=4, show_default=True),
    click.option("--seed", type=WHOLE, default=0, show_default=True),
    click.option("--device", default="auto", show_default=True, help="auto, cpu or cuda."),
)  # fmt: skip


def register(group: click.Group) -> None:
    """Add the commands of this module to `simulate`."""
    for command in (safe, tracking):
        group.add_command(command)


def _shared(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_SHARED):
        function = option(function)
    return function


@click.command(
    "safe",
    epilog=epilog("safe --data digits --rounds 10 --variant corrected"),
)
@click.option(
    "--variant", type=click.Choice(["printed", "corrected"]), default="corrected",
    show_default=True, help="Eq (23) and the noise of Theorem 2 as printed, or as they should be.",
)  # fmt: skip
@click.option("--noise/--no-noise", default=True, show_default=True)
@click.option("--weight", type=NUMBER, default=1.0, show_default=True, help="lambda of forgetting.")
@click.option("--constant", type=NUMBER, default=2.5, show_default=True, help="K of the step.")
@click.option("--gamma", type=NUMBER, help="Step length; sqrt(W)/(K sqrt T) if not given.")
@_shared
@json_option
def safe(variant: str, noise: bool, as_json: bool, **options: Any) -> None:
    """SAFE on softmax regression: one step from w_0 in every round."""
    if options["gamma"] is not None:
        refuse_unused(["constant"], "with gamma, the step length itself")
    method = f"SAFE {'as printed' if variant == 'printed' else 'corrected'}"
    _run("safe", method if noise else f"{method}, no noise", as_json, options)


@click.command("tracking", epilog=epilog("tracking --data digits --steps 500"))
@click.option("--steps", type=WHOLE, default=500, show_default=True, help="J in every round.")
@_shared
@json_option
def tracking(as_json: bool, **options: Any) -> None:
    """Certified tracking: J gradient steps from the last model, noise that shrinks with them."""
    _run("tracking", "track and publish", as_json, options)


def _run(name: str, method: str, as_json: bool, options: dict[str, Any]) -> None:
    from accounting.problems import Adjacency, Assumptions, NoiseOn, Reference, Released, Secret
    from verify.safe.side_by_side import curve, path_length, printed_regret

    problem = _problem(options)
    found = curve(problem, method, options["seed"])
    flat = found.last.reshape(len(found.last), -1)
    rounds = {
        "regret": found.regret, "distance": found.distance, "sigma": found.sigma,
        "certified_epsilon": found.epsilon, "accuracy_kept": found.kept,
        "accuracy_forgotten": found.forgotten, "accuracy_test": found.test,
        "path_length": path_length(problem), "printed_order": printed_regret(problem),
        "gradient_evaluations": found.gradients,
    }  # fmt: skip
    rests = Assumptions(
        adjacency=Adjacency.DELETE,
        reference=Reference.KEPT,
        released=Released.SEVERAL,
        secret_state=Secret.MODEL,
        noise_on=NoiseOn.MODEL,
        from_data=() if problem.risk.row_norm is not None else ("row_norm",),
    )
    document: dict[str, Any] = {
        "algorithm": name,
        "method": method,
        "data": problem.name,
        "data_sha256": problem.train.sha256,
        "rounds": {key: value.tolist() for key, value in rounds.items()},
        "regret": float(found.regret[-1]),
        "joint_epsilon": found.joint,
        "gradient_evaluations": float(found.gradients[-1]),
        "moments": {
            "published": {
                "mean": flat.mean(axis=0).tolist(),
                "variance": flat.var(axis=0, ddof=min(1, len(flat) - 1)).tolist(),
            }
        },
        "problem": {
            "n": problem.stream.n,
            "deleted": int(problem.stream.sizes.sum()),
            "step_length": problem.stream.gamma,
            "steps": problem.stream.steps,
            "releases": problem.releases,
            "row_norm": problem.risk.row_norm,
        },
        "assumptions": rests.document(),
    }
    if as_json:
        emit_json(document)
        return
    click.echo(f"{method} on {problem.name}: {problem.stream.n} rows, mean over the trials")
    if problem.risk.row_norm is None:
        click.echo(f"constants {LEAKS}")
    head = ("round", "regret", "distance", "sigma", "epsilon", "kept", "forgotten", "test")
    click.echo("  " + "".join(f"{title:>12}" for title in head))
    for t in range(problem.rounds):
        numbers = (found.regret[t], found.distance[t], found.sigma[t], found.epsilon[t])
        right = (found.kept[t], found.forgotten[t], found.test[t])
        cells = [f"{x:.5g}" for x in numbers] + [f"{x:.3f}" for x in right]
        click.echo("  " + "".join(f"{cell:>12}" for cell in (t + 1, *cells)))
    click.echo(f"all rounds together: epsilon {found.joint:.6g}; gradients {found.gradients[-1]:g}")
    show_assumptions(rests)


def _problem(options: dict[str, Any]) -> Any:
    from accounting import validation
    from verify.safe.side_by_side import Problem

    seed = validation.count("seed", options["seed"], low=0)
    data = load(options, "softmax", made_rows=400).shuffled(seed)
    if held_out(data, options)[1] is None:
        raise ValueError("test_share must be > 0: accuracy is measured on rows held out, got 0")
    rounds = validation.count("rounds", options["rounds"], low=1, high=10**6)
    trials = validation.count("trials", options["trials"], low=1, high=10**6)
    classes = int(data.targets.max()) + 1
    if trials * rounds * data.dimension * classes > MOST_VALUES:
        raise ValueError(
            f"trials must be fewer for {rounds} rounds of {data.dimension * classes} parameters: "
            f"at most {max(1, MOST_VALUES // (rounds * data.dimension * classes))}, got {trials}"
        )
    share = validation.scalar("share", options["share"], low=0, low_open=True, high=1)
    if not rounds * share < 1:
        raise ValueError(f"share must be below 1/rounds = {1 / rounds:g}, got {share:g}")
    regularisation = validation.scalar(
        "regularisation", options["regularisation"], low=0, low_open=True, high_open=True
    )
    norm = options["row_norm"]
    if norm is None and options["normalise"]:
        norm = 1.0
    return Problem.of(
        data, options["data"], rounds=rounds, share=share, schedule=options["schedule"],
        regularisation=regularisation,
        weight=validation.scalar("weight", options.get("weight", 1.0), low=0, high_open=True),
        constant=options.get("constant", 1.0), gamma=options.get("gamma"),
        steps=options.get("steps", 1), epsilon=options["epsilon"], delta=options["delta"],
        releases=validation.count("releases", options["releases"], low=1, high=rounds),
        trials=trials, seed=seed, device=options["device"], row_norm=norm,
        test_share=options["test_share"],
    )  # fmt: skip
