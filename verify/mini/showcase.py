"""The showcase of mini: what the last steps know, on made data in the paper's regime."""

from dataclasses import asdict

from verify.mini.comparison import over_k, problem, table
from verify.mini.figure import figure
from verify.showcases import Showcase, Shown, columns
from verify.showcases.data import Chosen

FOLLOWED = (1, 2, 5, 10, 20, 50, 100, 200, 400)


def show(chosen: Chosen, seed: int) -> Shown:
    """Mini-Unlearning beside DeltaGrad and Rewind."""
    runs = table()
    curves = over_k(FOLLOWED)
    low = min(r.times_closer for r in runs)
    high = max(r.times_closer for r in runs)
    least = min(r.mini / r.moved for r in runs if r.steps >= 1000)
    title = "What the last k steps know of the rest"
    sentences = [
        f"Following the last {runs[0].k} steps leaves at least {least:.0%} of the distance to "
        f"retraining after 2,000 steps. DeltaGrad comes {low:.0f} to {high:.0f} times closer.",
    ]
    header = ["step", "T", "deleted", "moved", "Mini", "Rewind", "DeltaGrad", "times closer"]
    rows = [
        [
            f"{r.eta:g}",
            r.steps,
            f"{r.ratio:.0%}",
            f"{r.moved:.5f}",
            f"{r.mini:.5f}",
            f"{r.rewind:.5f}",
            f"{r.deltagrad:.6f}",
            f"{r.times_closer:.1f}",
        ]
        for r in runs
    ]
    return Shown(
        lines=[title, *columns(header, rows), *sentences],
        document={
            "runs": [{**asdict(r), "times_closer": r.times_closer} for r in runs],
            "over_k": [asdict(r) for r in curves],
        },
        title=title,
        paragraphs=sentences,
        caption="Distances to retraining.",
        header=header,
        rows=rows,
        drawing=figure(curves),
        hashes=[problem().data.sha256],
    )


SHOWCASE = Showcase(
    show,
    {
        **dict.fromkeys(("mnist", "rows"), "for mini, which is shown on made data"),
        "test_share": "for mini, which holds no rows out",
    },
)
