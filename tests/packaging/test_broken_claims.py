"""An author's slip breaks the author's claim and no other, and the place of it is named."""

import json
import os

import pytest

from forgetproof.cli import run
from tests.forks import forked

FORM, CHECK = "example.py", "checks/example.py"
BODY = "return abs(1 - eta * m) ** T * D"
STEP = "x -= eta * curvature * x"
# Key of the paper -> the file that is edited, what stands there, and what stands there then.
SLIPS = {
    "unknown": (FORM, BODY, "return abs(1 - eta * mm) ** T * D"),
    "empty": (FORM, BODY, "return [][0]"),
    "imports": (FORM, BODY, "import absent_module"),
    "leaves": (FORM, BODY, "raise SystemExit(1)"),
    "nothing": (FORM, BODY, BODY.removeprefix("return ")),
    "condition": (FORM, "eta * M < 2", "eta * MM < 2"),
    "side": (CHECK, STEP, "x -= eta * curvatur * x"),
    "unclosed": (CHECK, "found = []", "found = ["),
    "keyword": (CHECK, "draws=(10, 100)", "draw=(10, 100)"),
    "unit": (FORM, 'unit="loss/parameter^2"', 'unit="loss//parameter^2"'),
    "stance": (FORM, 'stance="amended"', 'stance="mended"'),
    "relation": (FORM, '{"printed": "<="}', '{"printed": "<"}'),
    "judged": (FORM, '{"printed": "<="}', '{"printed": "<=", "prnted": "<="}'),
    "section": (FORM, "    Note: ", "    Notes: "),
    "proof": (FORM, "Proof (short)", "Proof (shot)"),
    "absent": (FORM, '.example"', '.exampl"'),
    "module": (FORM, "statement = Statement(", "statement = Statemnt("),
}
SAID = {
    "unknown": ("unknown_paper/example.py, line 47, printed(m = ", "D = ", "name 'mm' is not"),
    "empty": ("empty_paper/example.py, line 47, printed(m = ", "IndexError"),
    "imports": ("imports_paper/example.py, line 47, printed(m = ", "No module named"),
    "leaves": ("leaves_paper/example.py, line 47, printed(m = ", "SystemExit: 1"),
    "nothing": ("nothing_paper/example.py, line 37, printed(m = ", "is undefined at m ="),
    "condition": ("condition_paper/example.py, line 26, <lambda>(eta = ", "name 'MM'"),
    "side": ("side_paper/checks/example.py, line 16, exact_side(m = 0.1, M = 1, eta = 1, T = 3",),
    "unclosed": ("unclosed_paper/checks/example.py, line 12: SyntaxError: '[' was never closed",),
    "keyword": ("keyword_paper/checks/example.py, line 26: TypeError",),
    "unit": ("unit_paper/example.py or ", "got 'loss//parameter^2'"),
    "stance": ("stance_paper/example.py or ", "mended"),
    "relation": ("relation_paper/example.py or ", "'<'"),
    "judged": ("judged_paper/example.py or ", "got 'prnted'"),
    "section": ("section_paper/example.py, line 37: TypeError", "(printed): section must be one"),
    "proof": ("proof_paper/example.py, line 37: TypeError", "(printed): a proof for 'shot'"),
    "absent": ("absent_paper.example makes no statement absent.example",),
    "module": ("module_paper/example.py, line 5: NameError",),
}
OTHERS = ("sound.example",)
SEVERAL = """
import contextlib, io, json, sys
from forgetproof.cli import run
told = []
for line in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(line)
    told.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Exit code, output and complaints of commands about the papers with a slip each."""
    folder = tmp_path_factory.mktemp("slips")
    for key in (*SLIPS, "sound"):
        assert run(["new-paper", str(folder / "new" / key), "--key", key]) == 0
        package = (folder / "new" / key / f"{key}_paper").rename(folder / f"{key}_paper")
        if key in SLIPS:
            file, old, new = SLIPS[key]
            text = (package / file).read_text("utf-8")
            assert old in text
            (package / file).write_text(text.replace(old, new, 1), "utf-8")
        info = folder / f"{key}_paper-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {key}-paper\nVersion: 1\n")
        line = f"[forgetproof.papers]\n{key} = {key}_paper:PAPER\n"
        (info / "entry_points.txt").write_text(line)
    ids = [f"{key}.example" for key in SLIPS]
    lines = [
        ["verify", *ids, *OTHERS, "--plots", "none"],
        ["verify", "--paper", "unknown"],
        ["verify", "--paper", "module"],
        ["bound", "unknown.example", "m=0.1", "eta=0.1", "T=3", "D=1"],
    ]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    found = forked(["-c", SEVERAL], cwd=folder, env=environment, input=json.dumps(lines))
    assert found.returncode == 0, found.stderr
    results = json.loads((folder / "forgetproof-report" / "results.json").read_text("utf-8"))
    return json.loads(found.stdout.splitlines()[-1]), results, folder


def test_a_slip_breaks_its_own_claim_and_the_others_are_checked(told):
    (code, out, _), *_ = told[0]
    assert code == 3
    lines = [line for line in out.splitlines() if line.startswith("broken: ")]
    assert {line.split(": ")[1] for line in lines} == {f"{key}.example" for key in SLIPS}
    assert not [line for line in out.splitlines() if line.startswith("unexpected: ")]
    for id in OTHERS:
        assert any(line.startswith(id) and " error" not in line for line in out.splitlines())
    total, broken = len(SLIPS) + len(OTHERS), len(SLIPS)
    said = f"{total} claims, incomplete: {broken} broken, all others as expected"
    assert out.splitlines()[-1].startswith(said)


@pytest.mark.parametrize("key", SLIPS)
def test_the_line_names_the_claim_the_file_the_line_and_the_arguments(told, key):
    (_, out, _), *_ = told[0]
    (line,) = (line for line in out.splitlines() if line.startswith(f"broken: {key}.example: "))
    for text in SAID[key]:
        assert text in line


def test_the_report_is_written_with_a_page_for_each_of_them(told):
    _, (code, out, err), *_ = told[0]
    assert (code, err.count("internal error")) == (3, 0)
    assert out.splitlines()[-1].startswith("1 claim, incomplete: 1 broken, all others as expected")
    *_, (code, out, _), _ = told[0]
    assert code == 3
    assert "broken: module.example: module_paper/example.py, line 5: NameError" in out
    # The report is of the last of these runs.
    assert told[1]["summary"]["broken"] == 1
    page = (told[2] / "forgetproof-report" / "claims" / "module.example.html").read_text("utf-8")
    assert "module_paper/example.py, line 5" in page


def test_a_command_about_one_claim_names_the_place_too(told):
    code, _, err = told[0][-1]
    assert code == 3
    called = "unknown_paper/example.py, line 47, printed(m = 0.1, eta = 0.1, T = 3.0, D = 1.0)"
    assert f"forgetproof: broken: {called}: NameError" in err
