"""`forgetproof verify`: run checks, compare with what is expected, write the report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from forgetproof.commands._coverage import show_coverage
from forgetproof.commands._strength import show_strength
from forgetproof.commands._verdicts import claims, show
from forgetproof.options import (
    NUMBER,
    WHOLE,
    device_option,
    emit_json,
    insist_on_device,
    insist_on_papers,
    json_option,
    refuse_unused,
)
from forgetproof.progress import progress

if TYPE_CHECKING:
    from bounds import Statement

UNITS = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


class Memory(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """A number of bytes, such as 500000000, 512M or 2G."""

    name = "bytes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        # 2GB, 2GiB and 2G are one.
        text = str(value).strip().upper().removesuffix("B").removesuffix("I")
        unit = UNITS.get(text[-1:], 1)
        digits = text[:-1] if unit > 1 else text
        if not digits.isdecimal() or int(digits) == 0:
            self.fail(f"must be a number of bytes such as 512M or 2G, got {value}", param, ctx)
        return int(digits) * unit


@click.command(
    "verify", epilog="\b\nExample: forgetproof verify --paper sglu --jobs 2 --out report"
)
@click.argument("ids", nargs=-1, metavar="[ID|LABEL]...")
@click.option("--paper", help="Only this paper's claims.")
@click.option(
    "--profile",
    type=click.Choice(["quick", "full"]),
    default="quick",
    show_default=True,
    help="quick: seconds a claim. full: more instances, longer horizons.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default="forgetproof-report",
    show_default=True,
    help="Folder for results.sqlite and the report: pages, results.json, claims.csv, claims.tex.",
)
@click.option("--resume", is_flag=True, help="Keep what an earlier run has finished in --out.")
@click.option(
    "--plots",
    type=click.Choice(["none", "kept", "all"]),
    default="all",
    show_default=True,
    help="kept: only those that --out has already, drawn by the same code.",
)
@click.option("--jobs", type=click.IntRange(1, 1024), default=1, show_default=True)
@click.option(
    "--dask",
    "cluster",
    metavar="ADDRESS",
    help="Run on the cluster of this scheduler, such as tcp://host:8786, instead of here.",
)
@click.option("--seed", type=WHOLE, default=0, show_default=True)
@click.option(
    "--memory",
    type=Memory(),
    default="1G",
    show_default=True,
    help="What simulations may hold, over all jobs (on a cluster: in each worker).",
)
@device_option(" Exact laws take no notice; sampled numbers are others on another device.")
@click.option(
    "--scale",
    type=NUMBER,
    default=1.0,
    show_default=True,
    help="Multiply every bound: the suite must then find fault.",
)
@click.option(
    "--sensitivity",
    is_flag=True,
    help="Print what each check could have noticed, the weakest first, instead of the verdicts.",
)
@click.option(
    "--coverage",
    is_flag=True,
    help="Count instead, by paper, the statements that runs on data at hand are held to.",
)
@click.option(
    "--strength",
    is_flag=True,
    help="Print instead how small an error of each bound would show in runs on data at hand, and "
    "on rows made for it, the weakest first.",
)
@click.option(
    "--mutants",
    type=click.IntRange(1, 10_000),
    is_flag=False,
    flag_value=30,
    metavar="[COUNT]",
    help="Edit formulas, accountants and simulators, COUNT (30) edits of a paper and half as many "
    "of simulators, and count how many are noticed.",
)
@click.option(
    "--expected",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Compare with this file instead of the shipped one.",
)
@click.option(
    "--record",
    is_flag=True,
    help="Besides: write what this run says into the record beside each paper's checks, which "
    "explain reads.",
)
@json_option
def command(
    ids: tuple[str, ...],
    paper: str | None,
    profile: str,
    out: Path,
    resume: bool,
    plots: Literal["none", "kept", "all"],
    jobs: int,
    cluster: str | None,
    seed: int,
    memory: int,
    device: str,
    scale: float,
    sensitivity: bool,
    coverage: bool,
    strength: bool,
    mutants: int | None,
    expected: Path | None,
    record: bool,
    as_json: bool,
) -> int:
    """Check claims and write a report.

    Exit code 0: every verdict as expected. 1: some are not. 3: a check broke.
    """
    if seed < 0:
        raise ValueError(f"seed must be >= 0, got {seed}")
    if coverage or strength:
        others = ["profile", "out", "resume", "plots", "jobs", "cluster", "memory", "device"]
        others += ["scale", "sensitivity", "mutants", "expected", "record"]
        if coverage:
            refuse_unused(["strength", *others], "with --coverage")
            return show_coverage(_chosen(ids, paper)[0], seed, as_json)
        refuse_unused(others, "with --strength")
        return show_strength(_chosen(ids, paper)[0], seed, as_json)
    if mutants:
        from forgetproof.commands._mutants import mutate

        if ids or cluster:
            raise ValueError("mutants must be whole papers and run here, got ids or --dask")
        refuse_unused(["memory", "plots", "device", "record"], "with --mutants")
        own = {
            "--sensitivity": sensitivity,
            "--scale": scale != 1,
            "--profile": profile != "quick",
            "--expected": expected is not None,
        }
        if foreign := [name for name, value in own.items() if value]:
            raise ValueError(f"mutants must be run without {foreign[0]}, which they do not use")
        return mutate(paper, mutants, jobs=jobs, out=out, resume=resume, seed=seed, as_json=as_json)
    if not 0 < scale < float("inf"):
        raise ValueError(f"scale must be > 0 and finite, got {scale}")
    if record and scale != 1:
        raise ValueError(f"scale must be 1 with record, got {scale}")
    from verify import report
    from verify.executors import IncompleteRun, kept
    from verify.expectation import load, surprises
    from verify.manifest import manifest
    from verify.report import folder as _pages  # noqa: F401  needs its libraries before a long run
    from verify.report.drawing import Drawer
    from verify.report.showable import showable, unloaded
    from verify.runner import Settings, run

    (chosen, unread), expectations = _chosen(ids, paper), load(expected)
    # The memory is shared: all jobs together hold no more than was said.
    settings = Settings(
        "full" if profile == "full" else "quick", seed, scale, memory // jobs, device
    )
    if cluster is None:
        insist_on_device(device)
    ran: list[str] = []
    drawer = Drawer(out, plots)
    try:
        with kept():
            with progress(len(chosen)) as bar:

                def finished(done: int, total: int, id: str) -> None:
                    # What was kept from an earlier run is not told here: `ran` counts the new ones.
                    ran.append(id)
                    bar(done, total, id)

                outcomes = run(
                    [c.id for c in chosen],
                    settings,
                    jobs=jobs,
                    cluster=cluster,
                    out=out,
                    resume=resume,
                    progress=finished,
                    sequel=drawer,
                )
            # A third-party statement may fail on a page, or not import: both become broken
            # outcomes.
            outcomes = [*showable(outcomes), *unloaded(unread)]
            odd = surprises(outcomes, expectations)
            about = manifest(
                seed=seed,
                profile=profile,
                scale=scale,
                jobs=jobs,
                device=device,
                outcomes=outcomes,
            )
            if record:
                from verify.record import keep

                keep(outcomes, about)
            data = report.write(outcomes, odd, about, out, jobs=jobs, drawer=drawer)
    except KeyboardInterrupt:
        return _stopped("interrupted", len(ran), out, 130)
    except IncompleteRun as lost:
        return _stopped(f"incomplete: {lost}", len(ran), out, 3)
    if as_json:
        emit_json(data)
    else:
        show(outcomes, odd, out, sensitivity=sensitivity, resumed=len(chosen) - len(ran))
    if any(o.error for o in outcomes):
        return 3
    return 1 if odd else 0


def _chosen(ids: tuple[str, ...], paper: str | None) -> tuple[list[Statement], list[str]]:
    """The claims that are meant, and the ids of those whose statements cannot be imported."""
    import bounds

    insist_on_papers()
    of_paper = bounds.ids(paper)
    claim_ids = _named_together(ids, paper) or [
        id.lower() if bounds.lost(id) else bounds.claim(id, paper).id for id in ids
    ]
    # An id given twice is checked once, in the order of the command line.
    selection = list(dict.fromkeys(claim_ids or of_paper))
    if foreign := [id for id in selection if id not in of_paper]:
        raise ValueError(f"id must name a claim of {paper}, got {foreign[0]!r}")
    unread = [id for id in selection if bounds.lost(id)]
    return [bounds.get(id) for id in selection if id not in unread], unread


def _named_together(words: tuple[str, ...], paper: str | None) -> list[str]:
    """The one claim that several words name together, as in olu Theorem 2; empty otherwise."""
    import bounds

    if len(words) < 2:
        return []
    try:
        return [bounds.claim(" ".join(words), paper).id]
    except ValueError:
        return []


def _stopped(why: str, finished: int, out: Path, code: int) -> int:
    click.echo(
        f"forgetproof: {why}; {claims(finished)} finished by this run, kept in "
        f"{out / 'results.sqlite'}: the same command with --resume continues",
        err=True,
    )
    return code
