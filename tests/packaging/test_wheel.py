"""The built wheels: what is in them, and that they run beside folders that use the same names.

The engine's runs without the papers', for any paper; both together are what a user of the project's
claims installs.
"""

import json
import os
import tomllib
from pathlib import Path

import pytest

from tests.forks import forked, without

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"accounting", "bounds", "simulators", "verify", "forgetproof"}
PAPERS = tomllib.loads((ROOT / "papers" / "pyproject.toml").read_text("utf-8"))["project"]
KEYS = set(PAPERS["entry-points"]["forgetproof.papers"])


def run(arguments, site, cwd):
    return forked(arguments, cwd=cwd, env={**os.environ, "PYTHONPATH": str(site)})


def test_top_level_is_exactly_the_five_packages(site):
    found = {p.name for p in site.iterdir() if not p.name.endswith(".dist-info")}
    assert found == PACKAGES
    for package in PACKAGES:
        assert (site / package / "py.typed").is_file()
        assert (site / package / "__init__.py").is_file()
    assert (site / "verify" / "sglu" / "expected.json").is_file()
    assert (site / "verify" / "sglu" / "counterexamples" / "alg6.py").is_file()
    assert (site / "bounds" / "own" / "least_noise.md").is_file()
    templates = site / "verify" / "report" / "templates"
    assert {p.suffix for p in templates.iterdir()} == {".j2", ".css", ".js"}


def files(folder):
    """All of a folder, but for what Python compiled: other tests run what lies there."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path for path in paths if "__pycache__" not in path.parts}


def test_the_engine_holds_every_file_that_is_no_papers_and_the_papers_theirs(engine, site):
    """And so a paper that is added to the repository is left out of neither."""
    lists = {path.parent.name for path in ROOT.glob("verify/*/expected.json")}
    assert lists == KEYS
    shipped, whole = files(engine), files(site)
    source = {package / path for package in map(Path, PACKAGES) for path in files(ROOT / package)}
    inside = {path for path in source if path.parts[0] in ("bounds", "verify")}
    theirs = {path for path in inside if path.parts[1] in KEYS}
    info = {path for path in whole if path.parts[0].endswith(".dist-info")}
    assert shipped - info == source - theirs
    assert whole - info == source


def test_runs_from_a_folder_with_an_accounting_package_and_a_verify_module(site, tmp_path):
    (tmp_path / "accounting").mkdir()
    (tmp_path / "accounting" / "__init__.py").write_text("raise RuntimeError('not ours')\n")
    (tmp_path / "verify.py").write_text("raise RuntimeError('not ours')\n")
    found = run(["-m", "forgetproof", "claims", "--json"], site, tmp_path)
    assert found.returncode == 0, found.stderr
    assert '"schema"' in found.stdout


def test_names_the_path_that_shadows_once_it_is_too_late(site, tmp_path):
    (tmp_path / "verify.py").write_text("")
    code = (
        "import sys; sys.path.insert(0, '.'); import verify\n"
        "from forgetproof.cli import run; sys.exit(run(['claims']))"
    )
    found = run(["-c", code], site, tmp_path)
    assert found.returncode != 0
    assert "verify.py shadows the package verify of forgetproof" in found.stderr
    assert len(found.stderr.strip().splitlines()) == 1


ABSENT = without("torch", "sklearn", "matplotlib", "jinja2", "latex2mathml")
SEVERAL = f"""{ABSENT}
import contextlib, io, json
from forgetproof.cli import run
told = []
for line in sys.argv[1:]:
    err = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(err):
        code = run(line.split())
    told.append([code, err.getvalue()])
print(json.dumps(told))
"""
NEEDED = {
    "verify sglu.lem3.4": "sim,report",
    "demo": "sim,report",
    "plot sglu.lem3.4 --out x.svg": "sim,report",
    "simulate sglu --sigma 1": "sim",
    "claims": None,
    "replay olu.eq17": None,
    "bound sglu.lem3.4 alpha=3 Z=1 s2=1 c=0.9 K=20": None,
    "noise sglu --epsilon 1 --delta 1e-5 --n 9 --smoothness 1 --strong-convexity 0.1": None,
    "privacy sglu --sigma 1 --delta 1e-5 --n 9 --smoothness 1 --strong-convexity 0.1": None,
}


def test_without_extras_a_command_names_all_that_it_needs(site, tmp_path):
    found = run(["-c", SEVERAL, *NEEDED], site, tmp_path)
    assert found.returncode == 0, found.stderr
    told = json.loads(found.stdout)
    for (command, extras), (code, err) in zip(NEEDED.items(), told, strict=True):
        if extras is None:
            assert code == 0, (command, err)
            continue
        assert code == 2, command
        assert err.endswith(f"is missing: pip install 'forgetproof[{extras}]'\n"), command
        assert len(err.splitlines()) == 1


NO_CLAIM = "id must name a claim by id or label (see `forgetproof claims`)"
WITHOUT_PAPERS = {
    "claims": (0, ""),
    "noise clipped --epsilon 1 --delta 1e-5 --n 60 --clip 1 --step-size 0.1 --weight-decay 1 "
    "--radius 1 --learn-epochs 3 --unlearn-epochs 2": (0, ""),
    "privacy tracking --sigma 1 --delta 1e-5 --n 500 --rounds 3 --size 2 --lipschitz 1 "
    "--strong-convexity 0.1 --smoothness 1 --steps 5": (0, ""),
    "simulate langevin --sigma 1 --trials 8": (0, ""),
    "demo --help": (0, ""),
    "claims --paper sglu": (2, "paper must be one of those that are installed (none), got 'sglu'"),
    "claims sglu.lem3.4": (2, NO_CLAIM),
    "bound sglu.lem3.4 K=2": (2, NO_CLAIM),
    "explain sglu.lem3.4": (2, NO_CLAIM),
    "plot sglu.lem3.4 --out x.svg": (2, NO_CLAIM),
    "replay olu.eq17": (2, NO_CLAIM),
    "search sglu.lem3.4": (2, NO_CLAIM),
    "search": (2, "a paper must be installed, one at least"),
    "noise langevin --epsilon 1": (2, "No such command 'langevin'"),
    "simulate langevin --sigma 1 --check": (2, "a paper must be installed, one at least"),
    "verify": (2, "a paper must be installed, one at least"),
    "verify --coverage": (2, "a paper must be installed, one at least"),
    "verify --mutants 2": (2, "a paper must be installed, one at least"),
    "reproduce": (2, "a paper must be installed, one at least"),
    "reproduce hf.table4": (2, "paper must be one of those that are installed (none), got 'hf'"),
    "demo": (2, "a paper with something to show must be installed"),
    "demo --paper sglu": (2, "paper must be one of those that are installed (none), got 'sglu'"),
}
"""Command -> its exit code without a paper, and how its complaint begins."""
EACH = """
import contextlib, io, json, sys
from forgetproof.cli import run
results = []
for line in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(line.split())
    results.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(results))
"""
INSTALL = "the project's papers are not installed: pip install forgetproof-papers"


@pytest.fixture(scope="module")
def alone(engine, tmp_path_factory):
    """Command -> exit code, output and complaint of the engine without papers."""
    folder = tmp_path_factory.mktemp("alone")
    environment = {**os.environ, "PYTHONPATH": str(engine)}
    done = forked(["-c", EACH], cwd=folder, env=environment, input=json.dumps([*WITHOUT_PAPERS]))
    assert done.returncode == 0, done.stderr
    return dict(zip(WITHOUT_PAPERS, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("command", WITHOUT_PAPERS)
def test_the_engine_alone_computes_and_says_in_a_line_what_is_missing(alone, command):
    (code, output, complaint), (wanted, beginning) = alone[command], WITHOUT_PAPERS[command]
    assert code == wanted, complaint
    if code == 0:
        assert complaint == ""
        assert output
    else:
        assert complaint.startswith(f"forgetproof: {beginning}")
        assert complaint.endswith(f"{INSTALL}\n")
        assert len(complaint.splitlines()) == 1


def test_the_engine_alone_has_no_claims_and_says_where_there_are_some(alone):
    assert alone["claims"][1] == f"no paper is installed; {INSTALL}\n"


def test_the_plugin_says_so_too_and_is_silent_unless_it_is_asked(engine, tmp_path):
    (tmp_path / "test_mine.py").write_text("def test_mine():\n    pass\n")
    environment = {**os.environ, "PYTEST_ADDOPTS": "", "PYTHONPATH": str(engine)}
    line = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
    found = forked(line, cwd=tmp_path, env=environment)
    assert found.returncode == 0, found.stdout + found.stderr
    for words in (["--forgetproof"], ["--forgetproof-paper", "sglu"], ["forgetproof::sglu.k3"]):
        found = forked([*line, *words], cwd=tmp_path, env=environment)
        assert found.returncode == 4
        complaint = f"ERROR: a paper must be installed, one at least; {INSTALL}"
        assert complaint in (found.stdout + found.stderr).splitlines()


def test_a_paper_from_outside_runs_on_the_engine_alone(engine, tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(engine), "PYTEST_ADDOPTS": ""}
    line = ["-m", "forgetproof", "new-paper", "toy", "--key", "toy"]
    forked(line, cwd=tmp_path, env=environment).check_returncode()
    folder = tmp_path / "toy"
    info = folder / "toy_paper-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-paper\nVersion: 1\n")
    entry = "[forgetproof.papers]\ntoy = toy_paper:PAPER\n"
    (info / "entry_points.txt").write_text(entry)
    environment["PYTHONPATH"] = os.pathsep.join(map(str, (folder, engine)))
    lines = ["claims --json", "verify --plots none", "noise toy-example --help", "bound eq17 K=1"]
    done = forked(["-c", EACH], cwd=tmp_path, env=environment, input=json.dumps(lines))
    assert done.returncode == 0, done.stderr
    claims, verified, noise, unknown = json.loads(done.stdout)
    assert [claim["id"] for claim in json.loads(claims[1])["claims"]] == ["toy.example"]
    assert verified[0] == 0, verified[2]
    assert "1 claim, as expected" in verified[1]
    assert noise[0] == 0
    assert (unknown[0], unknown[2].endswith(f"{INSTALL}\n")) == (2, True)
    found = forked(["-m", "pytest", "-q", str(folder)], cwd=tmp_path, env=environment)
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_papers_are_of_the_project_and_stand_as_before(site, tmp_path):
    code = (
        "import bounds\n"
        "assert not any(paper.foreign for paper in bounds.papers())\n"
        "assert not bounds.broken()\n"
        "print(*(paper.key for paper in bounds.papers()))"
    )
    found = run(["-c", code], site, tmp_path)
    assert found.returncode == 0, found.stderr
    assert found.stdout.split() == ["sglu", "olu", "hf", "mini", "guo", "safe", "own"]
