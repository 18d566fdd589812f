"""The picture of the house in docs/architecture.md, from the folders and imports of today.

    python -m tools.picture    # writes docs/architecture.svg

A box is a package, with the rooms in it; an arrow says how many modules of one import the other.
Arrows to the next floor and along one are drawn; those past a floor run down as well.
"""

import ast
from collections import Counter
from pathlib import Path

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot as plt
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

import bounds
from tools.house import ROOT, imports, sources

FILE = ROOT / "docs" / "architecture.svg"
PAPERS = tuple(paper.key for paper in bounds.papers() if not paper.foreign)
BOXES = {
    "forgetproof": (0.5, 4.0),
    "verify": (0.25, 3.0),
    "verify/<paper>": (0.75, 3.0),
    "bounds": (0.16, 2.0),
    "bounds/<paper>": (0.5, 2.0),
    "simulators": (0.84, 2.0),
    "accounting": (0.5, 1.0),
}
"""Name of a box -> centre; a paper's folders are one box in each of two packages."""
WIDTH, HEIGHT = 0.28, 0.62


def box_of(module: str) -> str:
    """The box that a module lies in."""
    parts = module.split(".")
    if len(parts) > 1 and parts[1] in PAPERS:
        return f"{parts[0]}/<paper>"
    return parts[0]


def rooms(box: str) -> list[str]:
    """The folders of a box that hold modules; a paper's are alike, and named once."""
    package, _, paper = box.partition("/")
    folders = [ROOT / package / key for key in PAPERS] if paper else [ROOT / package]
    inner = {path.parent.name for folder in folders for path in folder.glob("*/__init__.py")}
    return sorted(inner - set(PAPERS))


def arrows() -> Counter[tuple[str, str]]:
    """(box, box below) -> how many modules of the first import the second."""
    modules = sources()
    number: Counter[tuple[str, str]] = Counter()
    for name, path in modules.items():
        tree = ast.parse(path.read_text("utf-8"))
        boxes = {box_of(other) for other in imports(tree, modules)} - {box_of(name)}
        number.update((box_of(name), other) for other in boxes)
    return number


def draw(file: Path = FILE) -> None:
    """Writes the picture; the same folders and imports give the same bytes."""
    plt.rcParams.update({"svg.hashsalt": "forgetproof", "svg.fonttype": "none", "font.size": 8})
    figure, axes = plt.subplots(figsize=(9, 6.2))
    axes.set_axis_off()
    axes.set_xlim(0, 1)
    axes.set_ylim(0.5, 4.5)
    for box, (x, y) in BOXES.items():
        corner = (x - WIDTH / 2, y - HEIGHT / 2)
        patch = FancyBboxPatch(
            corner,
            WIDTH,
            HEIGHT,
            boxstyle="round,pad=0,rounding_size=0.02",
            fc="#f4f4f4",
            ec="#444444",
        )
        axes.add_patch(patch)
        axes.text(x, y + 0.2, box, ha="center", va="center", weight="bold", size=10)
        names = rooms(box)
        lines = [", ".join(names[i : i + 3]) for i in range(0, len(names), 3)]
        axes.text(x, y - 0.06, ",\n".join(lines), ha="center", va="center", size=7)
    for (box, other), count in sorted(arrows().items()):
        (x, y), (u, v) = BOXES[box], BOXES[other]
        if y - v > 1:
            continue
        if y > v:
            start, end = (x + (u - x) * 0.2, y - HEIGHT / 2), (u + (x - u) * 0.2, v + HEIGHT / 2)
        else:
            side = 1 if u > x else -1
            start, end = (x + side * WIDTH / 2, y), (u - side * WIDTH / 2, v)
        arrow = FancyArrowPatch(
            start, end, arrowstyle="-|>", mutation_scale=9, color="#7a8ca5", lw=0.8
        )
        axes.add_patch(arrow)
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        label = {"fc": "white", "ec": "none", "pad": 0.6}
        axes.text(
            *middle, str(count), size=7, color="#33415c", ha="center", va="center", bbox=label
        )
    figure.savefig(file, metadata={"Date": None}, bbox_inches="tight")
    plt.close(figure)


if __name__ == "__main__":
    draw()
