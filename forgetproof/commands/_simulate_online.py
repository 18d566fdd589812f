"""`forgetproof simulate online`: an online learner, its deletions, and its regret."""

from __future__ import annotations

from typing import Any

import click

from forgetproof.commands._data import data_options, epilog, tested
from forgetproof.commands._online import MADE, requests_of, steps_of, stream_of
from forgetproof.options import NUMBER, WHOLE, emit_json, json_option, refuse_unused

EXAMPLE = epilog(
    "online --data digits --algorithm passive --deletions random --k 5 --epsilon 1",
    f"  a made stream: {', '.join(MADE)}",
)
ALGORITHMS = ("passive", "active", "newton", "restart", "retrain", "dp", "tree")
LOSSES = ("logistic", "ridge", "huber", "hinge", "logcosh", "quadratic")
DELETIONS = ("none", "early", "late", "random", "bursts", "simultaneous", "adversarial", "stream")
USED_BY = {
    "inner_steps": ("active",),
    "first_steps": ("active", "newton"),
    "epsilon": ("passive", "active", "newton", "dp", "tree"),
}
MOST_VALUES = 2 * 10**8  # numbers of one result
MOST_SUMS = 10**9
MOST_STEPS = 10**11  # gradients of all trials together


@click.command("online", epilog=EXAMPLE)
@data_options(rows=1000, test_share=None, count="rounds")
@click.option("--rounds", type=WHOLE, help="T; every row of the data, or 1000, if not given.")
@click.option("--loss", type=click.Choice(LOSSES), default="logistic", show_default=True)
@click.option("--regularisation", type=NUMBER, default=0.1, show_default=True, help="lambda.")
@click.option("--radius", type=NUMBER, default=1.0, show_default=True, help="R; inf for none.")
@click.option(
    "--algorithm",
    type=click.Choice(ALGORITHMS),
    default="passive",
    show_default=True,
    help="dp, tree: noise on every gradient, on a tree of gradient sums.",
)
@click.option(
    "--step-size",
    help="In mu, beta, L, D, T, t; or adaptive. Default 1/(mu*t), or D/(L*sqrt(t)) where mu = 0.",
)
@click.option(
    "--deletions",
    type=click.Choice(DELETIONS),
    default="random",
    show_default=True,
    help="Which and when; stream: those of a made stream.",
)
@click.option("--k", type=WHOLE, default=1, show_default=True, help="Number of deletions.")
@click.option("--first", type=WHOLE, default=1, show_default=True, help="Least deleted round.")
@click.option("--schedule", help="File of deletions instead: CSV index,time or JSON pairs.")
@click.option("--sigma", type=NUMBER, help="Noise of each request (dp, tree: of each step, node).")
@click.option("--epsilon", type=NUMBER, help="Least noise for D_alpha <= alpha epsilon instead.")
@click.option("--inner-steps", type=WHOLE, default=5, show_default=True, help="active: I_2.")
@click.option(
    "--first-steps",
    type=WHOLE,
    default=0,
    show_default=True,
    help="active, newton: I_1, steps on all losses before.",
)
@click.option("--printed", is_flag=True, help="As the paper prints the algorithm.")
@click.option("--trials", type=WHOLE, default=256, show_default=True)
@click.option("--seed", type=WHOLE, default=0, show_default=True)
@click.option("--shuffle", is_flag=True, help="Rows in random order.")
@click.option("--device", default="auto", show_default=True, help="auto, cpu or cuda.")
@json_option
def online(as_json: bool, **options: Any) -> None:
    """Online learning with deletions: regret, and what is published at each request."""
    import numpy as np

    from accounting import validation

    if options["sigma"] is not None and options["epsilon"] is not None:
        raise ValueError("sigma and epsilon must not both be given")
    if options["sigma"] is not None:
        validation.scalar("sigma", options["sigma"], low=0.0, high_open=True)
    if options["epsilon"] is not None:
        validation.scalar("epsilon", options["epsilon"], low=0.0, low_open=True, high_open=True)
    chosen = options["algorithm"]
    for name, algorithms in USED_BY.items():
        if chosen not in algorithms:
            refuse_unused([name], f"with algorithm {chosen}")
    from simulators.online.learners import run
    from simulators.online.named import algorithm

    made = stream_of(options)
    stream, initial = made.stream, made.initial
    steps = steps_of(options["step_size"], stream)
    requests = requests_of(options, made.requests, stream, steps)
    _insist_on_an_end(options, stream, requests)
    settings = algorithm(
        options["algorithm"], stream, requests, steps, sigma=options["sigma"],
        rho=options["epsilon"], second=options["inner_steps"], first=options["first_steps"],
        printed=options["printed"],
    )  # fmt: skip
    with np.errstate(all="ignore"):
        result = run(
            stream, requests, **settings, initial=initial, trials=options["trials"],
            seed=options["seed"], device=options["device"], keep_losses=False,
        )  # fmt: skip
    document = _document(options, made.about, stream, requests, settings, result)
    if made.test is not None:
        points = result.final[0]
        document["test"] = {"rows": len(made.test), **tested(options["loss"], points, made.test)}
    if as_json:
        emit_json(document)
    else:
        _show(document)


def _insist_on_an_end(options: dict[str, Any], stream: Any, requests: Any) -> None:
    """ValueError for work, or results, that no machine takes."""
    from accounting import validation

    k = 0 if requests is None else len(requests)
    trials = validation.count("trials", options["trials"], low=1)
    most = MOST_VALUES // (stream.dimension * 2 * (k + 1))
    if trials > most:
        raise ValueError(
            f"trials must be at most {most} for {k} deletions in {stream.dimension} dimensions, "
            f"got {trials}"
        )
    inner = 1
    if options["algorithm"] in ("active", "newton"):
        inner = options["inner_steps"] + options["first_steps"] + 2
    for name in ("inner_steps", "first_steps"):
        validation.count(name, options[name], low=0)
    served = k if options["algorithm"] in ("active", "newton", "retrain") else 0
    gradients = stream.rounds * (1 + served * inner) * 2 * trials
    if gradients > MOST_STEPS:
        raise ValueError(
            f"trials times rounds times inner steps must be at most {MOST_STEPS:.0e}, got "
            f"{gradients:.3g} gradients"
        )
    if k * stream.rounds > MOST_SUMS:
        raise ValueError(
            f"k must be at most {MOST_SUMS // stream.rounds} deletions in {stream.rounds} rounds "
            f"(for each one, a comparator over all rounds), got {k}"
        )


def _document(
    options: dict[str, Any], about: dict[str, Any], stream: Any, requests: Any,
    settings: dict[str, Any], result: Any,
) -> dict[str, Any]:  # fmt: skip
    c = stream.constants
    regret, error = result.mean_regret()
    constant, constant_error = result.mean_regret(moving=False)
    return {
        "algorithm": options["algorithm"],
        "data": about,
        "rounds": stream.rounds,
        "dimension": stream.dimension,
        "constants": {
            "strong_convexity": c.strong_convexity,
            "smoothness": c.smoothness,
            "lipschitz": c.lipschitz,
            "diameter": c.diameter,
        },
        "regret": {"mean": regret, "standard_error": error},
        "constant_regret": {"mean": constant, "standard_error": constant_error},
        "noise": {
            "per_step": settings.get("step_noise", 0.0),
            "variance": result.noise_variance,
        },
        "published": _published(requests, settings, result),
        "gradient_evaluations": dict(result.gradient_evaluations),
        "settings": {k: v for k, v in options.items() if v is not None},
    }


def _published(requests: Any, settings: dict[str, Any], result: Any) -> list[dict[str, Any]]:
    """Moments over trials of what each request published, and of the run without the deleted."""
    import numpy as np

    if requests is None:
        return []
    sigmas = settings.get("sigmas", 0.0)
    known = isinstance(sigmas, int | float | np.ndarray)
    levels = np.broadcast_to(sigmas, len(requests)) if known else None
    distances = result.distances()
    found = []
    for i, (u, tau) in enumerate(zip(requests.indices, requests.times, strict=True)):
        entry: dict[str, Any] = {"index": int(u), "time": int(tau)}
        if levels is not None:
            entry["sigma"] = float(levels[i])
        entry["largest_distance"] = float(distances[:, i].max())
        for name, world in (("learned", 0), ("retrained", -1)):
            points = result.published[world][:, i]
            mean, variance = points.mean(axis=0), points.var(axis=0, ddof=min(1, len(points) - 1))
            if not (np.isfinite(mean).all() and np.isfinite(variance).all()):
                raise ValueError("sigma must be small enough for finite moments; these are not")
            entry[name] = {
                "mean": mean,
                "variance": variance,
                "mean_norm": float(np.linalg.norm(mean)),
                "mean_std": float(np.sqrt(variance).mean()),
            }
        found.append(entry)
    return found


def _show(document: dict[str, Any]) -> None:
    click.echo(
        f"{document['algorithm']} on {document['data']['name']}: T = {document['rounds']}, "
        f"d = {document['dimension']}"
    )
    for line in document["data"].get("record", ()):
        click.echo(f"  {line}")
    for name, value in document["constants"].items():
        click.echo(f"  {name:<17} {value:.6g}")
    for name in ("regret", "constant_regret"):
        value = document[name]
        click.echo(
            f"  {name.replace('_', ' '):<17} {value['mean']:.6g} +- {value['standard_error']:.2g}"
        )
    for name, value in document.get("test", {}).items():
        click.echo(f"  test {name.replace('_', ' '):<12} {value:.6g}")
    if document["noise"]["per_step"]:
        click.echo(f"  noise per step    {document['noise']['per_step']:.6g}")
    click.echo(f"  noise variance    {document['noise']['variance']:.6g} in all requests")
    for entry in document["published"][:10]:
        sigma = f", sigma = {entry['sigma']:.4g}" if "sigma" in entry else ""
        click.echo(
            f"  at {entry['time']}, without {entry['index']}{sigma}: "
            f"|mean| = {entry['learned']['mean_norm']:.6g}, "
            f"distance to the run without all deleted <= {entry['largest_distance']:.4g}"
        )
    if len(document["published"]) > 10:
        click.echo(f"  ... and {len(document['published']) - 10} more (--json lists all)")
    for name, value in document["gradient_evaluations"].items():
        click.echo(f"  gradients, {name:<7} {value} per trial")
