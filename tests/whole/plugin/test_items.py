"""`pytest --forgetproof`: which items there are, what their reports say, how options fail."""

import re

import pytest

import bounds
from forgetproof.listing import expected, origins, papers
from tests.forks import without
from verify.expectation import load

OWN = {"test_own.py": "def test_own():\n    pass\n"}


def counts(run):
    found = re.findall(r"(\d+) (passed|failed|errors?|skipped|deselected)", run.stdout)
    return {word.rstrip("s"): int(n) for n, word in found}


def test_the_listing_is_the_registry():
    assert set(papers()) == {p.key for p in bounds.papers()}
    assert set(expected()) == {c.id for c in bounds.statements()}
    assert expected() == load()
    assert origins() == {c.id: c.origin for c in bounds.statements()}


def test_headlines_are_counted_by_origin(project):
    chosen = ("hf.table1.inverse", "olu.eq17.sum", "olu.eq17.below")
    run = project({}, *(f"forgetproof::{id}" for id in chosen))
    assert run.returncode == 0, run.stdout
    assert "forgetproof: 2 stated by a paper: 1 false, 1 holds" in run.stdout
    assert "forgetproof: 1 ours, beside the papers: 1 holds" in run.stdout


def test_without_the_option_there_is_no_item_more_and_no_import_of_ours(project):
    code = (
        "import sys\n"
        "def test_own():\n"
        "    ours = {'accounting', 'bounds', 'simulators', 'verify', 'numpy', 'hypothesis'}\n"
        "    assert not ours & {m.split('.')[0] for m in sys.modules}\n"
        "    loaded = [m for m in sys.modules if m.startswith('forgetproof')]\n"
        "    assert sorted(loaded) == ['forgetproof', 'forgetproof.pytest_plugin']\n"
    )
    run = project({"test_own.py": code}, "-q", cold=True)
    assert run.returncode == 0, run.stdout
    assert counts(run) == {"passed": 1}


def test_every_claim_is_listed_and_listing_imports_nothing(project):
    conftest = (
        "import sys\n"
        "def pytest_sessionfinish():\n"
        "    assert not {'torch', 'numpy', 'verify'} & set(sys.modules)\n"
    )
    run = project(
        {**OWN, "conftest.py": conftest}, "--forgetproof", "--collect-only", "-q", cold=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
    ids = [line for line in run.stdout.splitlines() if "::" in line]
    assert ids == ["test_own.py::test_own", *(f"forgetproof::{id}" for id in expected())]
    assert f"{len(ids)} tests collected" in run.stdout


def test_a_paper_a_keyword_and_a_marker_choose(project):
    run = project({}, "--forgetproof-paper", "mini", "--collect-only", "-q")
    of_mini = [id for id in expected() if id.startswith("mini.")]
    assert [line for line in run.stdout.splitlines() if "::" in line] == [
        f"forgetproof::{id}" for id in of_mini
    ]
    chosen = ("-m", "mini", "-k", "eq", "--strict-markers")
    run = project(OWN, "--forgetproof", "--collect-only", *chosen)
    for id in expected():
        shown = any(f"<Claim {id}{ours}, expected: " in run.stdout for ours in ("", ", ours"))
        assert shown == (id in of_mini and "eq" in id)
    assert "test_own" not in run.stdout


def test_claims_pass_beside_the_users_tests_in_one_process_or_in_two(project):
    one = project(OWN, "-v", "test_own.py", "forgetproof::olu.eq17")
    assert one.returncode == 0, one.stdout
    assert counts(one) == {"passed": 2}
    for line in ("test_own.py::test_own PASSED", "forgetproof::olu.eq17 PASSED"):
        assert line in one.stdout
    chosen = ("test_own.py", "forgetproof::olu.eq17", "forgetproof::olu.eq58")
    two = project(OWN, "-v", "-n", "2", *chosen, plugins=("xdist",))
    assert two.returncode == 0, two.stdout
    assert counts(two) == {"passed": 3}


def test_a_failure_names_claim_formula_inputs_numbers_and_the_replay(project):
    run = project({}, "forgetproof::hf.table1.inverse", "--forgetproof-scale", "0.9")
    assert run.returncode == 1
    first, *rest = run.stdout.partition("claim hf.table1.inverse ___")[2].splitlines()[1:]
    assert re.match(r"hf\.table1\.inverse: \S+ expected holds, found false$", first)
    text = "\n".join(rest)
    assert bounds.get("hf.table1.inverse").words in text
    for start in ("formula   ", "instance  ", "inputs    ", "found     measured "):
        assert f"\n{start}" in text
    assert "claimed at most" in text
    command = (
        "verify hf.table1.inverse --profile quick --seed 0 --scale 0.9; "
        "forgetproof replay hf.table1.inverse"
    )
    assert f"\nreplay    forgetproof {command}\n" in text
    assert "Traceback" not in run.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--forgetproof-paper", "foo"), f"must be one of {', '.join(papers())}, got 'foo'"),
        (("forgetproof::olu.eq99",), "name a claim (see `forgetproof claims`), got 'olu.eq99'"),
        (("--forgetproof", "--forgetproof-seed", "-1"), "--forgetproof-seed must be >= 0, got -1"),
        (("--forgetproof", "--forgetproof-scale", "nan"), "must be > 0 and finite, got nan"),
    ],
)
def test_a_wrong_option_is_one_line(project, arguments, message):
    run = project({}, *arguments)
    assert run.returncode == 4
    assert run.stderr.startswith("ERROR: ")
    assert run.stderr.rstrip().endswith(message)
    assert len(run.stderr.strip().splitlines()) == 1


def test_profile_and_seed_reach_the_check_and_the_filters_of_the_suite_do_not(project):
    conftest = (
        "import warnings, pytest\n"
        "@pytest.hookimpl(tryfirst=True)\n"
        "def pytest_runtest_call(item):\n"
        "    import verify.runner\n"
        "    def stop(id, settings):\n"
        "        warnings.warn('of the check', RuntimeWarning)\n"
        "        raise ZeroDivisionError((id, settings.profile, settings.seed))\n"
        "    verify.runner.run_claim = stop\n"
    )
    ini = "[pytest]\nfilterwarnings =\n    error\n"
    run = project(
        {"conftest.py": conftest, "pytest.ini": ini},
        "forgetproof::olu.eq17",
        "--forgetproof-profile",
        "full",
        "--forgetproof-seed",
        "7",
    )
    assert "ZeroDivisionError: ('olu.eq17', 'full', 7)" in run.stdout
    assert "RuntimeWarning: of the check" in run.stdout.partition("warnings summary")[2]


@pytest.mark.parametrize("asked", [(), ("--forgetproof-skip-missing",)], ids=["red", "asked"])
def test_a_claim_that_cannot_be_checked_is_green_only_where_that_is_asked_for(project, asked):
    files = {"conftest.py": without("torch", "jinja2")}
    run = project(files, "forgetproof::sglu.alg1", "forgetproof::olu.eq17", "-rs", *asked)
    assert counts(run) == {"passed": 1, "skipped" if asked else "failed": 1}
    assert (run.returncode == 0) == bool(asked)
    why = "torch is missing: pip install 'forgetproof[sim]'"
    assert f"forgetproof: claims not checked: 1; {why}" in run.stdout
    assert asked or f"sglu.alg1 was not checked: {why}" in run.stdout


THEIRS = {
    "verify.py": "MINE = True\n",
    "bounds.py": "MINE = True\n",
    "accounting/__init__.py": "MINE = True\n",
    "test_own.py": (
        "import verify\n"
        "def test_own():\n"
        "    import accounting, bounds\n"
        "    assert verify.MINE and bounds.MINE and accounting.MINE\n"
        "    assert not hasattr(verify, 'runner')\n"
    ),
    "conftest.py": (
        "import verify\n"
        "def pytest_sessionfinish():\n"
        "    import sys, bounds, simulators\n"
        "    assert sys.modules['verify'] is verify\n"
        "    assert verify.MINE and bounds.MINE\n"
    ),
}


def test_a_suite_with_modules_of_the_same_names_stays_as_it_is(project):
    run = project({**THEIRS, "conftest.py": ""}, "-q")
    assert run.returncode == 0, run.stdout
    assert counts(run) == {"passed": 1}


def test_claims_are_checked_beside_modules_of_the_same_names(project):
    late = {
        "test_zz.py": THEIRS["test_own.py"]
        .replace("import verify\n", "", 1)
        .replace("import accounting", "import verify, accounting")
    }
    assertion = {
        "test_between.py": (
            "from forgetproof.testing import assert_bound_holds, claims\n"
            "def test_between():\n"
            "    inputs = dict(alpha=3, Z=1, s2=1, c=0.9, K=20)\n"
            "    assert_bound_holds(1e-9, 'sglu.lem3.4', parameters=inputs)\n"
            "    import verify\n"
            "    assert verify.MINE\n"
        )
    }
    run = project(
        {**THEIRS, **assertion, **late},
        "-v",
        ".",
        "forgetproof::olu.eq17",
        "forgetproof::olu.eq58",
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert counts(run) == {"passed": 5}
