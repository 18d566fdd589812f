"""No module imports itself by way of others; imports inside functions count, not those of types."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def without_types(tree):
    """The module without what stands under `if TYPE_CHECKING`, which never runs."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    return tree


def imports(folder):
    """Module -> the modules of the folder that it imports, wherever the statement stands."""
    files = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(folder.rglob("*.py"))
    }
    found = {}
    for module, path in files.items():
        named = set()
        for node in ast.walk(without_types(ast.parse(path.read_text("utf-8")))):
            if isinstance(node, ast.Import):
                named |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                named |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        found[module] = (named & files.keys()) - {module}
    return found


@pytest.mark.parametrize("name", ["accounting", "bounds", "simulators", "verify", "forgetproof"])
def test_no_module_imports_itself_by_way_of_others(name):
    graph = imports(ROOT / name)
    assert sum(map(len, graph.values())) > 5
    TopologicalSorter(graph).prepare()


def test_a_circle_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    for module, text in (
        ("one", "def work():\n    from house import two"),
        ("two", "import house.three"),
        ("three", "from house.one import work"),
    ):
        path = tmp_path / "house" / f"{module}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    with pytest.raises(CycleError):
        TopologicalSorter(imports(tmp_path / "house")).prepare()
