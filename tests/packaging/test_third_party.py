"""Papers from outside, installed beside the wheel, work everywhere without a key in our code.

One is what `forgetproof new-paper` writes, one the walk through docs/your-paper.md; a third package
cannot be loaded. Installed means installed: no command runs in this repository.
"""

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from accounting import mu_gdp
from forgetproof.cli import run
from tests.forks import forked

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "your-paper.md").read_text("utf-8")
PROOFS = (ROOT / "docs" / "proofs.md").read_text("utf-8")
SEVERAL = """
import contextlib, io, json, sys
from accounting import mu_gdp
from forgetproof.cli import run
told = []
for line in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(line)
    told.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(told))
"""


def new_paper(folder, key):
    assert run(["new-paper", str(folder), "--key", key]) == 0
    return folder / f"{key}_paper"


def walked_through(folder):
    """The package as the document leaves it."""
    package = new_paper(folder, "d2d")
    for path in package.rglob("example*"):
        path.unlink()
    for name, text in re.findall(r"```python\n# (\S+)\n(.*?)```", DOCUMENT, re.S):
        (folder / name).write_text(text)
    (package / "distance.md").write_text(re.search(r"```text\n(.*?)```", DOCUMENT, re.S)[1])
    (package / "proofs").mkdir()
    lines = re.search(r"```text\n(theorem d2d.*?)```", PROOFS, re.S)[1]
    (package / "proofs" / "distance.proof").write_text(lines)
    expected = re.search(r"`checks/expected.json` stands `(.*?)`", DOCUMENT)[1]
    (package / "checks" / "expected.json").write_text(expected)


@pytest.fixture(scope="module")
def installed(wheels, tmp_path_factory):
    """A folder into which pip has installed our wheels and those of two papers."""
    folder = tmp_path_factory.mktemp("third_party")
    new_paper(folder / "toy", "toy")
    walked_through(folder / "d2d")
    for name in ("toy", "d2d"):
        line = ["-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
        forked(line, cwd=folder / name).check_returncode()
    site = folder / "site"
    options = "--quiet --no-deps --no-index --no-compile --disable-pip-version-check"
    files = [*map(str, wheels), *map(str, folder.glob("*.whl"))]
    line = ["-m", "pip", "install", *options.split(), "--target", str(site), *files]
    forked(line, cwd=folder).check_returncode()
    return site


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """A folder with packages that announce a paper, and fail in different ways."""
    site = tmp_path_factory.mktemp("broken")
    sources = {
        "raises": "raise RuntimeError('two\\nlines')\n",
        "leaves": "raise SystemExit(1)\n",
        "empty": "",
        "taken": "import dataclasses, bounds.mini\nPAPER = bounds.mini.PAPER\n",
        "inner": (
            "from bounds import Paper\n"
            "PAPER = Paper('inner', 'Inner', ('A B',), 2026, __name__, checks='inner.checks',\n"
            "    problems={'langevin': 'inner.a:X', 'inner-noise': 'inner.a:X'},\n"
            "    statements={'inner.a': 'a', 'inner.b': 'b'})\n"
        ),
    }
    sources["bare"] = (
        "from bounds import Paper, Plot, Interpretation, Statement, Symbol\n"
        "PAPER = Paper('bare', 'Bare', ('A B',), 2026, __name__, {'bare.a': 'a'})\n"
        "INTERPRETATIONS = (Interpretation('literal', 'all', {'printed': '<='}),)\n"
        "statement = Statement('bare.a', 'A', 'claim', 'words', INTERPRETATIONS,\n"
        "    symbols=[Symbol('x', 'x', 'x')], plot=Plot('x', (1, 2), {}))\n"
        "statement.form('printed', tex='x')(lambda x: 2 * x)\n"
    )
    for name, text in sources.items():
        (site / name).mkdir()
        (site / name / "__init__.py").write_text(text)
        info = site / f"{name}_dist-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-dist\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[forgetproof.papers]\n{name} = {name}:PAPER\n")
    (site / "bare" / "a.py").write_text("from bare import statement\n")
    (site / "inner" / "a.py").write_text("import absent_module\n")
    (site / "inner" / "b.py").write_text(
        "from bounds import Interpretation, Statement\n"
        "statement = Statement('inner.b', 'B', 'claim', 'words',\n"
        "    (Interpretation('literal', 'all', {'printed': '<='}),), aliases=('sglu.lem3.4',))\n"
    )
    (site / "inner" / "checks").mkdir()
    (site / "inner" / "checks" / "__init__.py").write_text("")
    (site / "inner" / "checks" / "b.py").write_text("import absent_module\n")
    (site / "inner" / "checks" / "expected.json").write_text("[]")
    return site


@pytest.fixture
def python(installed, tmp_path):
    """A program run with what is installed, and whatever folders come before it."""

    def started(*arguments, before=(), given=""):
        path = os.pathsep.join(map(str, (*before, installed)))
        environment = {**os.environ, "PYTHONPATH": path, "PYTEST_ADDOPTS": ""}
        return forked(arguments, cwd=tmp_path, env=environment, input=given)

    return started


@pytest.fixture
def several(python):
    """Runs command lines in one process; each one's exit code, output and complaints."""

    def told(*lines, **options):
        given = json.dumps([shlex.split(line) for line in lines])
        found = python("-c", SEVERAL, given=given, **options)
        assert found.returncode == 0, found.stderr
        return json.loads(found.stdout.splitlines()[-1])

    return told


def digest(site):
    """Of all files of ours."""
    found = hashlib.sha256()
    for package in ("accounting", "bounds", "simulators", "verify", "forgetproof"):
        for path in sorted((site / package).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                found.update(str(path.relative_to(site)).encode() + path.read_bytes())
    return found.hexdigest()


def test_commands_know_the_papers(installed, several, tmp_path):
    before = digest(installed)
    lines = [
        "claims --paper toy",
        "claims --paper 'Descent-to-Delete: Gradient-Based Methods for Machine Unlearning' --json",
        "bound toy.example m=0.1 M=1 eta=1.9 T=5 D=1",
        "bound d2d.distance m=0.1 M=1 L=1 n=1000 I=10",
        "plot toy.example --out toy.svg",
        "search toy.example --form printed --seconds 60 --evaluations 300",
        "search d2d.distance --seconds 60 --evaluations 100",
        "replay toy.example --as-script",
        "noise toy-example --epsilon 1 --delta 1e-5 --strong-convexity 0.1 --smoothness 1 "
        "--step-size 1 --steps 20 --distance 2 --json",
        "new-paper again --key toy",
        "new-paper toy.svg --key again",
        "new-paper again --key Again",
    ]
    told = several(*lines)
    assert [code for code, _, _ in told] == [0] * 9 + [2] * 3, told
    assert all((code == 0) == (err == "") for code, _, err in told)
    out = [text for _, text, _ in told]
    heading = "toy: Author et al. (2026), Title of the paper toy (from toy-paper)"
    assert out[0].splitlines()[0] == heading
    assert "false (expected)" in out[0]
    (claim,), (paper,) = (json.loads(out[1])[key] for key in ("claims", "papers"))
    assert (claim["id"], claim["verdict"]) == ("d2d.distance", "holds")
    assert claim["proof"] == "proved from algebra alone"
    assert (paper["arxiv"], paper["source"]) == ("2007.02923", "d2d-paper")
    values = {line.split()[0]: float(line.split()[1]) for line in out[2].splitlines()}
    assert values == pytest.approx({"printed": 0.81**5, "corrected": 0.9**5}, rel=1e-12)
    g = 0.9 / 1.1
    assert float(out[3].split()[1]) == pytest.approx(4 * g**10 / (100 * (1 - g**10)), rel=1e-12)
    assert (tmp_path / "toy.svg").is_file()
    assert "counterexample" in out[5]
    assert "nothing found" in out[6]
    (noise,) = json.loads(out[8])["accountants"].values()
    assert noise["sigma"] == pytest.approx(2 * 0.9**20 / mu_gdp(1, 1e-5), rel=1e-9)
    program = subprocess.run([sys.executable, "-I", "-c", out[7]], capture_output=True, text=True)
    assert program.returncode == 0
    assert program.stdout == "distance 0.590490, claimed at most 0.348678\n"
    assert "key must be new, got 'toy', which names Author et al. (2026)" in told[9][2]
    assert "DIR must be a new or an empty folder, got toy.svg" in told[10][2]
    assert "key must be lower case letters, digits and _, got 'Again'" in told[11][2]
    assert digest(installed) == before


def test_a_third_partys_proof_is_checked_and_marked_as_such(installed, several):
    before = digest(installed)
    told = several(
        "proof d2d.distance",
        "proof --all --paper d2d",
        "proof --bind --paper d2d",
        "proof --givens --paper d2d --json",
        "proof --witness --paper d2d",
        "proof --all --paper own",
    )
    assert [(code, err) for code, _, err in told] == [(0, "")] * 6, told
    out = [text for _, text, _ in told]
    accepted = "-- accepted: d2d.distance printed, from algebra alone, by d2d-paper"
    assert accepted in out[0].splitlines()
    assert out[1].splitlines()[0].endswith("proved from algebra alone, by d2d-paper")
    assert "1 bound" in out[2]
    assert {row["kind"] for row in json.loads(out[3])["rows"]} == {"what is measured"}
    assert out[4].splitlines()[-1] == "1 of 1 proofs have an instance of all hypotheses"
    assert ", by " not in out[5], "the project's own are not marked"
    proof = installed / "d2d_paper" / "proofs" / "distance.proof"
    text = proof.read_text("utf-8")
    wrong = text.replace("show for s nat: distance(s) <= 4*L", "show for s nat: distance(s) <= 3*L")
    assert wrong != text
    proof.write_text(wrong, "utf-8")
    (rejected,) = several("claims --paper d2d --json")
    assert json.loads(rejected[1])["claims"][0]["proof"] == "written", "what is left without it"
    proof.write_text(text, "utf-8")
    assert digest(installed) == before


def test_a_run_resumes_until_the_source_is_edited_and_its_report_names_the_paper(
    installed, python, tmp_path
):
    before = digest(installed)

    def verify(*words):
        found = python("-m", "forgetproof", "verify", "toy.example", "d2d.distance", *words)
        assert found.stderr == ""
        return found.returncode, found.stdout.splitlines()[-1]

    end = "as expected; report: forgetproof-report/report.html"
    bare = ("--plots", "none")
    assert verify("--jobs", "2") == (0, f"2 claims, {end}")
    report = tmp_path / "forgetproof-report"
    page = (report / "claims" / "d2d.distance.html").read_text("utf-8")
    assert "<svg" in page
    assert "Neel et al. (2021), Descent-to-Delete" in page
    assert "proved by machine from algebra alone, by d2d-paper" in page
    assert "<code>g = (M-m)/(M+m)</code>" in page
    assert verify("--resume", *bare) == (0, f"2 claims (2 kept from an earlier run), {end}")
    for file, old, new in (
        ("d2d_paper/distance.py", "return 4 * L * left", "return 4.0 * L * left"),
        ("toy_paper/checks/example.py", "draws=(10, 100)", "draws=(11, 100)"),
    ):
        path = installed / file
        text = path.read_text("utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new))
        assert verify("--resume", *bare) == (0, f"2 claims (1 kept from an earlier run), {end}")
        path.write_text(text)
    assert "Title of the paper toy" in (report / "errata" / "toy.html").read_text("utf-8")
    versions = json.loads((report / "results.json").read_text("utf-8"))["manifest"]["versions"]
    assert versions["d2d-paper"] == "0.1.0"
    assert digest(installed) == before


def test_edits_of_a_third_partys_formula_are_drawn_and_noticed(installed, python):
    before = digest(installed)
    found = python("-m", "forgetproof", "verify", "--mutants", "3", "--paper", "toy", "--json")
    assert found.returncode == 0, found.stderr
    told = json.loads(found.stdout)
    assert {m["file"] for m in told["mutants"]} == {"toy_paper/example.py"}
    assert told["papers"]["toy"] == {"killed": 3, "of": 3}
    assert digest(installed) == before


def test_pytest_checks_them_and_the_packages_own_test_passes(installed, python, tmp_path):
    before = digest(installed)
    (tmp_path / "test_own.py").write_text(
        (installed.parent / "toy" / "tests" / "test_paper.py").read_text("utf-8")
        + "\n\nimport pytest\nfrom hypothesis import HealthCheck, given, settings\n"
        "from forgetproof.testing import claims\n"
        "\n\n@pytest.mark.claim('d2d.distance')\n"
        "@settings(suppress_health_check=[HealthCheck.too_slow])\n"
        "@given(claims.strategy('d2d.distance'))\n"
        "def test_strategy(inputs):\n"
        "    assert claims.get('d2d.distance').value('printed', **inputs) >= 0\n"
    )
    (tmp_path / "bounds.py").write_text("MINE = True\n")
    (tmp_path / "test_mine.py").write_text("def test_mine():\n    import bounds; bounds.MINE\n")
    chosen = ("--forgetproof-paper", "toy", "--forgetproof-paper", "2007.02923")
    found = python(
        "-m", "pytest", "-v", "-p", "no:cacheprovider", *chosen, "test_own.py", "test_mine.py"
    )
    assert found.returncode == 0, found.stdout + found.stderr
    for id in ("toy.example", "d2d.distance"):
        assert f"forgetproof::{id} PASSED" in found.stdout
    assert "9 passed" in found.stdout
    assert digest(installed) == before


def test_the_starters_own_test_is_red_where_a_refuted_form_is_expected_to_hold(python, tmp_path):
    folder = new_paper(tmp_path / "own", "own_toy").parent
    expected = folder / "own_toy_paper" / "checks" / "expected.json"
    text = expected.read_text("utf-8")
    assert text.count('"false"') == 1
    expected.write_text(text.replace('"false"', '"holds"'), "utf-8")
    info = folder / "own_toy_paper-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own-toy\nVersion: 1\n")
    line = "[forgetproof.papers]\nown_toy = own_toy_paper:PAPER\n"
    (info / "entry_points.txt").write_text(line)
    found = python("-m", "pytest", "-p", "no:cacheprovider", str(folder), before=[folder])
    assert found.returncode == 1, found.stdout + found.stderr
    assert "1 failed, 4 passed" in found.stdout
    assert "literal.printed: expected holds, found false: a long step, measured" in found.stdout


def test_the_document_is_short_and_shows_what_happens(python):
    assert len(DOCUMENT.splitlines()) < 80
    for line, *wanted in re.findall(r"^\$ (.*)\n(.*)\n", DOCUMENT, re.M):
        found = python("-m", *shlex.split(line))
        assert found.returncode == 0, found.stderr
        for text in wanted:
            assert text in found.stdout.splitlines()


def test_what_is_broken_is_a_line_and_does_not_break_the_rest(several, broken):
    told = several(
        "claims --paper toy",
        "bound lem3.4 alpha=3 Z=1 s2=1 c=0.9 K=20 --form tight",
        "claims --paper inner",
        "bound sglu.lem3.4 alpha=3 Z=1 s2=1 c=0.9 K=20 --form tight",
        "bound inner.a x=1",
        "noise --help",
        "verify inner.b toy.example",
        before=[broken],
    )
    assert [code for code, _, _ in told] == [0, 0, 0, 0, 2, 0, 3], told
    lines = {
        line.removeprefix("forgetproof: ").partition(" is left out: ")[::2]
        for line in told[0][2].splitlines()
    }
    assert {name: why.partition(":")[0] for name, why in lines} == {
        "empty of empty-dist": "AttributeError",
        "leaves of leaves-dist": "SystemExit",
        "raises of raises-dist": "RuntimeError",
        "taken of taken-dist": "ValueError",
        "expected.json of inner-dist": "ValueError",
    }
    assert ("raises of raises-dist", "RuntimeError: two lines") in lines
    clash = (
        "an alias of inner.b of inner-dist is left out: ValueError: sglu.lem3.4 names sglu.lem3.4"
    )
    assert clash in told[1][2]
    lost = "inner/a.py, line 1: ModuleNotFoundError: No module named"
    assert f"inner.a of inner-dist is left out: {lost}" in told[2][2]
    assert "inner.b" in told[2][1]
    assert f"inner.a of inner-dist cannot be used: {lost}" in told[4][2]
    unchecked = "inner/checks/b.py, line 1: ModuleNotFoundError: No module named 'absent_module'"
    assert f"broken: inner.b: {unchecked}" in told[6][1]
    assert "toy.example" in told[6][1]
    said = "the problem {} of inner-dist is left out: {}"
    assert said.format("langevin", "ValueError: sglu has a problem of this name") in told[5][2]
    assert said.format("inner-noise", "ModuleNotFoundError: No module named") in told[5][2]
    assert "inner-noise" not in told[5][1]


def test_a_paper_without_checks_is_not_run_and_nobody_trips_over_a_broken_check(several, broken):
    told = several(
        "bound bare.a x=3",
        "plot bare.a --out bare.svg --json",
        "verify bare.a",
        "plot sglu.lem3.4 --over T --out x.svg",
        "replay inner.b",
        before=[broken],
    )
    assert [code for code, _, _ in told] == [0, 0, 1, 2, 3], told
    assert "printed    6.0" in told[0][1]
    assert [c["y"] for c in json.loads(told[1][1])["curves"]] == [[2, 4]]
    assert "bare.a literal.printed: expected none, found not run" in told[2][1]
    assert "its paper has no checks" in told[2][1]
    assert "over must be one of alpha, Z, s2, c, K in sglu.lem3.4" in told[3][2]
    broke = "the check of inner.b broke: inner/checks/b.py, line 1: ModuleNotFoundError: No module"
    assert broke in told[4][2]


def test_pytest_says_what_is_broken(python, broken):
    found = python(
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "forgetproof::inner.b",
        "forgetproof::inner.a",
        "forgetproof::toy.example",
        before=[broken],
    )
    assert found.returncode == 1
    assert "2 failed, 1 passed" in found.stdout
    assert "forgetproof: raises of raises-dist is left out: RuntimeError: two lines" in found.stdout
    assert "No module named 'absent_module'" in found.stdout
