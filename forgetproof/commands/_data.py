"""Data as `simulate` takes them from the command line: which set, which classes, which rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from forgetproof.options import NUMBER, WHOLE, refuse_unused

MADE = ("synthetic", "regression", "linear")
DATA = ("digits", "mnist", "breast_cancer", "wine", "diabetes", *MADE)
FORMATS = """\b
Own data:
  FILE.npz  array features or X (n, d); array targets, labels or y (n,)
  FILE.csv  a row of numbers a sample; the last column holds the targets
Targets are numbers, or words for classes. Where a loss takes two classes,
--classes no,yes says which is -1 and which is +1; softmax takes all.
"""
WANTS = {"logistic": "pair", "hinge": "pair", "softmax": "classes", "quadratic": "none"}
USUAL_PAIR = {"digits": (3, 8), "mnist": (3, 8), "wine": (0, 1)}
DIMENSION = 16
MOST_MADE = 2 * 10**8  # values of made data


def epilog(example: str, more: str = "") -> str:
    """What stands below the options of a command that takes data."""
    return f"{FORMATS}{more}\n\n\b\nExample: forgetproof simulate {example}"


def data_options(
    *, rows: int, test_share: float | None, count: str = "rows"
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options that say what data a command runs on.

    rows: of made data, where the user does not say.  test_share: the default; None: no rows are
    held out unless asked for.  count: the option that says how many rows, `rows` or `rounds`.
    """
    held: dict[str, Any] = {}
    if test_share is not None:
        held = {"default": test_share, "show_default": True}
    group = [
        click.option(
            "--data", default="digits", show_default=True, help=f"{', '.join(DATA)}, or a file."
        ),
        click.option("--data-folder", help="mnist: folder of the files in IDX form."),
        click.option("--target-column", metavar="NAME|NUMBER|none",
                     help="CSV: where the targets are, by name or from 1.  [default: last]"),
        click.option("--header/--no-header", default=None,
                     help="CSV: is the first row names?  [default: if it has no number]"),
        click.option("--classes", metavar="A,B|all",
                     help="Two of them, the first as -1 and the second as +1; or all (softmax)."),
    ]  # fmt: skip
    if count == "rows":
        group.append(click.option(
            "--rows", type=WHOLE, help=f"So many, drawn at random.  [made data: {rows}]"
        ))  # fmt: skip
    group += [
        click.option("--dimension", type=WHOLE, help=f"Of made data.  [default: {DIMENSION}]"),
        click.option("--normalise/--raw", default=True, show_default=True, help="Rows to norm 1."),
        click.option("--test-share", type=NUMBER, help="Share of the rows held out.", **held),
    ]

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(group):
            function = option(function)
        return function

    return add


def load(options: dict[str, Any], loss: str, *, made_rows: int, count: str = "rows") -> Any:
    """The data that the options name, with the targets that the loss takes.

    Raises:
        ValueError: no such name; an option that these data do not use; classes that the loss
            cannot take; more rows than there are.
        FileNotFoundError: a file is missing (nothing is ever put in its place).
    """
    from accounting import validation

    data = _named(options, made_rows if options[count] is None else options[count], count)
    data = _labelled(data, loss, options["classes"])
    if count == "rows" and options["rows"] is not None and options["data"] not in MADE:
        kept = validation.count("rows", options["rows"], low=1, high=len(data))
        data = data.shuffled(options["seed"]).first(kept)
    return data.normalised() if options["normalise"] else data


def _named(options: dict[str, Any], rows: int, count: str) -> Any:
    from simulators.data import files, idx, sklearn_sets

    name = options["data"]
    _refuse_unused(name)
    if name == "mnist":
        folder = options["data_folder"]
        if folder is None:
            raise ValueError("data_folder must name the folder of the MNIST files, got None")
        return idx.mnist(folder, part=idx.part_in(folder), negative=None)
    if name in ("digits", "wine"):
        return getattr(sklearn_sets, name)(None)
    if name in ("breast_cancer", "diabetes"):
        return getattr(sklearn_sets, name)()
    if name in MADE:
        return _made(name, rows, options, count)
    if name.endswith(".npz"):
        return files.npz(name)
    if name.endswith(".csv"):
        return files.table(name, target=_column(options), header=options["header"])
    raise ValueError(f"data must be one of {', '.join(DATA)} or a .npz or .csv file, got {name!r}")


def _refuse_unused(name: str) -> None:
    for used, names in (
        (name == "mnist", ["data_folder"]),
        (name.endswith(".csv"), ["target_column", "header"]),
        (name in MADE, ["dimension"]),
        (name not in ("diabetes", *MADE), ["classes"]),
    ):
        if not used:
            refuse_unused(names, f"with data {name}")


def _made(name: str, rows: int, options: dict[str, Any], count: str) -> Any:
    from accounting import validation
    from simulators.data import synthetic

    size = dimension_of(options)
    rows = validation.count(count, rows, low=1, high=MOST_MADE // size)
    if name == "synthetic":
        return synthetic.two_gaussians(rows, size, seed=options["seed"])
    if name == "regression":
        return synthetic.regression(rows, size, seed=options["seed"])
    return synthetic.points(rows, size, seed=options["seed"])


def dimension_of(options: dict[str, Any]) -> int:
    """Of made data."""
    from accounting import validation

    size = DIMENSION if options["dimension"] is None else options["dimension"]
    return validation.count("dimension", size, low=1, high=MOST_MADE)


def _column(options: dict[str, Any]) -> str | int | None:
    text = options["target_column"]
    if text is None:
        return -1
    if text == "none":
        return None
    if not text.isdecimal():
        return str(text)
    if int(text) < 1:
        raise ValueError(f"target_column must be counted from 1, got {text}")
    return int(text) - 1


def _labelled(data: Any, loss: str, classes: str | None) -> Any:
    """The data with the targets that the loss takes, of the classes that were asked for."""
    import numpy as np

    from simulators.data.labels import class_pair, class_value, numbered

    wants = WANTS.get(loss, "numbers")
    chosen: list[float] | None = None
    if classes is not None and classes != "all":
        chosen = [class_value(data, word.strip(), name="classes") for word in classes.split(",")]
    elif classes is None and wants != "classes":
        chosen = list(USUAL_PAIR.get(data.name, ())) or None
    if data.targets is None:
        if classes is not None:
            raise ValueError(f"classes must be given for data with targets, {data.name} has none")
        if wants != "none":
            raise ValueError(f"loss {loss} needs data with targets, {data.name} has none")
        return data
    if wants == "classes":
        return numbered(data, chosen)
    values = np.unique(data.targets)
    if chosen is None and len(values) == 2 and (wants == "pair" or data.class_names):
        chosen = values.tolist()
    if chosen is not None:
        if len(chosen) != 2:
            raise ValueError(f"classes must be two for loss {loss}, got {classes}")
        return data if chosen == [-1.0, 1.0] == values.tolist() else class_pair(data, *chosen)
    if wants == "pair" or data.class_names:
        known = data.class_names or tuple(f"{value:g}" for value in values)
        raise ValueError(
            f"classes must be two of the {len(known)} of {data.name} for loss {loss}, such as "
            f"{known[0]},{known[-1]}"
        )
    return data


def held_out(data: Any, options: dict[str, Any]) -> tuple[Any, Any]:
    """The rows to learn from, and those held out (None: none were asked for).

    Raises ValueError for a share that is positive and holds no row out.
    """
    from accounting import validation

    share = 0.0 if options["test_share"] is None else options["test_share"]
    share = validation.scalar("test_share", share, low=0.0, high=0.9)
    if share == 0:
        return data, None
    if not int(share * len(data)):
        raise ValueError(
            f"test_share must hold out one of {len(data)} rows (or be 0), got {share:g}"
        )
    return tuple(data.split(share))


def tested(loss: str, points: Any, test: Any) -> dict[str, float]:
    """Accuracy, or mean squared error where the targets are numbers, on the held-out rows.

    points (trials, d) or (trials, d, classes); the mean over the trials.
    """
    import numpy as np

    scores = np.tensordot(test.features, np.asarray(points, dtype=float), axes=([1], [1]))
    if scores.ndim == 3:
        found = scores.argmax(axis=2)
    elif set(np.unique(test.targets)) <= {-1.0, 1.0}:
        found = np.where(scores >= 0, 1.0, -1.0)
    else:
        return {"mean_squared_error": float(((scores - test.targets[:, None]) ** 2).mean())}
    return {"accuracy": float((found == test.targets[:, None]).mean())}
