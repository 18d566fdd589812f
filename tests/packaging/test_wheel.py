"""The built wheel: its contents, and that it runs beside folders that use the same names."""

import json
import os

from tests.forks import forked, without

PACKAGES = {"accounting", "bounds", "simulators", "verify", "forgetproof"}


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


ABSENT = without("torch", "sklearn", "matplotlib", "jinja2", "latex2mathml", "rich")
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
