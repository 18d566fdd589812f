"""The showcase of hf: approximators beside the retraining they stand for."""

from dataclasses import asdict
from typing import Any

from simulators.data import sklearn_sets
from verify.hf.comparison import RecollectionProblem, compare
from verify.hf.figure import figure
from verify.showcases import Showcase, Shown, columns
from verify.showcases.data import Chosen

ROWS = 1000


def show(chosen: Chosen, seed: int) -> Shown:
    """Every approximator at deletion ratios of 1 to 30 %, on digits and MNIST."""
    problems = [RecollectionProblem.of(rows, name) for name, rows in _data(chosen, seed)]
    entries = [e for problem in problems for e in compare(problem)]
    worst = max(e.share for e in entries if e.method == "hf, stored statistics")
    biased = max(e.share for e in entries if (e.retraining, e.method[:2]) == ("mean", "hf"))
    title = "How close unlearning comes to retraining"
    sentences = [
        f"The stored statistics of hf, added up, miss retraining on the same slots by at most "
        f"{worst:.1%} of what it moves; taken for retraining by the mean of what is kept, as in "
        f"the authors' released code, by up to {biased:.1f} times what doing nothing would. The "
        "leave-one-out recursion needs one pass for every set, and is exact on quadratics.",
    ]
    header = ["data", "deleted", "method", "retraining", "moved", "error", "share", "bound", "s"]
    rows = [
        [
            e.data,
            f"{e.ratio:.0%}",
            e.method,
            e.retraining,
            f"{e.moved:.4f}",
            f"{e.error:.5f}",
            f"{e.share:.4f}",
            "" if e.bound is None else f"{e.bound:.3g}",
            f"{e.seconds:.4f}",
        ]
        for e in entries
    ]
    return Shown(
        lines=[title, *columns(header, rows), *sentences],
        document={"approximators": [{**asdict(e), "share": e.share} for e in entries]},
        title=title,
        paragraphs=sentences,
        caption="Distances to retraining.",
        header=header,
        rows=rows,
        drawing=figure(entries),
        hashes=[p.model.data.sha256 for p in problems],
    )


def _data(chosen: Chosen, seed: int) -> list[tuple[str, Any]]:
    digits = sklearn_sets.digits(None).normalised().shuffled(seed)
    images = chosen.images(ROWS, seed=seed)
    datasets = [("digits", chosen.cut(digits, ROWS))]
    return datasets if images is None else [*datasets, ("MNIST", images)]


SHOWCASE = Showcase(show, {"test_share": "for hf, which holds no rows out"})
