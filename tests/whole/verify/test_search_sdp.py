"""Worst cases by semidefinite programs, beside the papers' bounds."""

from verify.search import worst_case


def test_the_table_agrees_and_would_say_so_if_it_did_not():
    rows = list(worst_case.certificates())
    assert len({row.formula for row in rows}) >= 4
    assert all(row.agrees for row in rows)
    row = rows[0]
    wrong = worst_case.WorstCase(row.subject, row.formula, row.value, row.value * 0.999, True)
    slack = worst_case.WorstCase(row.subject, row.formula, row.value, row.value * 1.001, True)
    assert not wrong.agrees
    assert not slack.agrees
    assert worst_case.WorstCase("", "", row.value, row.value * 2, False).agrees
