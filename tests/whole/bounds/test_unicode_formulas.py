"""Every formula of the registry as a line of Unicode, which is read back and computes the same."""

import re
from dataclasses import replace

import pytest
from hypothesis import settings

import bounds
from bounds import unicode_signs as signs
from bounds.unicode_formulas import unicode_formula, unicode_words
from verify.tex import witness
from verify.tex.listed import listed

FORMS = [
    (statement.id, name)
    for paper in bounds.papers()
    if not paper.foreign
    for statement in bounds.statements(paper.key)
    for name in statement.forms
]
LISTED = [
    (id, name)
    for paper in bounds.papers()
    if not paper.foreign
    for id, names in listed(paper).items()
    for name in names
]
# Two sides that a quad parts; sums whose upper end lies below the lower one.
READ_OTHERWISE = {
    ("olu.rdp2dp", "printed"),
    ("hf.eq39", "printed"),
    ("hf.eq39", "corrected"),
}
EVERY = 6
WHOLE = settings.default is settings.get_profile("full")

UP = {sign: letter for letter, sign in signs.SUPERSCRIPTS.items() if letter not in "*′"}
DOWN = {sign: letter for letter, sign in signs.SUBSCRIPTS.items()}
COMMANDS = {
    sign: f"\\{command} "
    for table in (signs.RELATIONS, signs.OPERATORS, signs.PRODUCTS, signs.LETTERS, signs.LARGE)
    for command, sign in reversed(table.items())
    if sign not in "*#%&_|"
}
COMMANDS |= {"⌈": r"\lceil ", "⌉": r"\rceil ", "⌊": r"\lfloor ", "⌋": r"\rfloor ", "‖": r"\|"}
COMMANDS |= {"𝔼": r"\mathbb{E} ", "ℙ": r"\mathbb{P} ", "ℝ": r"\mathbb{R} ", "′": "'"}
MARKS = {"\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u0307": "dot", "\u0308": "ddot"}


def tex(line):
    """TeX of a line of Unicode, sign by sign."""
    low, high = "".join(DOWN), re.escape("".join(UP))
    line = re.sub(
        "(\\w)([\u0302-\u0308])",
        lambda m: f"\\{MARKS[m[2]]}{{{COMMANDS.get(m[1], m[1]).strip()}}}",
        line,
    )
    line = re.sub(rf"√(\w[{low}]*)", r"√(\1)", line)
    # A star beside a letter is a mark.
    line = re.sub(rf"(?<=[\w{low}′‖|)\]])\*", "^*", line)
    line = re.sub(r"(max|min)\{(.*)\}", r"\1\\{\2\\}", line)
    line = re.sub(f"[{high}]+", lambda m: f"^{{{''.join(UP[each] for each in m[0])}}}", line)
    line = re.sub(f"[{low}]+", lambda m: f"_{{{''.join(DOWN[each] for each in m[0])}}}", line)
    line = braced(braced(line, "^"), "√").replace("√", r"\sqrt").replace("∛", r"\sqrt[3]")
    line = "".join(COMMANDS.get(each, each) for each in line)
    words = "|".join(sorted(signs.WORDS, key=len, reverse=True))
    return re.sub(rf"(?<![A-Za-z\\])({words})(?![A-Za-z])", r"\\\1 ", line)


def braced(line, sign):
    """The brackets after the sign in braces, of an exponent besides its own."""
    start = line.find(sign + "(")
    if start < 0:
        return line
    depth = 0
    for end in range(start + 1, len(line)):
        depth += (line[end] == "(") - (line[end] == ")")
        if not depth:
            break
    inside = braced(line[start + 2 : end], sign)
    inside = f"({inside})" if sign == "^" else inside
    return line[: start + 1] + "{" + inside + "}" + braced(line[end + 1 :], sign)


def test_every_formula_and_left_side_has_a_line():
    lines = [unicode_formula(bounds.get(id)[name].tex) for id, name in FORMS]
    lines += [unicode_formula(s.left) for s in bounds.statements() if s.left]
    assert len(lines) > 1000
    for line in lines:
        assert line
        assert not set(line) & set("\\$")
        assert "  " not in line
    assert max(map(len, lines)) < 200


@pytest.mark.parametrize("place", range(EVERY))
def test_a_line_read_back_computes_the_same(place):
    if place and not WHOLE:
        pytest.skip("every sixth formula; all of them in the full profile")
    differing, unread = {}, []
    chosen = LISTED[place::EVERY]
    for id, name in chosen:
        form = bounds.get(id)[name]
        line = unicode_formula(form.tex)
        outcome = witness(replace(form, tex=tex(line)))
        if outcome.word == "differs":
            differing[id, name] = (outcome.reason, line, tex(line))
        elif outcome.word == "unread":
            unread.append((id, name))
    assert differing.keys() <= READ_OTHERWISE, differing
    # A name that is known by its TeX alone, a set, or the cases of a form: nothing of the line.
    assert len(unread) <= 0.13 * len(chosen), unread


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (r"\frac{\alpha}{2}\Big(1-\frac1J\Big)", "α/2 · (1 - 1/J)"),
        (r"\frac32\ln(1-x)", "3/2 · ln(1 - x)"),
        (r"\frac{\ln\frac1\delta}{\epsilon}", "ln(1/δ)/ε"),
        (r"\sqrt{2\eta}\,\sigma", "√(2η)·σ"),
        (r"\sqrt{n_i}k", "√nᵢ·k"),
        (r"\rho^T\frac{2M}{\lambda}", "ρ^T · 2M/λ"),
        (r"x^\top y^T z", "xᵀy^T·z"),
        (r"Z_{\mathcal B}c^{KJ}", "Z_B·cᴷᴶ"),
        (r"\frac{a}{bc}d", "a/(bc) · d"),
        (r"\sum_{i=1}^T\frac1i", "∑ᵢ₌₁^T 1/i"),
        (r"2\cdot3", "2·3"),
        (r"-\tfrac12", "-1/2"),
        (r"\|\mathbf w_{t-1}\|^2", "‖wₜ₋₁‖²"),
        (r"\min\{|a|,|b|\}\le1", "min{|a|, |b|} ≤ 1"),
        (r"\hat{\mathbf{w}}^{-U}", "w\u0302⁻ᵁ"),
        (r"\text{at most } n", "at most n"),
        (r"f=\begin{cases}1&x<0\\2&\text{if }x\ge0\end{cases}", "f = {1 if x < 0; 2 if x ≥ 0}"),
        (r"(a/b)^{c}", "(a/b)ᶜ"),
        (r"\frac{a}{b}^2", "(a/b)²"),
    ],
)
def test_lines(source, line):
    assert unicode_formula(source) == line


@pytest.mark.parametrize("source", [r"\unknown x", r"\frac{a}", r"\sqrt{a", "{a"])
def test_what_has_no_line_is_refused(source):
    with pytest.raises(ValueError, match="tex must"):
        unicode_formula(source)


def test_words():
    text = "alpha <= 2 and sigma_1^2 * x of sqrt(n), for $\\rho^T$ and lambda_max; a $ alone"
    assert unicode_words("D <= 2 L^2/(mu t), eps > 0") == "D ≤ 2 L²/(μ t), ε > 0"
    assert unicode_words(text.partition(";")[0]).startswith("α ≤ 2 and σ₁² * x of √n, for ρ^T")
    assert unicode_words("costs 1 $ in all") == "costs 1 $ in all"
