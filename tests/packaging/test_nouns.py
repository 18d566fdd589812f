"""`import forgetproof` offers the nouns, and loads none of them before it is asked."""

import subprocess
import sys

import pytest

import forgetproof


@pytest.mark.parametrize("name", forgetproof.__all__)
def test_every_noun_is_there(name):
    assert getattr(forgetproof, name) is not None


def test_what_is_no_noun_is_refused():
    with pytest.raises(AttributeError, match="no attribute 'Claim'"):
        _ = forgetproof.Claim


def test_importing_loads_no_package_of_ours():
    code = (
        "import forgetproof, sys\n"
        "assert not {'accounting', 'bounds', 'simulators', 'verify', 'numpy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
