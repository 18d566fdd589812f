"""Edits of source texts, and a run that tells those that checks notice from those they do not."""

import ast

import pytest

from forgetproof.cli import run
from verify.mutation.curve import first_departure
from verify.mutation.operators import KINDS, mutated, sites

SOURCE = '''
def value(a, b, x):
    """Not 1, but 2."""
    if not a > 0:
        raise ValueError(f"a must be > {0}")
    real("a", a, low=3)
    if not b > 0:
        worst = min(b)
        raise ValueError(f"b must be > 0, got {worst - 1}")
    return max(a**b - 2 * x[0], f(x[1:], b)) if a < b else -a


class Setting:
    def __post_init__(self):
        late = self.a > self.b - 1
        if late:
            raise ValueError("late")


def same(n):
    return settings(n, n)


def _(sp, a):
    return a + 1
'''


def test_every_kind_of_edit_is_found_and_nothing_that_does_not_compute():
    found = sites(SOURCE)
    assert {s.kind for s in found} == set(KINDS)
    assert all(s.function == "value" for s in found)
    edits = {(s.before, s.after) for s in found}
    assert edits == {
        ("max(a ** b - 2 * x[0], f(x[1:], b))", "min(a ** b - 2 * x[0], f(x[1:], b))"),
        ("a ** b - 2 * x[0]", "a ** b + 2 * x[0]"),
        ("a ** b - 2 * x[0]", "2 * x[0] - a ** b"),
        ("a ** b", "a ** (b + 1)"),
        ("a ** b", "b ** a"),
        ("2 * x[0]", "2 / x[0]"),
        ("2", "3"),
        ("x[0]", "x[-1]"),
        ("f(x[1:], b)", "f(b, x[1:])"),
        ("x[1:]", "x[2:]"),
        ("a < b", "a >= b"),
        ("-a", "a"),
    }


def test_a_sign_that_cannot_matter_is_not_turned():
    found = sites("def f(a, b):\n    return abs(a - b) + norm(a - b, -a) ** (a - b) * (-b) ** 2")
    turned = [(s.before, s.after) for s in found if s.kind in ("sign", "order")]
    assert turned.count(("a - b", "b - a")) == 1  # of three: the exponent's
    assert ("-b", "b") not in turned


def test_what_only_gives_a_shape_and_what_has_no_order_is_left_alone():
    found = sites("def f(a, b):\n    return 0 * (a - b) * b + ones_like(a * b) + g(a, a)")
    assert {s.before for s in found if s.kind in ("order", "operator", "constant")} == {
        "0",
        "0 * (a - b) * b + ones_like(a * b)",
        "0 * (a - b) * b + ones_like(a * b) + g(a, a)",
    }


def test_an_edited_text_differs_in_that_place_only():
    base = ast.unparse(ast.parse(SOURCE))
    texts = {mutated(SOURCE, site) for site in sites(SOURCE)}
    assert len(texts) == len(sites(SOURCE))
    for text in texts:
        changed = [
            (a, b) for a, b in zip(base.splitlines(), text.splitlines(), strict=True) if a != b
        ]
        assert len(changed) == 1


def test_a_site_of_another_text_is_refused():
    (first, *_) = sites(SOURCE)
    with pytest.raises(ValueError, match="site must stand in the source"):
        mutated("def value(): return 1", first)


def test_the_shipped_curve_is_what_its_rules_ask_for():
    """Else every edit of an accountant would pass for noticed."""
    assert first_departure() is None


@pytest.mark.parametrize("option", ["--sensitivity", "--scale=2", "--profile=full"])
def test_options_that_mutants_do_not_use_are_refused(capsys, tmp_path, option):
    assert run(["verify", "--mutants", "--paper", "nope", option, "--out", str(tmp_path)]) == 2
    name = option.partition("=")[0]
    assert capsys.readouterr().err == (
        f"forgetproof: mutants must be run without {name}, which they do not use\n"
    )
