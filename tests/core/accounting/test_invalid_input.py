"""Values outside the range of each public function's arguments: refused by name, with the range.

What is no number at all, and the ends of the floats, is tried by tests/core/invalid_input.
"""

import inspect
import math

import pytest

import accounting
from accounting import DeletionSchedule, NoisySGD, OnlineDescent, RenyiCurve

SETTING = NoisySGD(6, 2, 1.0, 0.5, 1.0, 0.8, 2.0)
CURVE = RenyiCurve.linear(0.1)
NEGATIVE = [-1.0, -math.inf]
POSITIVE = [*NEGATIVE, 0.0]
FINITE = [*POSITIVE, math.inf]
UNIT = [*FINITE, 1.0, 1.5]
WHOLE = [*NEGATIVE, 1.5]
COUNT = [*NEGATIVE, 1.5, math.inf]
SCALARLY = [[0.5, 0.5]]
SGD = {"setting": SETTING, "sigma": 0.3, "unlearn_epochs": 1}
SGD_BAD = {
    "setting": [None, 3, "x"],
    "sigma": FINITE,
    "unlearn_epochs": [*COUNT, *SCALARLY],
    "learn_epochs": [0, -1, 1.5, "x", math.nan, True],
    "target": [None, "t", 3],
    "position": [-1, 3, 1.5, "x", math.nan, True],
    "initial": [None, "x", 3],
}
FORM = {"contraction": 0.5, "sensitivity": 1.0, "noise": 1.0, "batches": 3}
FORM_BAD = {
    "contraction": [*NEGATIVE, 1.5, math.inf],
    "sensitivity": [*NEGATIVE, math.inf],
    "noise": FINITE,
    "batches": [*COUNT, 0],
}
PLACE = {"position": [-1, 3, 1.5, "x", math.nan, True]}
CHAIN = {"contraction": [0.5, 0.5], "shift": [1.0, 0.0], "noise": [1.0, 1.0]}
CHAIN_BAD = {
    "contraction": [*NEGATIVE, math.inf, [[0.5]], [0.5, 0.5, 0.5]],
    "shift": [*NEGATIVE, math.inf, [1.0, 1.0, 1.0]],
    "noise": [*NEGATIVE, math.inf, [1.0, 1.0, 1.0]],
    "initial_distance": [*NEGATIVE, *SCALARLY],
    "diameter": [*NEGATIVE, *SCALARLY],
}
PRIVACY = {"epsilon": 1.0, "delta": 1e-5}
PRIVACY_BAD = {"epsilon": [*NEGATIVE, math.inf], "delta": UNIT}
RHO = ({"rho": 0.1, "delta": 1e-5}, {"rho": [*NEGATIVE, math.inf], "delta": UNIT})
DROP_NONE = {"delta", "log_delta", "position", "positions", "learn_epochs", "p", "gap"}

DESCENT, SCHEDULE = OnlineDescent(0.5, 2.0, 1.0, 0.3), DeletionSchedule([1, 2], [3, 5])
DELETIONS = {"descent": DESCENT, "schedule": SCHEDULE}
DELETIONS_BAD = {"descent": [None, 3, SCHEDULE], "schedule": [None, 3, DESCENT]}
LOGS_BAD = [math.inf, [[0.0]]]

RHO_EPSILON = ({"rho": 0.1, "epsilon": 1.0}, {"rho": [*NEGATIVE, math.inf], "epsilon": NEGATIVE})
CASES = {
    "delta_gdp": ({"mu": 1.0, "epsilon": 1.0}, {"mu": NEGATIVE, "epsilon": NEGATIVE}),
    "log_delta_gdp": ({"mu": 1.0, "epsilon": 1.0}, {"mu": NEGATIVE, "epsilon": NEGATIVE}),
    "epsilon_gdp": ({"mu": 1.0, "delta": 0.1}, {"mu": NEGATIVE, "delta": UNIT}),
    "mu_gdp": (PRIVACY, PRIVACY_BAD),
    "tradeoff_gdp": ({"mu": 1.0, "type_i": 0.1}, {"mu": NEGATIVE, "type_i": [*NEGATIVE, 1.1]}),
    "renyi_gdp": ({"mu": 1.0, "alpha": 2.0}, {"mu": NEGATIVE, "alpha": [*NEGATIVE, 0.5]}),
    "epsilon_mironov": RHO,
    "epsilon_weak_triangle": RHO,
    "epsilon_cks": RHO,
    "epsilon_gaussian": RHO,
    "epsilon_optimal": RHO,
    "delta_optimal": RHO_EPSILON,
    "log_delta_optimal": RHO_EPSILON,
    "rho_mironov": (PRIVACY, PRIVACY_BAD),
    "rho_weak_triangle": (PRIVACY, PRIVACY_BAD),
    "rho_cks": (PRIVACY, PRIVACY_BAD),
    "rho_gaussian": (PRIVACY, PRIVACY_BAD),
    "rho_optimal": (PRIVACY, PRIVACY_BAD),
    "RenyiCurve": (
        {"kind": "linear", "rho": 0.1},
        {
            "kind": ["x", None, 3, "general"],
            "rho": [*NEGATIVE, math.inf],
            "function": [3, abs],
            "low": [*NEGATIVE, 0.5, math.inf],
            "high": [*NEGATIVE, 1.0],
        },
    ),
    "group": ({"curve": CURVE, "k": 2}, {"curve": [None, 3], "k": [*COUNT, 0]}),
    "weak_triangle": (
        {"curve1": CURVE, "curve2": CURVE, "alpha": 2.0},
        {"curve1": [None, 3], "curve2": [None, 3], "alpha": [*FINITE, 1.0], "p": [1.0, math.nan]},
    ),
    "to_epsilon": (
        {"curve": CURVE, "delta": 1e-5},
        {"curve": [None, 3], "delta": [*UNIT, *SCALARLY], "conversion": ["x", None, 3]},
    ),
    "pabi_mu": (CHAIN, CHAIN_BAD),
    "pabi_allocation": (CHAIN, CHAIN_BAD),
    "NoisyContraction": (CHAIN, CHAIN_BAD),
    "geometric_sum": (
        {"contraction": 0.5, "steps": 3},
        {"contraction": FORM_BAD["contraction"], "steps": WHOLE, "gap": [0.4, "x", math.nan]},
    ),
    "distance_learning": (
        {"contraction": 0.5, "sensitivity": 1.0, "batches": 3},
        {k: FORM_BAD[k] for k in ("contraction", "sensitivity", "batches")}
        | {"learn_epochs": WHOLE, "diameter": NEGATIVE}
        | PLACE,
    ),
    "mu_same_updates": (
        {"distance": 1.0, "contraction": 0.5, "noise": 1.0, "steps": 3},
        {"distance": [*NEGATIVE, math.inf], "steps": [*WHOLE, 0, math.inf], "noise": FINITE},
    ),
    "mu_target_t_plus_k": (
        FORM | {"learn_epochs": 2, "unlearn_epochs": 1},
        FORM_BAD | PLACE | {"learn_epochs": [*WHOLE, 0], "unlearn_epochs": [*WHOLE, 0, math.inf]},
    ),
    "mu_stationary": (
        FORM | {"unlearn_epochs": 1},
        FORM_BAD | PLACE | {"unlearn_epochs": [*WHOLE, 0, math.inf], "contraction": [1.0]},
    ),
    "mu_stationary_bounded": (
        FORM | {"unlearn_epochs": 1, "diameter": 2.0},
        FORM_BAD | PLACE | {"unlearn_epochs": [*WHOLE, 0], "diameter": [*NEGATIVE, math.inf]},
    ),
    "mu_target_t": (
        FORM | {"learn_epochs": 2, "unlearn_epochs": 1, "initial_distance": 3.0},
        FORM_BAD
        | PLACE
        | {
            "learn_epochs": [*WHOLE, 0],
            "unlearn_epochs": [*WHOLE, 0],
            "initial_distance": NEGATIVE,
        },
    ),
    "mu_convex_target_t_plus_k": (
        {"sensitivity": 1.0, "noise": 1.0, "batches": 3, "learn_epochs": 2, "unlearn_epochs": 1},
        {"sensitivity": FORM_BAD["sensitivity"], "noise": FINITE, "batches": FORM_BAD["batches"]}
        | PLACE,
    ),
    "mu_convex_stationary": (
        {"sensitivity": 1.0, "noise": 1.0, "batches": 3, "unlearn_epochs": 2, "diameter": 1.0},
        {"sensitivity": FORM_BAD["sensitivity"], "noise": FINITE, "diameter": NEGATIVE} | PLACE,
    ),
    "mu_sequence": (
        FORM | {"epochs": [1, 2]},
        FORM_BAD | {"epochs": [*WHOLE, 0, [[1]]], "positions": [3, -1, "x", [0, 0, 0]]},
    ),
    "sequence_distances": (
        {"contraction": 0.5, "sensitivity": 1.0, "batches": 3, "epochs": [1, 2]},
        {"epochs": [*WHOLE, 0, [[1]]], "diameter": NEGATIVE, "contraction": [1.0, [0.5, 0.5]]},
    ),
    "mu_batch": (
        FORM | {"hits": {0: 1}, "unlearn_epochs": 1},
        FORM_BAD
        | {
            "hits": [None, 3, {}, {3: 1}, {0: 0}, {0: 1.5}, {"a": 1}],
            "unlearn_epochs": [*WHOLE, 0],
            "learn_epochs": [*WHOLE, 0],
        },
    ),
    "NoisySGD": (
        {"n": 6, "batch_size": 2, "smoothness": 1.0, "strong_convexity": 0.5, "lipschitz": 1.0},
        {
            "n": [*COUNT, 0, 7],
            "batch_size": [*COUNT, 0, 4, 12],
            "smoothness": [*FINITE, 0.4, [1.0, 1.0]],
            "strong_convexity": [*NEGATIVE, 1.1, math.inf, [0.5, 0.5]],
            "lipschitz": [*FINITE, [1.0, 1.0]],
            "step_size": [0.0, -1.0, math.nan, 2 / 1.5 * 1.0001, "x", True, math.inf],
            "radius": POSITIVE,
            "hypothesis": ["x", None, 3, "lipschitz"],
        },
    ),
    "schedule": (SGD, SGD_BAD | {"sigma": [*FINITE, *SCALARLY]}),
    "mu_unlearning": (SGD, SGD_BAD),
    "position_mus": (
        {"setting": SETTING, "unlearn_epochs": 1},
        {k: SGD_BAD[k] for k in ("setting", "unlearn_epochs", "target", "learn_epochs")},
    ),
    "log_delta_mixture": (
        {"mus": [1.0, 2.0], "epsilon": 1.0},
        {"mus": [*NEGATIVE, 1.0, [[1.0]]], "epsilon": NEGATIVE},
    ),
    "sigma_mixture": (
        {"mus": [1.0, 2.0], "epsilon": 1.0, "delta": 0.1},
        {"mus": [*NEGATIVE, 1.0], "epsilon": [*NEGATIVE, *SCALARLY], "delta": [*UNIT, *SCALARLY]},
    ),
    "epsilon_mixture": (
        {"mus": [1.0, 2.0], "delta": 0.1},
        {"mus": [*NEGATIVE, 1.0], "delta": [*UNIT, *SCALARLY]},
    ),
    "delta_random_position": (
        SGD | {"epsilon": 1.0},
        {k: v for k, v in SGD_BAD.items() if k != "position"} | {"epsilon": NEGATIVE},
    ),
    "epsilon_random_position": (
        SGD | {"delta": 0.1},
        {k: v for k, v in SGD_BAD.items() if k != "position"}
        | {"delta": UNIT, "sigma": [*FINITE, *SCALARLY]},
    ),
    "least_sigma": (
        PRIVACY | {"setting": SETTING, "unlearn_epochs": 1},
        PRIVACY_BAD | {k: v for k, v in SGD_BAD.items() if k != "sigma"},
    ),
    "least_unlearning_epochs": (
        PRIVACY | {"setting": SETTING, "sigma": 0.3},
        {k: [*v, *SCALARLY] for k, v in PRIVACY_BAD.items()}
        | {k: v for k, v in SGD_BAD.items() if k != "unlearn_epochs"}
        | {"sigma": [*FINITE, *SCALARLY]},
    ),
    "epsilon_unlearning": (SGD | {"delta": 1e-5}, SGD_BAD | {"delta": UNIT}),
    "least_noise": (
        {"privacy": lambda s: 1 / s, "target": 1.0},
        {
            "privacy": [None, 3, lambda s: math.nan, lambda s: "x", lambda s: None],
            "target": [*FINITE, *SCALARLY],
            "start": FINITE,
        },
    ),
    "least_epochs": (
        {"privacy": lambda k: 1 / (k + 1), "target": 0.5},
        {
            "privacy": [None, 3, lambda k: math.nan, lambda k: "x", lambda k: [1.0, 2.0]],
            "target": [*NEGATIVE, math.inf],
            "low": [*COUNT, 2**60],
            "high": COUNT,
        },
    ),
    "OnlineDescent": (
        {"strong_convexity": 0.5, "smoothness": 1.0, "lipschitz": 1.0, "step_size": 0.3},
        {
            "strong_convexity": [*NEGATIVE, math.inf, 1.5, *SCALARLY],
            "smoothness": [*NEGATIVE, math.inf, 0.4, *SCALARLY],
            "lipschitz": [*NEGATIVE, math.inf, *SCALARLY],
            "step_size": [*FINITE, [[0.5]]],
            "diameter": [*POSITIVE, *SCALARLY],
        },
    ),
    "inverse_time": ({"strong_convexity": 0.5}, {"strong_convexity": [*FINITE, *SCALARLY]}),
    "inverse_root": (
        {"diameter": 1.0, "lipschitz": 2.0},
        {"diameter": [*FINITE, *SCALARLY], "lipschitz": [*FINITE, *SCALARLY]},
    ),
    "DeletionSchedule": (
        {"indices": [1, 2], "times": [3, 5]},
        {
            "indices": [*COUNT, 0, [[1, 2]], [1], 2**70],
            "times": [*COUNT, 0, [[3, 5]], [3], [5, 3], [1, 5], [3, 2**40], 2**70],
            "convention": [None, "D", 3, "c"],
        },
    ),
    "transport": (DELETIONS, DELETIONS_BAD),
    "least_deletion_noise": (
        DELETIONS | {"rho": 0.1},
        DELETIONS_BAD | {"rho": [*FINITE, *SCALARLY, 1e301]},
    ),
    "minimal_noise": (
        {"log_shifts": [0.0], "log_factors": [0.0], "rho": 0.1},
        {
            "log_shifts": [*LOGS_BAD, [0.0, 0.0]],
            "log_factors": [*LOGS_BAD, [0.0, 0.0]],
            "rho": [*FINITE, *SCALARLY],
        },
    ),
    "allocated_noise": (
        {"log_shifts": [0.0], "rho": 0.1},
        {
            "log_shifts": LOGS_BAD,
            "rho": [*FINITE, *SCALARLY],
            "omega": [*FINITE, 1.0, 0.5, *SCALARLY],
        },
    ),
    "deletion_mus": (
        DELETIONS | {"sigma": 0.1},
        DELETIONS_BAD | {"sigma": [*NEGATIVE, math.inf, [0.1] * 3, [[0.1, 0.1]]]},
    ),
    "DeletionAccountant": (
        {"descent": DESCENT, "rho": 0.1},
        {"descent": [None, 3], "rho": [*FINITE, *SCALARLY], "convention": [None, "D", 3]},
    ),
    "group_factor": (
        {"k": 2, "alpha": 5.0},
        {"k": [*COUNT, 0, 5], "alpha": [*FINITE, 1.0, 2.0, [3.0, 2.0]]},
    ),
    "sequence_epochs": (
        PRIVACY | {"setting": SETTING, "sigma": 0.3, "requests": 2},
        {k: [*v, *SCALARLY] for k, v in PRIVACY_BAD.items()}
        | {
            "setting": [None, 3],
            "sigma": FINITE,
            "requests": [*COUNT, 0],
            "accountant": ["x", None, 3, lambda z, k: math.nan],
            "positions": [3, -1, [0], "x"],
            "fresh_distance": [-1.0, math.nan, "x", math.inf],
        },
    ),
    "sequence_verify": (
        {"setting": SETTING, "sigma": 0.3, "epochs": [1, 2], "delta": 1e-5},
        {
            "setting": [None, 3],
            "sigma": FINITE,
            "epochs": [*COUNT, 0, [[1]]],
            "delta": UNIT,
            "positions": [3, -1, [0], "x"],
        },
    ),
    "epochs_forever": (
        PRIVACY | {"setting": SETTING, "sigma": 0.3},
        {k: [*v, *SCALARLY] for k, v in PRIVACY_BAD.items()}
        | {"setting": [None, 3], "sigma": FINITE},
    ),
    "path_bounds": (
        {"lipschitz": 1.0, "strong_convexity": 0.1, "sizes": [2, 3], "n": 9},
        {
            "lipschitz": [*FINITE, *SCALARLY],
            "strong_convexity": [*FINITE, *SCALARLY, 1e-309],
            "sizes": [*NEGATIVE, 1.5, 3, [4, 5], [9]],
            "n": [*COUNT, *SCALARLY, 0, 5],
            "ridge": [None, 1, "yes"],
        },
    ),
    "best_step": (
        {"strong_convexity": 0.1, "smoothness": 1.0},
        {"strong_convexity": [*FINITE, *SCALARLY], "smoothness": [*FINITE, *SCALARLY, 0.05]},
    ),
    "gradient_contraction": (
        {"step_size": 0.5, "strong_convexity": 0.1, "smoothness": 1.0},
        {
            "step_size": [*FINITE, *SCALARLY],
            "strong_convexity": [*FINITE, *SCALARLY],
            "smoothness": [*FINITE, *SCALARLY, 0.05],
        },
    ),
    "tracking_errors": (
        {"path": [[1.0, 0.0]], "contraction": 0.5, "steps": 2},
        {
            "path": [*NEGATIVE, math.inf, 1.0],
            "contraction": [*NEGATIVE, *SCALARLY, 1.0, math.inf],
            "steps": [*COUNT, [1, 2]],
            "initial": [*NEGATIVE, math.inf, [1.0, 2.0]],
            "step_error": [*NEGATIVE, *SCALARLY, math.inf],
        },
    ),
    "publication_noise": (
        PRIVACY | {"errors": [1.0, 0.0]},
        {
            "errors": [*NEGATIVE, math.inf],
            "epsilon": [*NEGATIVE, *SCALARLY, math.inf],
            "delta": [*UNIT, *SCALARLY],
            "releases": [*COUNT, *SCALARLY, 0],
        },
    ),
    "publication_mus": (
        {"errors": [1.0, 0.0], "sigma": 1.0},
        {"errors": [*NEGATIVE, math.inf], "sigma": [*NEGATIVE, math.inf]},
    ),
    "joint_mu": (
        {"errors": [1.0, 0.0], "sigma": 1.0},
        {"errors": [*NEGATIVE, math.inf], "sigma": [*NEGATIVE, math.inf, [1.0, 1.0, 1.0]]},
    ),
    "publication_epsilon": (
        {"errors": [1.0, 0.0], "sigma": 1.0, "delta": 1e-5},
        {
            "errors": [*NEGATIVE, math.inf],
            "sigma": [*NEGATIVE, math.inf],
            "delta": [*UNIT, *SCALARLY],
            "joint": [None, 1, "yes"],
        },
    ),
    "least_tracking_steps": (
        PRIVACY | {"path": [[1.0, 0.0]], "contraction": 0.5, "sigma": 0.1},
        {
            "path": [*NEGATIVE, math.inf, 1.0],
            "contraction": [*NEGATIVE, *SCALARLY, 1.0, math.inf],
            "sigma": [*POSITIVE, [1.0, 1.0, 1.0]],
            "epsilon": [*NEGATIVE, *SCALARLY, math.inf],
            "delta": [*UNIT, *SCALARLY],
            "initial": [*NEGATIVE, math.inf, [1.0, 2.0]],
            "step_error": [*NEGATIVE, *SCALARLY, math.inf, 1.0],
            "releases": [*COUNT, *SCALARLY, 0],
        },
    ),
}
ELSEWHERE = {
    "compose_gdp",
    "chain_gdp",
    "compose",  # below
    "Allocation",
    "SequencePrivacy",
    "Transport",  # results, not inputs
    # test_sampled_privacy.py, and tests/core/invalid_input by their problem
    "SampledSGD",
    "least_unlearning_steps",
    "sampled_epsilon",
    "sampled_noise",
}


def bad_calls():
    for function, (_, bad) in CASES.items():
        for parameter, values in bad.items():
            for i, value in enumerate(values):
                optional = parameter in DROP_NONE and parameter not in CASES[function][0]
                if value is None and optional:
                    continue
                yield pytest.param(function, parameter, value, id=f"{function}-{parameter}-{i}")


@pytest.mark.parametrize("function", CASES)
def test_the_good_call_is_good(function):
    good, bad = CASES[function]
    result = getattr(accounting, function)(**good)
    assert result is not None
    assert set(bad) <= set(inspect.signature(getattr(accounting, function)).parameters)
    if isinstance(result, float):
        assert not math.isnan(result)


@pytest.mark.parametrize(("function", "parameter", "value"), list(bad_calls()))
def test_a_bad_argument_is_named(function, parameter, value):
    good, _ = CASES[function]
    call = dict(good) | {parameter: value}
    if (
        parameter == "learn_epochs"
        and "target" in inspect.signature(getattr(accounting, function)).parameters
    ):
        call["target"] = "T"
    with pytest.raises(ValueError) as caught:
        getattr(accounting, function)(**call)
    message = str(caught.value)
    assert " must " in message
    assert "got" in message
    stem = parameter.rstrip("s12")
    named = {stem, "curve"} if stem.startswith("curve") else {stem}
    assert any(name in message for name in named), message


def test_every_public_function_is_covered():
    public = {name for name in accounting.__all__ if callable(getattr(accounting, name))}
    assert public - ELSEWHERE == set(CASES)


@pytest.mark.parametrize("value", NEGATIVE)
def test_variadic_functions(value):
    for function in (accounting.compose_gdp, accounting.chain_gdp):
        with pytest.raises(ValueError, match=r"^mu must be "):
            function(1.0, value)
        with pytest.raises(ValueError, match="at least one"):
            function()
    with pytest.raises(ValueError, match="curve must be a RenyiCurve"):
        accounting.compose(CURVE, value)


def test_shapes_that_do_not_broadcast():
    for call in (
        lambda: accounting.delta_gdp([1, 2], [1, 2, 3]),
        lambda: accounting.epsilon_gdp([1, 2], [0.1, 0.2, 0.3]),
        lambda: accounting.mu_gdp([1, 2], [0.1, 0.2, 0.3]),
        lambda: accounting.compose_gdp([1, 2], [1, 2, 3]),
        lambda: accounting.epsilon_cks([1, 2], [0.1, 0.2, 0.3]),
        lambda: accounting.mu_same_updates([1, 2], 0.5, [1, 2, 3], 4),
        lambda: accounting.least_sigma(SETTING, [1, 2], [0.1, 0.2, 0.3], 1),
        lambda: accounting.delta_random_position(SETTING, [1, 2], [0.1, 0.2, 0.3], 1),
        lambda: accounting.epsilon_unlearning(SETTING, [1, 2], [0.1, 0.2, 0.3], 1),
        lambda: accounting.mu_stationary_bounded([0.5, 0.6], 1, 1, 3, [1, 2, 3], 1.0),
    ):
        with pytest.raises(ValueError, match="shapes must broadcast together"):
            call()


def test_delta_is_given_once():
    for call in (
        lambda: accounting.epsilon_gdp(1.0),
        lambda: accounting.epsilon_gdp(1.0, 0.1, log_delta=-1.0),
        lambda: accounting.mu_gdp(1.0),
    ):
        with pytest.raises(ValueError, match="exactly one of delta and log_delta"):
            call()
    for bad in (0.0, 1.0, math.nan, -math.inf, "x", True, [], None):
        with pytest.raises(ValueError):
            accounting.epsilon_gdp(1.0, log_delta=bad)


def test_the_strict_hypothesis_needs_room():
    kwargs = {"n": 6, "batch_size": 2, "smoothness": 1.0, "strong_convexity": 0.5}
    NoisySGD(**kwargs, lipschitz=1.0, radius=2.0, hypothesis="lipschitz")
    with pytest.raises(ValueError, match=r"lipschitz must be >= strong_convexity\*radius"):
        NoisySGD(**kwargs, lipschitz=0.99, radius=2.0, hypothesis="lipschitz")
    NoisySGD(**kwargs, lipschitz=0.99, radius=2.0)
    NoisySGD(**kwargs, lipschitz=1.0, step_size=2 / 1.5)
