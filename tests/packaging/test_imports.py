"""What importing costs: the core stays free of torch, matplotlib and symbolic expressions."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("torch", "matplotlib", "sympy", "sklearn", "jinja2")
STEPS = {
    "the core": "import accounting; assert 'scipy.optimize' not in sys.modules",
    "the simulators": "import simulators",
    "the command line": "import forgetproof.cli; run = forgetproof.cli.run",
    "the statements": "import bounds; bounds.statements()",
    "every form": "[bounds.get(i) for i in bounds.ids()]",
    "the problems": "from bounds.declared import PROBLEMS; assert 'erm' in PROBLEMS.names()",
    "noise": "assert run(['noise', 'sglu', '--epsilon', '1', '--delta', '1e-5', '--n', '100', "
    "'--batch-size', '10', '--smoothness', '1', '--strong-convexity', '0.1']) == 0",
    "claims": "import verify.search.certify; assert run(['claims', '--paper', 'sglu']) == 0",
}
CHILD = """
import json, sys
heavy, *steps = json.load(sys.stdin)
for step in steps:
    exec(step)
    print(json.dumps([name for name in heavy if name in sys.modules]))
"""


@pytest.fixture(scope="module")
def loaded():
    """Step -> what of the heavy kind a fresh interpreter has loaded after it and those before."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD],
        cwd=ROOT,
        input=json.dumps([HEAVY, *STEPS.values()]),
        capture_output=True,
        text=True,
    )
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    assert (done.returncode, len(told)) == (0, len(STEPS)), done.stderr
    return dict(zip(STEPS, told, strict=True))


@pytest.mark.parametrize("step", STEPS)
def test_what_needs_nothing_heavy_loads_nothing_heavy(loaded, step):
    assert loaded[step] == []
