"""A bound of one's own against measurements: verdicts, limits, tables, and what is refused."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from forgetproof.inequality import BoundMeasurements, Over, OwnBound, judge
from forgetproof.inequality.table import from_table
from forgetproof.inequality.verdict import shown_share
from forgetproof.testing import assert_bound_holds

SHRINK = "W*c**K + s*(1-c**K)/(1-c)"
GIVEN = {"W": 1, "c": 0.9, "s": 0.01}
NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)


def saved(tmp_path, text):
    path = tmp_path / "run.csv"
    path.write_text(text)
    return path


def measured(values, **more):
    """Values at K = 1, 2, ..., that count as they stand."""
    points = np.arange(1.0, len(values) + 1)
    nothing = np.zeros(len(values))
    found = {"basis": "exact", "error": nothing, "trials": nothing + np.inf, "rounding": nothing}
    found |= {"constants": {"K": points}, **more}
    return BoundMeasurements("a run", "distance", points, np.array(values, dtype=float), **found)


def verdict(values, text=SHRINK, relation="<=", named=GIVEN, level=1e-6, **more):
    run = measured(values, **more)
    over = Over("K", 1, len(run.values))
    return judge(OwnBound(text, relation, dict(named)), over, run, level=level)


def shrinking(factor=1.0):
    return [factor * (0.9**K + 0.01 * (1 - 0.9**K) / 0.1) for K in range(1, 51)]


def test_a_bound_that_is_attained_is_not_refuted_and_98_per_cent_of_it_is_false():
    found = verdict(shrinking())
    assert (found.word, found.words) == ("not refuted", ["not refuted"] * 50)
    assert abs(found.relative_slack[found.closest]) < 1e-12
    found = verdict(shrinking(), f".98*({SHRINK})")
    assert (found.word, found.words) == ("false", ["false"] * 50)
    assert found.attainment == pytest.approx(1 / 0.98, rel=1e-12)


@given(
    rows=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=8),
    relation=st.sampled_from(["<=", ">=", "=="]),
)
def test_a_verdict_is_that_of_the_assertion(rows, relation):
    values, limits = np.array(rows).T
    run = measured(values, constants={"K": np.arange(1.0, len(rows) + 1), "B": limits})
    found = judge(OwnBound("B", relation, {}), Over("K", 1, len(rows)), run)
    try:
        assert_bound_holds(values, limits, relation=relation)
    except AssertionError:
        assert found.word == "false"
    else:
        assert found.word == "not refuted"
    signs = {"<=": limits - values, ">=": values - limits, "==": -np.abs(values - limits)}
    assert np.array_equal(found.slack, signs[relation])


@pytest.mark.parametrize("relation", ["<=", ">="])
def test_a_mean_breaks_a_bound_where_its_confidence_limit_does(relation):
    sign = 1 if relation == "<=" else -1
    trials, error, level = 12.0, 0.1, 1e-3
    room = stats.t.isf(level / 2, trials - 1) * error
    for factor, word in ((1.0001, "false"), (0.9999, "not refuted")):
        found = verdict(
            [1 + sign * factor * room, 1],
            "1",
            relation,
            {},
            level,
            basis="mean",
            error=np.full(2, error),
            trials=np.full(2, trials),
        )
        assert found.word == word
        assert found.words[1] == "not refuted"


def test_means_of_unknown_trials_have_normal_limits_and_equalities_two_sides():
    error, level = 0.1, 1e-3
    for value, word in ((3.3, "false"), (3.2, "not refuted"), (-3.3, "false")):
        # The quantile of a quarter of the level: two points, two sides.
        assert 3.2 < stats.norm.isf(level / 2) < 3.3
        found = verdict(
            [value * error], "0", "==", {}, level, basis="mean", error=np.array([error])
        )
        assert found.word == word


def test_one_trial_says_nothing():
    few = {"basis": "mean", "error": np.array([0.0, 0.1]), "trials": np.array([1.0, 5.0])}
    assert verdict([9, 0], "1", named={}, **few).words == ["says nothing", "not refuted"]
    with pytest.raises(ValueError, match="a point that says something"):
        verdict([9], "1", named={}, basis="mean", error=np.zeros(1), trials=np.ones(1))


def test_what_is_at_rounding_says_nothing():
    found = verdict([1e-12, 1], "0*K", ">=", {}, rounding=np.full(2, 1e-9))
    assert found.words == ["says nothing", "not refuted"]
    found = verdict([9e-10, 0], "-9e-10", named={}, rounding=np.array([1e-9, 0]))
    assert found.words == ["says nothing", "false"]


def test_rounding_alone_breaks_no_bound():
    assert verdict([1 + 1e-7], "1", named={}, rounding=np.full(1, 2e-7)).word == "not refuted"
    assert verdict([1 + 3e-7], "1", named={}, rounding=np.full(1, 2e-7)).word == "false"


def test_a_lower_limit_breaks_upper_bounds_alone():
    found = verdict([2], "1", named={}, basis="lower limit")
    assert (found.word, found.high.tolist()) == ("false", [math.inf])
    with pytest.raises(ValueError, match="relation must be <="):
        verdict([2], "1", ">=", {}, basis="lower limit")


@pytest.mark.parametrize(
    ("text", "named", "message"),
    [
        ("W*c**K", {"W": 1}, "c must be given, as c=VALUE"),
        ("1/(K-2)", {}, "finite number at every point, got '1/\\(K-2\\)' at K = 2"),
        ("log(1-K)", {}, "finite number at every point"),
        ("(-1)**(K/2)", {}, "bound must be a number at every point|finite number"),
        ("[K]", {}, "bound must be a number at every point"),
        ("K if K else 1", {}, "must be"),
    ],
    ids=["unknown", "pole", "logarithm", "complex", "list", "condition"],
)
def test_a_bound_without_a_value_is_refused(text, named, message):
    with pytest.raises(ValueError, match=message):
        verdict([1, 2, 3], text, named=named)


def test_the_worst_point_is_one_that_fails():
    found = verdict([3, 2], "1", named={}, basis="mean", error=np.array([9, 0.1]))
    assert (found.words, found.closest) == (["not refuted", "false"], 1)


def test_a_value_that_is_given_comes_before_one_that_the_run_knows():
    constants = {"K": np.array([1.0]), "c": 0.5}
    assert verdict([0.6], "c**K", named={"c": 0.9}, constants=constants).word == "not refuted"
    found = verdict([0.6], "c**K", named={}, constants=constants)
    assert (found.word, found.of_the_run) == ("false", {"c": 0.5})


def test_names_are_those_of_the_expression():
    bound = OwnBound(SHRINK, "<=", {**GIVEN, "d": 3.0})
    with pytest.raises(ValueError, match=r"^d must stand in"):
        bound.insist_on_names("K")
    with pytest.raises(ValueError, match=r"^K must be left to --over"):
        OwnBound(SHRINK, "<=", {"K": 3.0}).insist_on_names("K")
    with pytest.raises(ValueError, match=r"^c must be a number"):
        OwnBound(SHRINK, "<=", {"c": [1]}).insist_on_names("K")
    with pytest.raises(ValueError, match=r"^bound must have its powers written \*\*"):
        OwnBound("W*c^K", "<=", {}).insist_on_names("K")
    with pytest.raises(ValueError, match=r"^bound must be an expression"):
        OwnBound("W*", "<=", {}).insist_on_names("K")
    assert bound.lacking({"K": 1}) == []
    assert OwnBound("min(a, inf) + pi + exp(b)", "<=", {}).lacking({}) == ["a", "b"]


@pytest.mark.parametrize(
    "text", ["", "K", "K=", "K=1", "K=1:", "K=:5", "K=5:1", "1=1:5", "K=a:b", "K=nan:1", "=1:2"]
)
def test_a_range_of_another_form_is_refused(text):
    with pytest.raises(ValueError, match=r"^over must"):
        Over.parsed(text)


def test_a_range_has_its_ends():
    over = Over.parsed("eta=1/4:2*sqrt(4)")
    assert (over.variable, over.low, over.high) == ("eta", 0.25, 4.0)
    inside = over.contains(np.array([0.2, 0.25, 1, 4, 4.1]))
    assert inside.tolist() == [False, True, True, True, False]
    with pytest.raises(ValueError, match="whole numbers"):
        _ = over.wholes
    assert Over.parsed("K=2:4").wholes.tolist() == [2, 3, 4]
    with pytest.raises(ValueError, match="at most"):
        _ = Over.parsed("K=1:1e9").wholes


def test_a_file_has_its_rows_in_the_order_of_the_points(tmp_path):
    path = saved(tmp_path, "note,distance,K\nb,4,2\na,5,1\nc,1,9\n")
    found = from_table(path, Over("K", 1, 4), "distance", False)
    assert (found.points.tolist(), found.values.tolist()) == ([1, 2], [5, 4])
    assert (found.basis, found.quantity) == ("exact", "distance")
    assert found.remarks == (
        f"1 rows of {path} lie outside K=1:4",
        "2 whole numbers of K=1:4 have no row, and no verdict",
    )


def test_rows_of_one_point_are_trials(tmp_path):
    path = saved(tmp_path, "K,trial,x\n1,0,1\n1,1,2\n1,2,6\n2,0,4\n2,1,4\n2,2,4\n")
    found = from_table(path, Over("K", 1, 2), None, False)
    assert found.basis == "mean"
    assert found.values.tolist() == pytest.approx([3, 4])
    deviation = np.std([1, 2, 6], ddof=1)
    # Trials that agree at one point are not taken to be without spread.
    assert found.error.tolist() == pytest.approx([deviation / math.sqrt(3)] * 2)
    assert found.trials.tolist() == [3, 3]
    every = from_table(path, Over("K", 1, 2), None, True)
    assert (every.basis, every.values.tolist()) == ("exact", [1, 2, 6, 4, 4, 4])


def test_a_column_of_errors_makes_means(tmp_path):
    path = saved(tmp_path, "K,x,standard_error,trials\n1,2,0.5,9\n")
    found = from_table(path, Over("K", 1, 1), None, False)
    assert (found.basis, found.error.tolist(), found.trials.tolist()) == ("mean", [0.5], [9])
    path = saved(tmp_path, "K,x,se\n1,2,0.5\n")
    assert from_table(path, Over("K", 1, 1), None, False).trials.tolist() == [math.inf]


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("T,x\n1,2\n", None, "must have a column K, got the header T,x"),
        ("K,x,y\n1,2,3\n", None, "must have one column of values, or --column NAME, got x, y"),
        ("K,x,y\n1,2,3\n", "z", "column of .* must be one of x, y, got 'z'"),
        ("K,x\n1,2\n", "K", "column of .* must be one of x, got 'K'"),
        ("K\n1\n", None, "or --column NAME, got none"),
        ("K,x,x\n1,2,3\n", None, "different names"),
        ("K,x\n1,word\n", None, "line 2, column x must be a finite number, got 'word'"),
        ("K,x\n1,nan\n", None, "column x must be a finite number"),
        ("K,x\n", None, "at least one row"),
        ("K,x\n9,1\n", None, "over must have points of"),
        ("K,x\n1\n", None, "must be 2 cells, K,x"),
        ("K,x,trials\n1,2,3\n", None, "must have a column standard_error beside trials"),
        ("K,x,se\n1,2,3\n1,2,3\n", None, "must have one row a K beside se"),
        ("K,x,se\n1,2,-3\n", None, "column se must be a finite number >= 0"),
        ("", None, "must have a column K"),
        ('K,"x\n', None, "must be CSV"),
    ],
    ids=lambda value: None,
)
def test_a_file_that_cannot_be_used_is_refused(tmp_path, text, column, message):
    with pytest.raises(ValueError, match=message):
        from_table(saved(tmp_path, text), Over("K", 1, 2), column, False)


def test_shares_are_told_from_one():
    assert shown_share(0.9) == "90 %"
    assert shown_share(0.9999) == "99.99 %"
    assert shown_share(1.0) == "100 %"
    assert shown_share(1.00001) == "100.001 %"
