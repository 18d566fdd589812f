"""Names that are imported when they are asked for are those that type checkers see."""

import ast
import importlib
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import accounting

ROOT = Path(accounting.__file__).resolve().parents[1]
PACKAGES = sorted(
    ".".join(path.parent.relative_to(ROOT).parts)
    for home in ("accounting", "bounds", "verify")
    for path in (ROOT / home).rglob("__init__.py")
    if "__dir__ = lazy_names(" in path.read_text("utf-8")
)


def homes(package):
    """Name -> module, from the imports that stand for type checkers."""
    tree = ast.parse(Path(package.__file__).read_text("utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    return {alias.name: node.module for node in block.body for alias in node.names}


def test_what_names_everything_names_it_lazily():
    assert {"accounting", "accounting.problems", "verify.search"} <= {*PACKAGES}


@pytest.mark.parametrize("name", PACKAGES)
def test_every_name_is_the_one_that_type_checkers_see(name):
    package = importlib.import_module(name)
    assert homes(package).keys() <= {*package.__all__}
    assert all(hasattr(package, each) for each in package.__all__)
    for each, home in homes(package).items():
        assert getattr(package, each) is getattr(importlib.import_module(home), each)
    assert {*package.__all__} <= {*dir(package)}
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'absent'"):
        package.absent  # noqa: B018


@pytest.mark.parametrize("name", PACKAGES)
def test_no_name_is_that_of_a_submodule(name):
    package = importlib.import_module(name)
    submodules = {module.name for module in pkgutil.iter_modules(package.__path__)}
    assert not submodules.intersection(homes(package))


def test_a_name_loads_its_module_and_stays():
    code = (
        "import json, sys, accounting.curves\n"
        "def ours(): return [m for m in sys.modules if m.startswith('accounting.')]\n"
        "before = ours()\n"
        "first = accounting.epsilon_cks\n"
        "print(json.dumps([before, ours(), 'epsilon_cks' in vars(accounting)]))"
    )
    before, after, kept = json.loads(
        subprocess.check_output([sys.executable, "-c", code], cwd=ROOT)
    )
    assert not {m for m in before if m.startswith(("accounting.renyi", "accounting.sampled"))}
    assert "accounting.renyi.linear" in after
    assert "accounting.sampled" not in after
    assert kept
