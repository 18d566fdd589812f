"""`forgetproof verify --mutants`: the share of deliberate errors that the checks notice."""

from pathlib import Path

import click

from forgetproof.options import emit_json, insist_on_papers
from forgetproof.progress import progress


def mutate(
    paper: str | None,
    count: int,
    *,
    jobs: int,
    out: Path,
    resume: bool,
    seed: int,
    as_json: bool,
) -> int:
    """Tries `count` edits of one paper or of each; 1 if too few of them are noticed.

    Edits of the simulators have a share of their own.
    """
    import bounds
    from verify.mutation.run import SHARE, run, share

    insist_on_papers()
    papers = [bounds.paper(paper).key] if paper else [p.key for p in bounds.papers()]
    for name in papers:
        bounds.statements(name)
    try:
        with progress(0, what="mutants") as bar:
            mutants = run(
                papers, count=count, seed=seed, jobs=jobs, out=out, resume=resume, progress=bar
            )
    except KeyboardInterrupt:
        click.echo(
            f"forgetproof: interrupted; what was tried is kept in {out / 'mutants.jsonl'}: the "
            "same command with --resume continues",
            err=True,
        )
        return 130
    parts = [*papers, "simulators"]
    shares = {name: share(m for m in mutants if m.part == name) for name in parts}
    # Equivalent edits, which change nothing, are in neither number.
    low = [name for name, (killed, of) in shares.items() if killed < SHARE * of]
    if as_json:
        table = {name: {"killed": killed, "of": of} for name, (killed, of) in shares.items()}
        emit_json({"papers": table, "mutants": [m.to_dict() for m in mutants]})
        return 1 if low else 0
    for m in mutants:
        note = f"by {m.by}: {m.why}" if m.outcome == "killed" else m.why or ", ".join(m.claims)
        click.echo(f"{m.outcome:<10}  {m.file}:{m.site.line}  {m.site.before} -> {m.site.after}")
        click.echo(f"{'':<12}{m.site.function}; {note}")
    click.echo()
    for name, (killed, of) in shares.items():
        spared = sum(m.part == name and m.outcome == "equivalent" for m in mutants)
        part = f"{killed / of:.1%}" if of else "none"
        click.echo(f"{name}: {killed} of {of} edits noticed ({part}), {spared} equivalent left out")
    return 1 if low else 0
