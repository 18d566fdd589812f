"""`forgetproof reproduce`: a paper's figures and tables, our numbers beside the printed ones."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from accounting.numerics.validation import count
from forgetproof.options import (
    INTERRUPTED,
    WHOLE,
    device_option,
    emit_json,
    insist_on_papers,
    json_option,
)

if TYPE_CHECKING:
    from verify.showcases import Shown

QUICK_SEEDS, SEEDS = 1, 3


@click.command(
    "reproduce",
    epilog="\b\nExample: forgetproof reproduce hf.table4 --data path/to/mnist --out table4",
)
@click.argument("showcase", required=False)
@click.option(
    "--data",
    metavar="FOLDER|digits",
    help="Folder of MNIST files in IDX form, or digits: scikit-learn's in their place.",
)
@click.option("--synthetic", is_flag=True, help="Made data in the place of MNIST.")
@device_option()
@click.option("--seed", type=WHOLE, default=0, show_default=True, help="The first one.")
@click.option("--seeds", type=WHOLE, help="How many.  [default: 3, with --quick 1]")
@click.option("--quick", is_flag=True, help="A few small rows, to see whether it runs.")
@click.option("--out", help="Folder for SVG, CSV and JSON, and for what --resume needs.")
@click.option("--resume", is_flag=True, help="Keep what an earlier run has finished in --out.")
@json_option
def command(
    showcase: str | None,
    data: str | None,
    synthetic: bool,
    device: str,
    seed: int,
    seeds: int | None,
    quick: bool,
    out: str | None,
    resume: bool,
    as_json: bool,
) -> int:
    """Run a figure or table of a paper and print our numbers beside its own.

    Without the name of one, or with that of a paper only, list them.
    """
    if showcase is None or "." not in showcase:
        return _list(showcase, as_json)
    import torch

    import bounds
    from forgetproof.progress import progress
    from simulators.device.placement import device_named
    from verify import showcases
    from verify.fingerprint import code_hash
    from verify.showcases.data import Chosen
    from verify.showcases.work import Work, input_hashes, made

    torch.set_num_threads(1)
    count("seed", seed, low=0, high=2**31)
    device_named(device)
    if resume and out is None:
        raise ValueError("resume needs out, the folder of the earlier run")
    recipe = showcases.showcase(showcase)
    chosen: dict[str, Any] = {
        "mnist": _folder(data, synthetic, recipe.mnist),
        "stand_in": "synthetic" if synthetic else "digits" if data == "digits" else "",
        "seeds": seeds if seeds is not None else QUICK_SEEDS if quick else SEEDS,
        "quick": quick,
        "device": device,
    }
    settled = Chosen(**chosen)  # refused before anything is written
    place = None if out is None else made(Path(out))
    parts_file = None if place is None else place / f"{showcase}.parts.jsonl"
    # More seeds go on where fewer ended.
    settings = {name: value for name, value in chosen.items() if name != "seeds"}
    owner = bounds.paper(showcase.partition(".")[0])
    settings |= {
        "showcase": showcase,
        "device": str(device_named(device)),
        "code": code_hash(owner.package, *filter(None, [owner.checks])),
    }
    # What --resume keeps must come from the same files.
    inputs = input_hashes(Path(settled.mnist)) if parts_file and settled.mnist else {}
    try:
        with progress(0, what=showcase, quiet=as_json) as advance:
            work = Work(parts_file, settings, inputs=inputs, resume=resume, advance=advance)
            shown = recipe.show(replace(settled, work=work), seed)
    except KeyboardInterrupt:
        return _stopped(parts_file)
    if place is not None:
        _write(shown, place, showcase)
    if as_json:
        emit_json({"showcase": showcase, **shown.document})
    else:
        for line in shown.lines:
            click.echo(line)
        if place is not None:
            click.echo(f"written: {place / showcase}.json, .csv" + (", .svg" * bool(shown.drawing)))
    return 0


def _stopped(parts_file: Path | None) -> int:
    """What is left after Ctrl-C."""
    state = "nothing is kept without --out"
    if parts_file is not None:
        state = f"what is finished is kept in {parts_file}: the same command with --resume"
        state += " continues"
    click.echo(f"forgetproof: interrupted; {state}", err=True)
    return INTERRUPTED


def _list(paper: str | None, as_json: bool) -> int:
    """Every showcase in a line."""
    from verify.showcases import columns, reproduced

    insist_on_papers()
    entries = reproduced(paper)
    if as_json:
        emit_json(
            {
                "showcases": [
                    {"name": name, "title": each.title, "why": each.why}
                    for name, each in entries.items()
                ]
            }
        )
        return 0
    rows = [
        [name, each.title + (f" (out of reach: {each.why})" if each.why else "")]
        for name, each in entries.items()
    ]
    if not rows:
        have = dict.fromkeys(name.partition(".")[0] for name in reproduced(None))
        click.echo(f"{paper} has no figure or table to run again; {', '.join(have)} have some")
        return 0
    for line in columns(["showcase", "what it is"], rows):
        click.echo(line)
    return 0


def _folder(data: str | None, synthetic: bool, variable: str | None) -> str | None:
    """Where MNIST is: as --data says, or the variable that checks read."""
    import os

    if data is not None and synthetic:
        raise ValueError("data must not be given with synthetic")
    if synthetic or data == "digits":
        return None
    place = data if data is not None or variable is None else os.environ.get(variable)
    if place is not None and not Path(place).is_dir():
        raise ValueError(f"data must be a folder of IDX files, or digits, got {place}")
    return place


def _write(shown: Shown, out: Path, name: str) -> None:
    """The document, the table and the figure."""
    from simulators.data.disk import write
    from verify.jsonio import SCHEMA, dumps

    text = dumps({"schema": SCHEMA, "showcase": name, **shown.document}, indent=2)
    write(out / f"{name}.json", text.encode())
    # csv writes its own line ends: io must not translate them again.
    table = io.StringIO(newline="")
    csv.writer(table, lineterminator="\n").writerows([shown.header, *shown.rows])
    write(out / f"{name}.csv", table.getvalue().encode())
    if shown.drawing is not None:
        shown.save(out / f"{name}.svg")
