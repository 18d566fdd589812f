"""Without the packages of an extra every command that needs them says so in one line, and how."""

import json
from pathlib import Path

import pytest

from tests.forks import forked, without

ROOT = Path(__file__).resolve().parents[3]
TEMPLATE = ROOT / "tests" / "core" / "linting" / "pabi.template.json"
PARQUET = ROOT / "tests" / "whole" / "cli" / "rows.parquet"
# What each extra brings, and what those packages bring that ours import as well.
BROUGHT = {
    "sim": ("torch", "sklearn"),
    "report": ("matplotlib", "jinja2", "markupsafe", "latex2mathml"),
    "certify": ("flint",),
    "lint": ("yaml",),
    "tables": ("pandas", "pyarrow"),
    "interop": ("dp_accounting", "opacus", "riskcal"),
    "sdp": ("PEPit", "cvxpy"),
    "dask": ("distributed", "dask"),
}
COMMANDS = {
    "simulate sglu --sigma 1": "sim",
    "simulate langevin --sigma 1": "sim",
    "noise d2d --data digits --regularisation 1 --epsilon 1 --delta 0.1": "sim",
    "simulate d2d --sigma 1": "sim",
    "simulate retrain --sigma 1": "sim",
    "simulate olu": "sim",
    "simulate safe": "sim",
    "simulate track": "sim",
    "simulate hf": "sim",
    "simulate mini": "sim",
    "simulate rewind": "sim",
    "simulate deltagrad": "sim",
    "simulate newton-removal": "sim",
    "simulate amnesiac": "sim",
    "simulate ns": "sim",
    "simulate ij": "sim",
    f"noise langevin --data {PARQUET} --regularisation 1 --epsilon 1 --delta .1": "tables",
    "plot sglu.lem3.4 --out x.svg": "report",
    "plot sglu.lem3.4 --out x.svg --over T": "report",
    "errata guo": "report",
    "verify sglu.lem3.4": "report",
    "verify sglu.lem3.4 --dask tcp://127.0.0.1:1": "report",
    "verify olu.alg1": "report",
    "verify --mutants --paper mini": "sim",
    "demo": "sim",
    "demo --paper olu": "sim",
    "demo --paper hf": "sim",
    "demo --paper mini": "sim",
    "demo --paper safe": "sim",
    "search --sdp": "sdp",
    "search olu.eq17 --form printed --seconds 0.1 --evaluations 20": None,
    "replay sglu.def2.4": None,
    "replay mini.alg1 --as-script": None,
    "replay mini.alg1": "sim",
    "audit verify.audit.examples.correct:EXAMPLE --trials 100": None,
    "audit verify.audit.examples.correct:EXAMPLE --trials 100 --plot x.svg": "report",
    "claims": None,
    f"lint {ROOT}/docs/mechanisms/right-curve.mechanism.json": None,
    f"lint {ROOT}/.pre-commit-hooks.yaml --template {TEMPLATE}": "lint",
    f"mechanism --draft {__file__}": None,
    "bound sglu.lem3.4 alpha=3 Z=1 s2=1 c=0.9 K=20": None,
    "noise sglu --epsilon 1 --delta 1e-5 --n 10 --smoothness 1 --strong-convexity .1": None,
    "privacy sglu --sigma 1 --delta 1e-5 --n 10 --smoothness 1 --strong-convexity .1": None,
}
CHILD = """
import contextlib, io, json, os, sys
import bounds, forgetproof.cli, verify.runner  # for all forks
for absent, commands in json.load(sys.stdin):
    if os.fork():
        _, status = os.wait()
        assert status == 0
        continue
    exec(absent)
    for command in commands:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = forgetproof.cli.run(command.split())
        print(json.dumps([command, code, out.getvalue(), err.getvalue(), os.listdir()]))
    print(json.dumps(None), flush=True)
    os._exit(0)
"""


def told(asked, folder):
    """(command, exit code, standard output, standard error, files left) of each command.

    Commands come in lists, each beside what is hidden from it, and are told in lists.
    """
    given = [(without(*hidden), commands) for hidden, commands in asked]
    done = forked(["-c", CHILD], cwd=folder, input=json.dumps(given))
    done.check_returncode()
    lists = [[]]
    for line in map(json.loads, done.stdout.splitlines()):
        lists = [*lists, []] if line is None else [*lists[:-1], [*lists[-1], line]]
    return lists[:-1]


def test_the_core_alone_names_the_extra_of_every_command(tmp_path):
    hidden = [package for packages in BROUGHT.values() for package in packages]
    (found,) = told([(hidden, list(COMMANDS))], tmp_path)
    for command, code, out, err, left in found:
        extra = COMMANDS[command]
        assert left == [], command
        if extra is None:
            assert (code, err) == (0, ""), command
            continue
        assert (code, out, err.count("\n")) == (2, "", 1), (command, err)
        assert "is missing: pip install 'forgetproof[" in err, (command, err)
        assert extra in err.partition("forgetproof[")[2], (command, err)


OF_EXTRA = {
    "sim": ["simulate safe --data nowhere", "simulate safe --rows 20 --rounds 2"],
    "report": ["plot sglu.lem3.4 --out no/x.svg", "verify sglu.lem3.4 --out /dev/null/x"],
    "certify": ["search olu.eq17 --form printed --seconds 0.1 --evaluations 20"],
    "interop": ["privacy clipped --sigma 9 --delta .1 --n 9 --clip 1 --step-size 1 --radius 1"],
    "lint": [f"lint {ROOT}/.pre-commit-hooks.yaml --template {TEMPLATE}"],
    "tables": [f"noise langevin --data {PARQUET} --regularisation 1 --epsilon 1 --delta .1"],
    "sdp": ["search --sdp"],
    "dask": ["verify sglu.lem3.4 --dask nowhere"],
}
PACKAGES = {package: extra for extra, packages in BROUGHT.items() for package in packages}


@pytest.fixture(scope="module")
def one_missing(tmp_path_factory):
    asked = [([package], OF_EXTRA[extra]) for package, extra in PACKAGES.items()]
    return dict(zip(PACKAGES, told(asked, tmp_path_factory.mktemp("empty")), strict=True))


@pytest.mark.parametrize("package", PACKAGES)
def test_one_package_missing_is_told_by_its_extra(one_missing, package):
    extra = PACKAGES[package]
    assert [found[0] for found in one_missing[package]] == OF_EXTRA[extra]
    for command, code, out, err, left in one_missing[package]:
        assert left == [], command
        assert code in (0, 1) or (code, out, err.count("\n")) == (2, "", 1), (command, err)
