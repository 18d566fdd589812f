"""`forgetproof lint`: targets, exit codes, what is printed, what is refused in one line."""

import json
from pathlib import Path

import pytest

from forgetproof.cli import run
from forgetproof.linting.codes import CODES

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "docs" / "mechanisms"
FLAT = str(FOLDER / "wrong-flat-curve.mechanism.json")
RIGHT = str(FOLDER / "right-curve.mechanism.json")
CONDITIONAL = str(FOLDER / "conditional-estimated.mechanism.json")
OPEN = str(ROOT / "tests" / "core" / "linting" / "slips" / "decay-inside-the-clip.mechanism.json")
MODULE = """
from accounting.mechanism import Mechanism
print("noise on stdout")
MECHANISM = Mechanism.read({path!r})
DOCUMENT = MECHANISM.document()
BOTH = [MECHANISM, DOCUMENT]
class Engine:
    def mechanism(self):
        return MECHANISM
ENGINE = Engine()
def made():
    return ENGINE
def loop():
    return loop
def broken():
    return 1 / 0
NOTHING = 3
"""


def printed(capsys, *words, code=0):
    assert run(["lint", *words]) == code
    return capsys.readouterr().out


def complaint(capsys, *words):
    assert run(["lint", *words]) == 2
    out, err = capsys.readouterr()
    lines = [line for line in err.splitlines() if line.startswith("forgetproof: ")]
    assert (out, len(lines)) == ("", 1)
    return lines[0].removeprefix("forgetproof: ")


def test_a_false_claim_is_told_with_its_place_and_reason(capsys):
    text = printed(capsys, FLAT, code=1)
    assert f"{FLAT}: noisy clipped steps after a projection" in text
    assert "claims[0]  holds       D_alpha <= 1 alpha claimed; certified 1\n" in text
    assert "claims[1]  FALSE       epsilon 1.004 at delta 1e-05 claimed; 6.572 is needed" in text
    assert "src/training/trainer.py:855: FP208 conversion: claims[0] holds and does not" in text
    assert "D_alpha <= rho was converted, the curve is D_alpha <= alpha rho\n" in text
    assert "1 document: 2 claims: 1 holds, 1 false\n" in text


def test_what_holds_is_left_alone(capsys):
    text = printed(capsys, RIGHT, "--json")
    document = json.loads(text)
    assert document["schema"] == "forgetproof/2"
    assert document["findings"] == []
    assert [c["verdict"] for c in document["documents"][0]["claims"]] == ["holds", "holds"]


@pytest.mark.parametrize(
    ("file", "strict", "code"),
    [
        (FLAT, False, 1),
        (OPEN, False, 0),
        (OPEN, True, 1),
        (CONDITIONAL, False, 0),
        (CONDITIONAL, True, 1),
        (RIGHT, True, 0),
    ],
    ids=["false", "open", "open-strict", "conditional", "conditional-strict", "right-strict"],
)
def test_exit_codes(capsys, file, strict, code):
    printed(capsys, file, *(["--strict"] if strict else []), code=code)


def test_codes_are_chosen_and_a_false_claim_stays_one(capsys):
    text = printed(capsys, FLAT, "--json", "--ignore", "FP1", code=1)
    assert {finding["code"] for finding in json.loads(text)["findings"]} == {"FP208"}
    text = printed(capsys, FLAT, "--json", "--select", "FP205", code=1)
    assert json.loads(text)["findings"] == []


def test_a_folder_is_all_its_documents_and_processes_change_nothing(capsys, tmp_path):
    folder = tmp_path / "inner"
    folder.mkdir()
    for path in (FLAT, RIGHT, CONDITIONAL):
        (folder / Path(path).name).write_bytes(Path(path).read_bytes())
    (folder / "other.json").write_text("{}")
    alone = printed(capsys, str(tmp_path), code=1)
    assert "3 documents: 5 claims: 3 holds, 1 conditional, 1 false" in alone
    assert printed(capsys, str(tmp_path), "--jobs", "2", code=1) == alone


@pytest.mark.parametrize("name", ["MECHANISM", "DOCUMENT", "Engine", "ENGINE", "made", "BOTH"])
def test_objects_are_asked_for_their_mechanism(capsys, tmp_path, name):
    path = tmp_path / "mine.py"
    path.write_text(MODULE.format(path=RIGHT))
    text = printed(capsys, f"{path}:{name}")
    assert "claims[0]  holds" in text
    assert "noise on stdout" not in text


@pytest.mark.parametrize("id", [*CODES, "fp208"])
def test_a_code_is_explained(capsys, id):
    text = printed(capsys, "--explain", id)
    assert text.startswith(f"{id.upper()} ")
    assert "mend" in text


def test_no_false_claim_is_hidden_by_a_draft(capsys, tmp_path):
    document = json.loads(Path(FLAT).read_text("utf-8"))
    document["start"] = "unknown"
    path = tmp_path / "draft.mechanism.json"
    path.write_text(json.dumps(document))
    text = printed(capsys, str(path))
    assert "claims[1]  open" in text
    assert "unknown    start\n" in text
    assert "FALSE" not in text


def edited(tmp_path, text):
    path = tmp_path / "x.mechanism.json"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "target: {}: it must be a JSON object"),
        ("[]", "target: {}: it must be a JSON object"),
        ("{", "target: {}: document must be JSON"),
        ('{"schema": 1, "schema": 1}', "target: {}: schema must be given once"),
        ('{"name": "x"}', "target: {}: schema must be given"),
        ('{"a": NaN}', "target: {}: a must be a finite number"),
    ],
)
def test_a_document_that_is_none_is_named_with_its_field(capsys, tmp_path, text, message):
    path = edited(tmp_path, text)
    assert complaint(capsys, path).startswith(message.format(path))


def test_a_field_out_of_range_is_named_by_its_path(capsys, tmp_path):
    document = json.loads(Path(FLAT).read_text("utf-8"))
    document["steps"][0]["noise"]["deviation"] = -1
    path = edited(tmp_path, json.dumps(document))
    assert "steps[0].noise.deviation must be >= 0" in complaint(capsys, path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "targets must name at least one"),
        (["nowhere.json"], "target must be a file or folder that exists"),
        ([RIGHT, "--jobs", "0"], "jobs must be an integer in [1, 256], got 0"),
        ([RIGHT, "--select", "FP9"], "select must list codes"),
        ([RIGHT, "--ignore", ""], "ignore must list codes"),
        ([RIGHT, "--sarif", "nowhere/x.sarif"], "sarif must lie in a folder that exists"),
        ([RIGHT, "--template", "nowhere.json"], "template"),
        (["--explain", "FP999"], "code must be one of FP100"),
        (["--explain", "FP100", RIGHT], "explain must stand alone"),
        (["--explain", "FP100", "--strict"], "strict must not be given with --explain"),
        (["nowhere.py:X"], "module must be a file that exists"),
        (["json:nothing"], "json must have 'nothing'"),
    ],
)
def test_a_bad_option_is_one_line(capsys, words, message):
    assert message in complaint(capsys, *words)


@pytest.mark.parametrize("name", ["NOTHING", "loop", "broken"])
def test_an_object_that_leads_to_no_mechanism_is_refused(capsys, tmp_path, name):
    path = tmp_path / "mine.py"
    path.write_text(MODULE.format(path=RIGHT))
    assert complaint(capsys, f"{path}:{name}").startswith("target")


def test_an_empty_folder_is_refused(capsys, tmp_path):
    assert complaint(capsys, str(tmp_path)).startswith("target must hold files *.mechanism.json")
