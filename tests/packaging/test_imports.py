"""What importing costs: the core stays free of torch, matplotlib and symbolic expressions."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("torch", "matplotlib", "sympy", "sklearn", "jinja2")


def loaded(code):
    """Modules of the heavy kind that a fresh interpreter has loaded after running the code."""
    script = f"{code}\nimport sys\nprint([m for m in {HEAVY!r} if m in sys.modules])"
    found = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return found.stdout.strip().splitlines()[-1]


@pytest.mark.parametrize(
    "code",
    [
        "import accounting",
        "import bounds; [bounds.get(i) for i in bounds.ids()]",
        "import bounds; bounds.statements()",
        "import simulators",
        "import forgetproof.cli",
    ],
)
def test_import_is_light(code):
    assert loaded(code) == "[]"


def test_core_does_not_import_the_optimiser_until_asked():
    code = "import accounting, sys; assert 'scipy.optimize' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_the_problems_are_listed_without_torch():
    assert loaded("from bounds.declared import PROBLEMS; assert 'erm' in PROBLEMS.names()") == "[]"


def test_noise_needs_neither_torch_nor_sympy():
    code = (
        "from forgetproof.cli import run\n"
        "assert run(['noise', 'sglu', '--epsilon', '1', '--delta', '1e-5', '--n', '100',\n"
        "  '--batch-size', '10', '--smoothness', '1', '--strong-convexity', '0.1']) == 0"
    )
    assert loaded(code) == "[]"


def test_claims_and_their_proofs_are_told_without_sympy():
    code = (
        "from forgetproof.cli import run\nimport verify.search.certify\n"
        "assert run(['claims', '--paper', 'sglu']) == 0"
    )
    assert loaded(code) == "[]"
