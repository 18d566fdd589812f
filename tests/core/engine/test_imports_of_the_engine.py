"""What the engine loads, and what it says without torch or scikit-learn."""

import os
from pathlib import Path

import pytest

import forgetproof
from tests.forks import forked

ROOT = Path(forgetproof.__file__).parents[1]


def run(code):
    """In a fork, which has torch and none of the packages that are named here besides."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return forked(["-c", code], cwd=ROOT, env=environment)


@pytest.mark.parametrize(
    ("package", "code"),
    [
        ("torch", "import forgetproof.torch"),
        ("torch", "import forgetproof.sklearn"),
        ("sklearn", "import forgetproof.sklearn"),
        ("torch", "import forgetproof.engine"),
    ],
    ids=["heads", "estimators", "scikit-learn", "the engine"],
)
def test_a_missing_package_is_named_with_what_brings_it(package, code):
    done = run(f"import sys\nsys.modules[{package!r}] = None\n{code}")
    last = done.stderr.strip().splitlines()[-1]
    assert last == (f"ModuleNotFoundError: {package} is missing: pip install 'forgetproof[sim]'")


def test_the_engine_loads_no_extra_but_its_own():
    code = (
        "import sys, forgetproof.engine\n"
        "assert not {'sklearn', 'opacus', 'dp_accounting'} & set(sys.modules)"
    )
    assert run(code).returncode == 0


def test_opacus_is_not_needed_for_heads():
    assert run("import sys\nsys.modules['opacus'] = None\nimport forgetproof.torch").returncode == 0
