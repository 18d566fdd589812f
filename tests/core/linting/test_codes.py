"""The catalogue of diagnostics: stable, complete, and chosen by beginnings."""

import re
from pathlib import Path

import pytest

from forgetproof.linting.codes import CODES, chosen, code

ROOT = Path(__file__).resolve().parents[3]
NAMES = {
    "FP100": "claim-false",
    "FP101": "claim-open",
    "FP201": "batches",
    "FP202": "divisor",
    "FP203": "clip",
    "FP204": "noise-scale",
    "FP205": "noise-secret",
    "FP206": "steps",
    "FP207": "released",
    "FP208": "conversion",
    "FP209": "adjacency",
    "FP210": "constants",
    "FP211": "not-covered",
    "FP212": "requests",
    "FP213": "tuned",
}
"""Codes that were given away: none may get another name, and none may go."""


def test_codes_keep_their_names():
    assert {each.id: each.name for each in CODES.values()} == NAMES


def test_every_code_has_a_section_of_the_page():
    page = (ROOT / "docs" / "lint.md").read_text("utf-8")
    headings = re.findall(r"^### (FP\d+) ([\w-]+)$", page, re.M)
    assert headings == list(NAMES.items())


@pytest.mark.parametrize("id", NAMES)
def test_an_explanation_has_all_parts(id):
    lines = code(id.lower()).explained().splitlines()
    assert lines[0].startswith(f"{id} {NAMES[id]} (")
    heads = [line.split()[0] for line in lines[1:]]
    assert heads == ["compares", "matters", "mend", "rests", "examples"]
    assert all(line.strip() for line in lines)


def test_an_unknown_code_is_refused():
    with pytest.raises(ValueError, match=r"code must be one of FP100, .*got 'FP999'"):
        code("FP999")


def test_codes_are_chosen_by_beginnings():
    assert chosen(None, None) == set(NAMES)
    assert chosen("FP1", None) == {"FP100", "FP101"}
    assert chosen("fp2, FP100", "FP21") == {i for i in NAMES if i < "FP210"} - {"FP101"}


@pytest.mark.parametrize(("select", "ignore"), [("FP9", None), ("", None), (None, "FP1,,")])
def test_a_beginning_of_no_code_is_refused(select, ignore):
    option = "select" if select is not None else "ignore"
    with pytest.raises(ValueError, match=f"^{option} must list codes"):
        chosen(select, ignore)
