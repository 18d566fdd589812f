"""What `noise olu` and `privacy olu` compute, print, and write as JSON."""

from __future__ import annotations

from typing import Any

import click

from forgetproof.assumptions import NONE_SUFFICES, show_assumptions
from forgetproof.commands._olu import Problem, rests_on
from forgetproof.options import emit_json

MOST_ROWS = 40


def show_noise(found: Problem, epsilon: float, delta: float | None, as_json: bool) -> None:
    """Least noise per deletion, what it adds to the regret, and whether it keeps its promise."""
    import numpy as np

    from bounds.olu import accountants

    scenario = found.scenario
    sigmas = accountants.noise(scenario, epsilon, delta, found.accountants)
    document: dict[str, Any] = {
        "algorithm": "olu",
        "target": {"epsilon": epsilon, "delta": delta},
        "guarantee": guarantee(epsilon, delta),
        "accountants": {},
        "recommended": "exact",
    }
    for name in found.accountants:
        document["accountants"][name] = entry = {
            "sigma": sigmas[name],
            "total_variance": float((sigmas[name] ** 2).sum()),
            "certified_epsilon": None,
            "valid": None,
            "regret_of_noise": None,
        }
        if np.isfinite(sigmas[name]).all():
            truth = accountants.certified(scenario, sigmas[name], delta)
            entry["certified_epsilon"], entry["valid"] = truth, truth <= epsilon
            entry["regret_of_noise"] = accountants.regret_of_noise(
                scenario, sigmas[name], found.dimension
            )
    columns = {
        "index": scenario.schedule.indices,
        "time": scenario.schedule.times,
        "shift": scenario.events.moved.shifts,
    }
    if found.rounds is not None and scenario.descent.strong_convexity > 0:
        columns["regret_of_comparator"] = accountants.regret_of_comparators(scenario, found.rounds)
    document["deletions"] = columns
    document["assumptions"] = rests_on(found, calibrated=True)
    if as_json:
        emit_json(document)
        return
    _print_noise(found, document, epsilon)


def _print_noise(found: Problem, document: dict[str, Any], epsilon: float) -> None:
    columns = document["deletions"]
    click.echo(f"noise for {len(columns['index'])} deletions: {document['guarantee']}")
    for name, entry in document["accountants"].items():
        truth = entry["certified_epsilon"]
        verdict = f"certifies epsilon = {truth:.6g}" if truth is not None else NONE_SUFFICES
        if entry["valid"] is False:
            verdict = f"NOT valid: its true epsilon is {truth:.6g}, not {epsilon:g}"
        elif entry["valid"] and name == "printed":
            verdict += " (here, not in general)"
        mark = "  <- recommended" if name == "exact" else ""
        click.echo(f"  {name:<10} total variance {entry['total_variance']:<12.6g} {verdict}{mark}")
    entry = document["accountants"][found.shown]
    click.echo(f"deletions, noise of the {found.shown} accountant; regret is what each may add")
    comparators = columns.get("regret_of_comparator")
    head = f"{'index':>9}{'time':>9}{'shift':>14}{'sigma':>14}{'noise regret':>14}"
    click.echo(head + (f"{'comparator':>12}" if comparators is not None else ""))
    for i in range(min(len(columns["index"]), MOST_ROWS)):
        row = f"{columns['index'][i]:>9}{columns['time'][i]:>9}{columns['shift'][i]:>14.6g}"
        added = "" if entry["regret_of_noise"] is None else f"{entry['regret_of_noise'][i]:.6g}"
        row += f"{entry['sigma'][i]:>14.8g}{added:>14}"
        click.echo(row + (f"{comparators[i]:>12.6g}" if comparators is not None else ""))
    if len(columns["index"]) > MOST_ROWS:
        click.echo(f"  ... and {len(columns['index']) - MOST_ROWS} more; --json lists all")
    show_assumptions(document["assumptions"])


def show_privacy(found: Problem, sigma: Any, delta: float | None, as_json: bool) -> None:
    """The epsilon of every deletion at given noise, and the worst."""
    from bounds.olu import accountants

    epsilons = accountants.privacy(found.scenario, sigma, delta, found.accountants)
    document = {
        "algorithm": "olu",
        "sigma": sigma,
        "delta": delta,
        "guarantee": guarantee("epsilon", delta),
        "accountants": {
            name: {"epsilon": float(epsilons[name].max()), "per_deletion": epsilons[name]}
            for name in found.accountants
        },
        "recommended": "exact",
        "assumptions": rests_on(found, calibrated=False),
    }
    if as_json:
        emit_json(document)
        return
    schedule = found.scenario.schedule
    click.echo(f"epsilon of {len(schedule)} deletions: {document['guarantee']}")
    for name in found.accountants:
        worst = epsilons[name].max()
        note = {"printed": "  (as printed: not a guarantee)", "exact": "  <- recommended"}
        click.echo(f"  {name:<10} worst {worst:.10g}{note.get(name, '')}")
    click.echo(f"{'index':>9}{'time':>9}" + "".join(f"{n:>16}" for n in found.accountants))
    for i in range(min(len(schedule), MOST_ROWS)):
        cells = "".join(f"{epsilons[name][i]:>16.8g}" for name in found.accountants)
        click.echo(f"{schedule.indices[i]:>9}{schedule.times[i]:>9}{cells}")
    if len(schedule) > MOST_ROWS:
        click.echo(f"  ... and {len(schedule) - MOST_ROWS} more; --json lists all")
    show_assumptions(rests_on(found, calibrated=False))


def guarantee(epsilon: float | str, delta: float | None) -> str:
    """What an epsilon means, in symbols."""
    shown = epsilon if isinstance(epsilon, str) else f"{epsilon:g}"
    if delta is None:
        return f"D_alpha <= {shown} alpha for every alpha > 1"
    return f"({shown}, {delta:g})-indistinguishable"
