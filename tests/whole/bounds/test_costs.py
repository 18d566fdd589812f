"""No form runs on or fills the memory anywhere in the declared ranges of its arguments.

Every whole number, list and mapping of every form is put at the upper end of what is admitted, the
others at a small point; the form must answer or refuse within seconds of processor time and 1 GB.
"""

import contextlib
import json
from pathlib import Path

import numpy as np
import pytest

import bounds
from bounds.draws import admissible
from tests.forks import forked

SECONDS = 4.0  # of processor time: no form needs more than about one on a slow core
MEMORY = 2**30

CHILD = """
import json, resource, signal, sys, zlib
import numpy as np
import scipy.stats, scipy.optimize, scipy.integrate, sympy  # what a first call would import
import bounds
from bounds.draws import admissible, draw

SECONDS, MEMORY = float(sys.argv[1]), int(sys.argv[2])
LARGE = 10.0**15  # stands for no limit: every whole number up to it is a float

def ends(symbol):
    low = symbol.low if np.isfinite(symbol.low) else 0.0
    if symbol.kind == "integer":
        return [symbol.high] if np.isfinite(symbol.high) else [LARGE] + [np.inf] * symbol.infinite
    first = float(np.clip(symbol.typical[0], symbol.low, symbol.high))
    if symbol.kind == "list":
        return [[first] * 3 + [min(LARGE, symbol.high)], [first] * 10_000]
    if symbol.kind == "hits":
        return [{10**15: 1}, {0: 10**15}, {j: 1 for j in range(10_000)}]
    return []

def accepted(form, inputs):
    try:
        form.validate(inputs)
    except ValueError:
        return False
    return True

def inside(formula, form, base, name, value, rng):
    \"\"\"Inputs with the value at that name, or with the largest one below that is admitted.\"\"\"
    whole = [a for a in form.arguments if formula.symbols[a].kind == "integer"]
    while True:
        for _ in range(8):
            if accepted(form, inputs := {**base, name: value}):
                return inputs
            if name in whole:
                together = {a: min(value, formula.symbols[a].high) for a in whole}
                if accepted(form, inputs := {**base, **together, name: value}):
                    return inputs
            base = {a: draw(formula.symbols[a], rng) for a in form.arguments}
        if not isinstance(value, float) or not 100 < value < np.inf:
            return None
        value = value / 1000

def late(*_):
    raise TimeoutError("no answer in time")

signal.signal(signal.SIGPROF, late)
size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
for id in json.load(sys.stdin):
    formula = bounds.get(id)
    for form_name, form in formula.forms.items():
        rng = np.random.default_rng(zlib.crc32(f"{id}.{form_name}".encode()))
        base = admissible(formula, form, rng)
        tried = []
        for name in form.arguments:
            for value in ends(formula.symbols[name]):
                inputs = inside(formula, form, base, name, value, rng)
                if inputs is None or inputs in tried:
                    continue
                tried.append(inputs)
                told = [id, form_name, name, {a: str(v)[:40] for a, v in inputs.items()}]
                print(json.dumps(told), flush=True)
                signal.setitimer(signal.ITIMER_PROF, SECONDS)
                try:
                    value = form(**inputs)
                    found = "not a number" if np.isnan(value).any() else None
                except ValueError:
                    found = None
                except BaseException as error:
                    found = f"{type(error).__name__}: {error}"
                signal.setitimer(signal.ITIMER_PROF, 0)
                print(json.dumps(found), flush=True)
print('"end"')
"""


def told(ids, seconds=SECONDS, memory=MEMORY):
    """(what was tried, what went wrong or None) of every case; a killed child blames the last."""
    line = ["-c", CHILD, str(seconds), str(memory)]
    done = forked(line, cwd=Path(bounds.__file__).parent.parent, input=json.dumps(ids))
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    whole = bool(lines) and lines[-1] == "end"
    assert whole or len(lines) % 2, done.stderr[-600:]
    cases = lines[:-1] if whole else [*lines, f"died: {done.stderr[-300:]}"]
    return list(zip(cases[::2], cases[1::2], strict=True))


@pytest.fixture(scope="module")
def everything():
    """The cases of all papers, by one process; one that is killed leaves no cases of the rest."""
    if not Path("/proc/self/statm").exists():
        pytest.skip("needs the size of a process")
    return told([s.id for s in bounds.statements() if s.forms])


@pytest.mark.parametrize("paper", [p.key for p in bounds.papers()])
def test_every_form_answers_or_refuses_at_the_upper_ends(everything, paper):
    cases = [case for case in everything if case[0][0].startswith(f"{paper}.")]
    assert len(cases) > 10
    assert [case for case in cases if case[1] is not None] == []


def lists(formula, form):
    return [a for a in form.arguments if formula.symbols[a].kind == "list"]


@pytest.mark.parametrize(
    ("id", "name"),
    [(i, n) for i in bounds.ids() for n, f in bounds.get(i).forms.items() if lists(f.statement, f)],
)
def test_a_list_of_another_length_is_used_or_refused(id, name):
    formula = bounds.get(id)
    form = formula[name]
    inputs = admissible(formula, form, np.random.default_rng(1))
    for argument in lists(formula, form):
        entries = inputs[argument]
        for changed in (entries[:-1], [*entries, entries[-1]], entries[:1]):
            with contextlib.suppress(ValueError):
                assert not np.isnan(form(**{**inputs, argument: changed})).any()


@pytest.mark.parametrize(
    ("id", "form", "inputs"),
    [
        ("sglu.cor3.9", "printed", {"J": 5 * 10**5 + 1}),
        ("hf.defc1", "printed", {"n": 10**5 + 1}),
        ("hf.lema5", "corrected", {"T": 10**18}),
        ("hf.eq41", "printed", {"E": 10**10}),
        ("sglu.sec4.atmost15", "stored", {"S": 10**4 + 1}),
        ("sglu.alg6", "tight", {"S": 10**4 + 1}),
    ],
    ids=lambda value: value if isinstance(value, str) else next(iter(value)),
)
def test_beyond_its_range_an_argument_is_named(id, form, inputs):
    formula = bounds.get(id)
    valid = admissible(formula, formula[form], np.random.default_rng(1))
    (name,) = inputs
    with pytest.raises(ValueError, match=rf"^{name} must be in \[[01], \d+\], got "):
        formula(form, **{**valid, **inputs})


def test_shifts_one_by_one_have_an_end():
    inputs = {"eta": 0.1, "m": 0.1, "M": 1, "b": 2, "J": 100, "sigma": 1, "R": 0.001, "j0": 3}
    form = bounds.get("own.x3.iv")["tight"]
    with pytest.raises(ValueError, match=r"T must be at most 1000000/J"):
        form(**inputs, K=10, T=10**9)
    assert form(**{**inputs, "R": 10}, K=10, T=10**9) > 0
