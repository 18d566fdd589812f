"""`forgetproof proof`: the proof of a claim that a checker accepts, and what rests on what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from time import process_time

import click

import bounds
from bounds import Statement
from bounds.kernel import ProofRejected, theorems
from bounds.proof_files import ProofFile, of_claim, of_paper
from bounds.proof_files.hypotheses import of_its_own, symbols_alone
from bounds.proof_files.mutants import bindings, mutants, reason
from bounds.proof_files.witnesses import instances
from forgetproof.options import claim_named, emit_json, json_option, paper_option, refuse_unused
from verify.origin import source
from verify.stored import stored


@click.command("proof", epilog="\b\nExample: forgetproof proof own.x3.i")
@click.argument("name", nargs=-1, metavar="[ID|LABEL]")
@paper_option
@click.option("--all", "listing", flag_value="all", help="Check every proof; what each is from.")
@click.option("--rests-on", metavar="THEOREM", help="The claims that fall if this theorem falls.")
@click.option("--theorems", "listing", flag_value="theorems", help="The named theorems, sources.")
@click.option(
    "--bind", "listing", flag_value="bind", help="Is what is proved the form? Every change of it?"
)
@click.option("--givens", "listing", flag_value="givens", help="Where the hypotheses come from.")
@click.option(
    "--witness", "listing", flag_value="witness", help="An instance where all hypotheses hold."
)
@click.option("--mutants", "listing", flag_value="mutants", help="Change every proof everywhere.")
@json_option
def command(
    name: tuple[str, ...],
    paper: str | None,
    listing: str | None,
    rests_on: str | None,
    as_json: bool,
) -> None:
    """The proof of a claim, line by line, as the checker accepts it.

    A proof is text: hypotheses, lines, a goal, in the letters of the paper. The checker (the
    standard library alone, no search) goes down to a short list of named theorems, and what the
    goal says is compared with the form's own formula. One of --all, --rests-on, --theorems, --bind,
    --givens and --mutants stands in place of a claim; --paper then keeps to one paper.

    Exit code 1 where a proof is rejected or not bound.
    """
    ways = [bool(name), listing is not None, rests_on is not None]
    if sum(ways) != 1:
        raise click.UsageError("give a claim, or one of --all, --rests-on, --theorems and its like")
    if name:
        _show(claim_named(name, paper), as_json)
        return
    if rests_on is not None:
        _show_dependents(rests_on, paper, as_json)
        return
    if listing == "theorems":
        refuse_unused(["paper"], "with --theorems")
        _show_theorems(as_json)
        return
    tables: dict[str | None, Callable[[str | None], tuple[list[dict[str, object]], str, bool]]] = {
        "all": _checked,
        "bind": _bound,
        "givens": _givens,
        "witness": _witnesses,
        "mutants": _changed,
    }
    rows, summary, good = tables[listing](paper)
    if as_json:
        emit_json({"rows": rows, "summary": summary})
    else:
        for row in rows:
            click.echo(
                "  ".join(f"{value!s:<{_width(key)}}" for key, value in row.items()).rstrip()
            )
        click.echo(summary)
    if not good:
        raise SystemExit(1)


def _width(column: str) -> int:
    return {"claim": 26, "form": 10, "lines": 5, "seconds": 7, "kind": 20}.get(column, 0)


def _files(paper: str | None) -> list[tuple[Statement, ProofFile]]:
    """Every proof of the paper, or of all of them."""
    chosen = [bounds.paper(paper)] if paper else bounds.papers()
    return [(bounds.get(file.id), file) for owner in chosen for file in of_paper(owner)]


def _show(claim: Statement, as_json: bool) -> None:
    proofs = of_claim(claim)
    if not proofs:
        words = {v.proof for r in stored(claim).interpretations for v in r.verdicts if v.proof}
        level = f"; what stands for it: {', '.join(sorted(words))}" if words else ""
        raise ValueError(
            f"id must be of a claim with a proof that is checked, got {claim.id}{level}"
        )
    if as_json:
        rows = [
            {"form": p.form, "text": p.text, "theorems": p.theorems, "settings": p.settings}
            for p in proofs
        ]
        emit_json({"id": claim.id, "source": source(claim.paper), "proofs": rows})
        return
    for proof in proofs:
        proof.bound(claim)
        click.echo(proof.text.strip())
        theorem_names = ", ".join(proof.theorems) or "algebra alone"
        limits = (proof.half(claim), "nothing bound" if proof.unbound(claim) else "")
        half = "".join(f", {limit}" for limit in limits if limit)
        click.echo(
            f"-- accepted: {claim.id} {proof.form}{half}, from {theorem_names}{_by(claim)}\n"
        )


def _show_dependents(theorem: str, paper: str | None, as_json: bool) -> None:
    if theorem not in theorems():
        raise ValueError(f"rests-on must be one of {', '.join(theorems())}, got {theorem!r}")
    rows = [(claim, file) for claim, file in _files(paper) if theorem in file.theorems]
    if as_json:
        pairs = [{"claim": claim.id, "form": file.form} for claim, file in rows]
        emit_json({"theorem": theorem, "rows": pairs})
        return
    for claim, file in rows:
        click.echo(f"{claim.id:26}  {file.form}{_by(claim)}")
    click.echo(f"{len(rows)} proofs rest on {theorem}: {theorems()[theorem].source}")


def _show_theorems(as_json: bool) -> None:
    counts = Counter(name for _, file in _files(None) for name in file.theorems)
    if as_json:
        rows = [
            {"name": t.name, "source": t.source, "proofs": counts[t.name]}
            for t in theorems().values()
        ]
        emit_json({"rows": rows})
        return
    for theorem in theorems().values():
        click.echo(f"{theorem.name:16}  {counts[theorem.name]:3}  {theorem.source}")


def _checked(paper: str | None) -> tuple[list[dict[str, object]], str, bool]:
    rows: list[dict[str, object]] = []
    good, begin = True, process_time()
    for claim, file in _files(paper):
        start = process_time()
        word = _word(claim, file)
        good = good and word.startswith("proved")
        lines = sum(
            bool(line.strip()) and not line.startswith("--") for line in file.text.split("\n")
        )
        rows.append(
            {
                "claim": claim.id,
                "form": file.form,
                "lines": lines,
                "seconds": f"{process_time() - start:.3f}",
                "said": word,
            }
        )
    claims = len({row["claim"] for row in rows})
    seconds = process_time() - begin
    summary = (
        f"{claims} claims, {len(rows)} forms in {seconds:.1f} s, {len(theorems())} named theorems"
    )
    return rows, summary, good


def _word(claim: Statement, file: ProofFile) -> str:
    try:
        file.bound(claim)
    except ProofRejected as error:
        return f"rejected: {error}"
    return file.grounds(claim) + _by(claim)


def _by(claim: Statement) -> str:
    """Whose proof it is, where it is a third party's."""
    owner = source(claim.paper)
    return f", by {owner}" if owner else ""


def _bound(paper: str | None) -> tuple[list[dict[str, object]], str, bool]:
    rows: list[dict[str, object]] = []
    counts: Counter[str] = Counter()
    for claim, file in _files(paper):
        if file.unbound(claim):
            counts["without a formula"] += 1
            continue
        rejected = _word(claim, file).startswith("rejected")
        counts["not bound" if rejected else "bound"] += 1
        for mutant in bindings(file.text):
            accepted = _accepts(replace(file, text=mutant.text), claim)
            counts["changes accepted" if accepted else "changes rejected"] += 1
            if accepted:
                rows.append({"claim": claim.id, "form": file.form, "after": mutant.after})
    summary = ", ".join(f"{n} {what}" for what, n in counts.items())
    return rows, summary, not counts["not bound"] and not counts["changes accepted"]


def _accepts(file: ProofFile, claim: Statement | None = None) -> bool:
    """Whether the checker accepts the proof, and, of a claim, as one of its form."""
    try:
        file.checked() if claim is None else file.bound(claim)
    except ProofRejected:
        return False
    return True


def _givens(paper: str | None) -> tuple[list[dict[str, object]], str, bool]:
    rows: list[dict[str, object]] = []
    total = open_ones = 0
    for claim, file in _files(paper):
        proof = file.checked()
        total += len(proof.givens)
        for hypothesis in of_its_own(proof, claim):
            symbolic = symbols_alone(hypothesis, claim) and bool(claim.symbols)
            open_ones += symbolic
            kind = "NOT REQUIRED" if symbolic else "what is measured"
            rows.append({"claim": claim.id, "form": file.form, "kind": kind, "given": hypothesis})
    summary = (
        f"{total} hypotheses beside the settings: {total - len(rows)} are ranges or required, "
        f"{len(rows) - open_ones} say what is measured, {open_ones} are not required"
    )
    return rows, summary, not open_ones


def _witnesses(paper: str | None) -> tuple[list[dict[str, object]], str, bool]:
    rows: list[dict[str, object]] = []
    without = 0
    for claim, file in _files(paper):
        try:
            words = instances(file, claim)[0].words
        except ValueError as error:
            words = f"NONE: {error}"
            without += 1
        rows.append({"claim": claim.id, "form": file.form, "instance": words})
    summary = f"{len(rows) - without} of {len(rows)} proofs have an instance of all hypotheses"
    return rows, summary, not without


def _changed(paper: str | None) -> tuple[list[dict[str, object]], str, bool]:
    rows: list[dict[str, object]] = []
    total = 0
    for claim, file in _files(paper):
        for mutant in mutants(file.text):
            total += 1
            if _accepts(replace(file, text=mutant.text)):
                lines = f"{mutant.before.strip()} -> {mutant.after.strip()}"
                rows.append(
                    {
                        "claim": claim.id,
                        "form": file.form,
                        "kind": mutant.kind,
                        "reason": f"{reason(mutant)}: {lines}",
                    }
                )
    return rows, f"{total} changes, {total - len(rows)} rejected, {len(rows)} accepted", True
