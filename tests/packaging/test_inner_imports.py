"""Where imports stand: no module imports itself by way of others (`tools.house`).

Inside a function an import stands only for weight, or where at the top it would close a circle.
Weight is a package of `HEAVY` that the module does not load anyway, by itself or by way of a module
of ours; and the command line, where each command loads what it runs.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

from tools import house

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("accounting", "bounds", "simulators", "verify", "forgetproof")
HEAVY = {
    *(
        "torch",
        "sympy",
        "matplotlib",
        "sklearn",
        "scipy",
        "mpmath",
        "numba",
        "triton",
        "PEPit",
        "cvxpy",
    ),
    *("dp_accounting", "opacus", "riskcal", "flint", "jinja2", "latex2mathml"),
    *("hypothesis", "pytest", "dask", "distributed", "pandas", "pyarrow"),
}
ROWS = (
    "simulators.data.rows_of",
    "simulators.data.pieced",
    "simulators.runs.data",
    "simulators.runs.tables",
)
ON_DEMAND = (
    *("forgetproof", *ROWS, "simulators.runs.noise_cost"),
    *("verify.mutation.child", "bounds.proof_files"),
)
"""Each command loads what it runs, rows the reader of their kind, the cost of noise the algorithm
whose noise it is, a mutant's process what was edited before, and a proof the kernel."""
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
IMPORTS = ast.Import | ast.ImportFrom
BLOCKS = ast.Module | ast.stmt | ast.ExceptHandler | ast.match_case


def statements(tree):
    """Every import that may run, and whether it stands inside a function."""
    waiting = [(tree, False)]
    while waiting:
        node, inner = waiting.pop()
        if isinstance(node, IMPORTS):
            yield node, inner
        elif isinstance(node, BLOCKS):
            inner = inner or isinstance(node, FUNCTIONS)
            types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            children = node.orelse if types else ast.iter_child_nodes(node)
            waiting.extend((child, inner) for child in children)


class House:
    """Modules below a folder, and what they load."""

    def __init__(self, root, packages):
        files = {
            ".".join(p.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): p
            for package in packages
            for p in sorted((root / package).rglob("*.py"))
            if "counterexamples" not in p.parts
        }
        self.trees = {m: ast.parse(p.read_text("utf-8")) for m, p in files.items()}
        self.statements = {m: list(statements(tree)) for m, tree in self.trees.items()}
        self.at_the_top, self.loads = cache(self.at_the_top), cache(self.loads)
        self.weight = cache(self.weight)

    def named(self, node):
        """The modules that an import statement names."""
        if isinstance(node, ast.Import):
            return {alias.name for alias in node.names}
        full = {f"{node.module}.{alias.name}" for alias in node.names}
        return {name if name in self.statements else node.module for name in full}

    def at_the_top(self, module):
        found = [self.named(node) for node, inner in self.statements[module] if not inner]
        return set().union(*found)

    def loads(self, module):
        """All that importing a module loads, packages on the way to it too."""
        waiting, found = [module], set()
        while waiting:
            parts = waiting.pop().split(".")
            for name in {".".join(parts[: i + 1]) for i in range(len(parts))} - found:
                found.add(name)
                waiting.extend(self.at_the_top(name) if name in self.statements else ())
        return found

    def weight(self, module):
        """The heavy packages, and parts of scipy, that importing a module loads."""
        heavy = {n for n in self.loads(module) if n.partition(".")[0] in HEAVY and n != "scipy"}
        return {".".join(n.split(".")[: 2 if n.startswith("scipy.") else 1]) for n in heavy}

    def inside(self):
        """Module, line and what is imported, of every import inside a function."""
        for module, found in self.statements.items():
            for node, inner in found:
                if inner:
                    yield module, node.lineno, self.named(node)

    def needless(self):
        for module, line, names in self.inside():
            if not module.startswith(ON_DEMAND) and not any(
                self.weight(name) - self.weight(module) or module in self.loads(name)
                for name in names
            ):
                yield f"{module}:{line}"


@pytest.fixture(scope="module")
def ours():
    return House(ROOT, PACKAGES)


def test_no_module_imports_itself_by_way_of_others(ours):
    assert house.circles(ours.trees) == []


def test_imports_inside_functions_are_for_weight(ours):
    assert list(ours.needless()) == []
    assert len(list(ours.inside())) <= 723


def test_what_is_counted_is_what_stands_there(ours):
    assert ours.trees.keys() == house.sources().keys()


def test_a_circle_is_found_in_a_function_by_a_package_and_for_types():
    texts = {
        "house": "",
        "house.one": "def work():\n    from house import two",
        "house.two": "import house.three",
        "house.three": "from house.one import work",
        "house.apart": "if TYPE_CHECKING:\n    import house.one\nelse:\n    import house.two",
        "room": "from room import inner",
        "room.inner": "from room import name",
    }
    trees = {name: ast.parse(text) for name, text in texts.items()}
    assert set(house.imports(trees["house.apart"], trees)) == {"house.one", "house.two"}
    assert house.circles(trees) == ["house.one, house.three, house.two", "room, room.inner"]


@pytest.mark.parametrize(
    ("line", "needless"),
    [
        ("import math", True),
        ("import torch", False),
        ("from house import slow", False),
        ("from house import light", True),
        ("from house import circle", False),
        ("import scipy.optimize", False),
        ("import scipy.special", True),
    ],
    ids=["light", "heavy", "ours and heavy", "ours and light", "circle", "new part", "same part"],
)
def test_what_is_needless_is_found(tmp_path, line, needless):
    for name, text in (
        ("__init__", ""),
        ("slow", "import torch"),
        ("light", "import json"),
        ("circle", "import house.work"),
        ("work", f"import scipy.special\n\ndef work():\n    {line}"),
    ):
        path = tmp_path / "house" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert list(House(tmp_path, ["house"]).needless()) == ["house.work:4"] * needless
