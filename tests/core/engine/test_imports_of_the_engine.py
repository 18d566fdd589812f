"""What the engine loads, and what it says without torch or scikit-learn."""

import subprocess
import sys

import pytest


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


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
