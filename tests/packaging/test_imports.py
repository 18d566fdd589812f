"""What importing costs: no heavy library where none is needed, and few lines of ours a command."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.forks import forked

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("torch", "matplotlib", "sympy", "sklearn", "jinja2", "scipy.optimize")
STEPS = {
    "the core": "import accounting",
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


# Lines of ours that a command may load: what it does not need is not imported.
MOST_LINES = 33_500
COMMANDS = {
    "noise": "noise langevin --epsilon 1 --delta 1e-5 --n 11264 --batch-size 128 "
    "--smoothness 0.261264 --strong-convexity 0.011264",
    "verify": "verify sglu.thm3.2 --plots none --out .",
    "simulate": "simulate langevin --data digits --sigma 0.01 --batch-size 32 --learn-epochs 1 "
    "--unlearn-epochs 1 --trials 2 --check",
}
COUNT = """
import sys
from pathlib import Path
from forgetproof.cli import run
code = run({words})
ours = {packages}
files = {{m.__file__ for n, m in list(sys.modules.items()) if n.partition('.')[0] in ours}}
texts = [Path(file).read_text('utf-8') for file in files if file]
print(code, sum(len(text.splitlines()) for text in texts))
"""
PACKAGES = {"accounting", "bounds", "simulators", "verify", "forgetproof"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_loads_few_lines_of_ours(tmp_path, name):
    code = COUNT.format(words=COMMANDS[name].split(), packages=PACKAGES)
    done = forked(["-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)})
    status, lines = map(int, done.stdout.split()[-2:])
    assert status == 0, done.stderr
    # A tenth at least: else something was not counted.
    assert MOST_LINES / 10 < lines <= MOST_LINES
