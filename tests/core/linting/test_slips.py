"""Slips of released code as mechanism files: each is found, with its code and its true number.

`slips.json` says for every file where the slip stands: repository, file, line, commit.
"""

import json
import math
from pathlib import Path

import pytest

from forgetproof.linting.checking import lint_source
from forgetproof.linting.targets import sources
from tests.core.linting import oracles

FOLDER = Path(__file__).parent / "slips"
SLIPS = json.loads((FOLDER / "slips.json").read_text("utf-8"))
SQUARE = 2 / 11264 * 0.1 / (0.03 * math.sqrt(0.2))  # shift over noise of a step
TRUE = {
    "curve-taken-for-flat": lambda: oracles.gaussian(math.sqrt(2), 1e-5),
    "half-the-variance": lambda: (0.2 + 10 * 0.02) ** 2 / (10 * 0.4**2 / 40) / 2,
    "divisor-follows-n": lambda: oracles.divisors(62, 61, 650 * 460, 1e-5),
    "shuffled-handcrafted": lambda: oracles.largest_sum(97, 50000, 512, 1.1961739539806928, 1e-5),
    "shuffled-pytorch-privacy": lambda: oracles.largest_sum(234, 60000, 256, 1.1, 1e-5),
    "sensitivity-from-rows": lambda: oracles.gaussian(1 / 3.7307, 1e-5),
    "decay-inside-the-clip": lambda: oracles.gaussian(SQUARE * math.sqrt(1000), 1 / 11264),
}
"""Name -> what some instance needs (`lower`), or where that is 0 what is certified."""


def report(name):
    (source,) = sources(str(FOLDER / f"{name}.mechanism.json"))
    return lint_source(source)


def test_every_file_has_its_provenance():
    files = {path.name.removesuffix(".mechanism.json") for path in FOLDER.glob("*.mechanism.json")}
    assert files == set(SLIPS)
    assert len(files) >= 10
    for each in SLIPS.values():
        assert each["repository"].count("/") == 1
        assert len(each["commit"]) == 40
        assert each["line"] > 0


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_found_where_it_stands(name):
    found, slip = report(name), SLIPS[name]
    assert [verdict.word for verdict in found.verdicts] == slip["verdict"]
    assert set(slip["codes"]) <= {finding.code for finding in found.findings}
    assert {(f.place.file, f.place.line) for f in found.findings} == {(slip["file"], slip["line"])}


@pytest.mark.parametrize("name", TRUE)
def test_the_true_number_is_that_of_another_route(name):
    compared = report(name).verdicts[-1].comparison
    number = compared.lower or compared.upper
    assert math.isclose(number, TRUE[name](), rel_tol=1e-6)


@pytest.mark.parametrize("name", ["seed-in-the-script", "key-in-the-script"])
def test_known_noise_hides_nothing(name):
    compared = report(name).verdicts[0].comparison
    assert compared.lower == compared.upper == math.inf


def test_numbers_of_sampled_batches_enclose_those_of_another_accountant():
    prv = pytest.importorskip("opacus.accountants").PRVAccountant()
    prv.history = [(1.5, 0.04, 2249)]
    epsilon = prv.get_epsilon(1e-5)
    compared = report("central-limit-opacus").verdicts[0].comparison
    # PRV adds the error of its own grid, 0.01, to what it found.
    assert compared.lower <= epsilon <= compared.upper + 0.02
