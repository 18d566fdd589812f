"""`audit` in one call: the examples, calling conventions, invalid functions, the report."""

import json
import math

import numpy as np
import pytest

from verify.audit import UserFunctionError, audit, audit_problem, claim_of, stated
from verify.audit.load import load
from verify.audit.problem import AuditedProblem

EXAMPLES = "verify.audit.examples."


def example(name):
    return load(f"{name if '.' in name else EXAMPLES + name}:EXAMPLE")


def gaussian(mu=0.0, **more):
    """Batched: outputs are mu apart."""
    return {
        "learn": lambda data, rng, trials: rng.normal(size=(trials, 2)),
        "unlearn": lambda state, data, request, rng: state + np.array([mu, 0.0]),
        "retrain": lambda data, request, rng, trials: rng.normal(size=(trials, 2)),
        "data": None,
        "request": 0,
        "batched": True,
        **more,
    }


@pytest.mark.parametrize("sequential", [False, True])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_correct_example_passes(seed, sequential):
    problem = example("correct")
    found = audit_problem(problem, stated(problem), seed=seed, trials=4000, sequential=sequential)
    assert not found.refuted
    assert found.epsilon_lower < 1
    assert 0.69999 < found.contraction <= 0.7
    assert 0.00599 < found.sensitivity <= 0.006 * (1 + 1e-12)


def test_all_of_the_noise_is_enough_for_clipped_steps():
    from verify.audit.examples.a_fifth_of_the_noise import example as clipped

    problem = clipped(1.0)
    assert not audit_problem(problem, stated(problem), trials=4000).refuted


def test_the_correct_example_attains_its_claim():
    """Its exact law is Gaussian with the claimed mu: nothing smaller may be claimed."""
    from accounting.curves.gaussian import mu_gdp
    from verify.audit.examples import correct as c

    means, variance = [], 0.0
    for data in (c.EXAMPLE.data, c.forget(c.EXAMPLE.data, 7)):
        w, variance = 0.0, 0.0
        for k in range(c.LEARN + c.UNLEARN):
            rest = data if k < c.LEARN else c.forget(c.EXAMPLE.data, 7)
            w += c.ETA * (rest[:, 0].mean() - w)
            variance = (1 - c.ETA) ** 2 * variance + c.SIGMA**2
        means.append(w)
    gap = abs(means[0] - means[1]) / math.sqrt(variance)
    assert gap == pytest.approx(float(mu_gdp(1.0, 1e-5)), rel=1e-9)


def test_the_buggy_example_passes_once_repaired():
    from verify.audit.examples import bills_k_runs_k_minus_1 as b

    def unlearn(w, data, request, rng):
        rest = np.delete(data, request)
        for _ in range(b.UNLEARN):
            w += b.ETA * (rest.mean() - w) + b.SIGMA * rng.normal()
        return w

    def retrain(data, request, rng):
        return unlearn(b.learn(np.delete(data, request), rng), data, request, rng)

    assert not audit(b.learn, unlearn, retrain, b.DATA, 3, mu=b.MU, trials=3000).refuted


@pytest.mark.parametrize("sequential", [False, True])
def test_null_audits_give_zero(sequential, full):
    for seed in range(10 if full else 5):
        found = audit(
            **gaussian(),
            epsilon=0.0,
            delta=0.0,
            trials=800,
            seed=seed,
            sequential=sequential,
            block=200,
        )
        assert not found.refuted
        assert found.epsilon_lower == found.mu_lower == 0.0


def test_results_repeat():
    first = audit(**gaussian(1.0), mu=0.5, trials=2000, seed=3)
    again = audit(**gaussian(1.0), mu=0.5, trials=2000, seed=3)
    other = audit(**gaussian(1.0), mu=0.5, trials=2000, seed=4)
    assert first.to_json() == again.to_json() != other.to_json()


@pytest.mark.parametrize("batched", [False, True])
def test_laws_blocks_and_trials_have_their_own_randomness(batched):
    """The same function under both names: not one number occurs twice."""
    shape = (lambda n: (n, 1)) if batched else (lambda: 1)
    problem = AuditedProblem(
        lambda d, g, *n: g.normal(size=shape(*n)),
        lambda s, d, r, g: s,
        lambda d, r, g, *n: g.normal(size=shape(*n)),
        None,
        0,
        batched=batched,
    )
    drawn = [problem.sample(law, 50, 7, b) for law in ("unlearn", "retrain") for b in (0, 1)]
    assert len(np.unique(np.vstack(drawn))) == 200


def test_sequential_audits_stop_early_and_bound_what_they_refute():
    found = audit(**gaussian(2.0), epsilon=0.5, delta=0.1, trials=20_000, sequential=True)
    assert found.refuted
    assert found.trials < 5000
    assert found.epsilon_lower == 0.5
    assert "stopped at" in str(found)


def test_torch_functions_with_global_randomness_and_state_dicts():
    torch = pytest.importorskip("torch")

    def learn(data, rng):
        return {"w": torch.randn(2), "b": torch.zeros(())}

    def unlearn(state, data, request, rng):
        return {"w": state["w"] + 3.0, "b": state["b"]}

    before = torch.get_rng_state()
    runs = [
        audit(learn, unlearn, lambda d, r, g: learn(d, g), None, 0, mu=0.5, trials=800)
        for _ in range(2)
    ]
    assert runs[0].refuted
    assert runs[0].to_json() == runs[1].to_json()
    assert (torch.get_rng_state() == before).all()


def test_deterministic_functions_are_noted():
    found = audit(
        lambda d, g: 0.0, lambda s, d, r, g: s, lambda d, r, g: 0.0, None, 0, mu=1.0, trials=100
    )
    assert not found.refuted
    assert "every output of unlearn is the same" in found.notes[0]
    apart = audit(
        lambda d, g: 1.0, lambda s, d, r, g: s, lambda d, r, g: 0.0, None, 0, mu=1.0, trials=2000
    )
    assert apart.refuted
    assert math.isfinite(apart.epsilon_lower)


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"learn": lambda d, g, n: 1 / 0}, "learn raised ZeroDivisionError: division by zero"),
        ({"unlearn": lambda s, d, r, g: s * np.nan}, "unlearn must return finite numbers, got nan"),
        ({"unlearn": lambda s, d, r, g: s[:3]}, "unlearn must return 100 rows, got shape"),
        ({"unlearn": lambda s, d, r, g: "no"}, "unlearn must return real numbers, got 'no'"),
        ({"retrain": lambda d, r, g, n: None}, "retrain must return real numbers, got None"),
        ({"retrain": lambda d, r, g, n: []}, "retrain must return numbers, got nothing"),
        ({"retrain": lambda d, r, g, n: np.zeros((n, 1))}, "must return one shape"),
        ({"retrain": lambda d, r, g, n: np.zeros((n, 2)) * 1j}, "retrain must return real"),
        ({"retrain": lambda d, r: 0}, "retrain raised TypeError"),
        ({"retrain": lambda d, r, g, n: exit(3)}, "retrain raised SystemExit: 3"),
        (
            {
                "batched": False,
                "learn": lambda d, g: 0.0,
                "unlearn": lambda s, d, r, g: np.zeros(g.integers(1, 5)),
                "retrain": lambda d, r, g: 0.0,
            },
            "must return one shape",
        ),
    ],
)
def test_failing_functions_are_named(changes, word):
    with pytest.raises(UserFunctionError if "raised" in word else ValueError, match=word):
        audit(**gaussian(**changes), mu=1.0, trials=100)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({}, "exactly one of epsilon, mu and renyi"),
        ({"mu": 1.0, "trials": 5}, "trials must be"),
        ({"mu": 1.0, "confidence": 1.0}, "confidence must be"),
        ({"mu": 1.0, "confidence": 1 - 2**-53}, r"confidence must be at most 1 - 2\^-52"),
        ({"mu": 1.0, "seed": -1}, "seed must be"),
        ({"mu": 1.0, "sequential": "yes"}, "sequential must be True or False"),
        ({"mu": 1.0, "batched": 1}, "batched must be True or False"),
        ({"mu": 1.0, "learn": 3}, "learn must be a function"),
        ({"mu": 1.0, "step": 3}, "step must be a function"),
    ],
)
def test_bad_arguments(options, word):
    with pytest.raises(ValueError, match=word):
        audit(**{**gaussian(), **options})


def test_problems_come_from_classes_and_objects():
    class Mine:
        data, request, claim = None, 0, {"mu": 1.0}

        def learn(self, data, rng):
            return rng.normal()

        def unlearn(self, state, data, request, rng):
            return state

        def retrain(self, data, request, rng):
            return rng.normal()

    for thing in (Mine, Mine()):
        problem = AuditedProblem.of(thing)
        assert problem.sample("retrain", 3, 0).shape == (3, 1)
        assert stated(problem) == claim_of(mu=1.0)
    with pytest.raises(ValueError, match="must have learn"):
        AuditedProblem.of(3)
    with pytest.raises(ValueError, match="claim must be of"):
        stated(AuditedProblem(len, len, len, None, 0, claim={"eps": 1}))


def test_report_is_json_text_and_picture(tmp_path):
    found = audit(**gaussian(1.0), epsilon=0.2, delta=1e-3, trials=2000)
    data = json.loads(found.to_json())
    assert data["verdict"] == "refuted"
    assert data["judged"] == 1333
    assert 0 < data["detectable_leak"] < 1
    assert data["claim"] == {"kind": "approximate", "epsilon": 0.2, "delta": 0.001}
    assert len(data["events"]) == len(found.limits.names) > 0
    assert str(found).splitlines()[1].split() == ["verdict", "refuted"]
    found.plot(tmp_path / "audit.svg")
    assert (tmp_path / "audit.svg").stat().st_size > 1000
    with pytest.raises(ValueError, match="path must end in"):
        found.plot(tmp_path / "audit.txt")
    hopeless = audit(**gaussian(), epsilon=1.0, delta=0.9999999, trials=50)
    assert json.loads(hopeless.to_json())["detectable_mu"] == "inf"
    assert "power        too few trials: no distance would be seen" in str(hopeless)


@pytest.mark.parametrize("sequential", [False, True])
def test_data_changed_in_place_is_noted(sequential):
    def careless(state, data, request, rng):
        data[request] = 0.0
        return state

    given = gaussian(data=np.ones(3), unlearn=careless)
    found = audit(**given, mu=1.0, trials=100, sequential=sequential)
    assert any("must not change them in place" in note for note in found.notes)
    assert "must not change them in place" in str(found)
    kept = gaussian(data=np.ones(3), request=lambda: 0)  # cannot be pickled, which is no change
    assert audit(**kept, mu=1.0, trials=100, sequential=sequential).notes == ()
    assert audit(**gaussian(data=np.ones(3)), mu=1.0, trials=100).notes == ()


def test_power_in_the_report_is_for_the_dimension_of_the_outputs():
    wide = {
        "learn": lambda data, rng, trials: rng.normal(size=(trials, 200)),
        "retrain": lambda data, request, rng, trials: rng.normal(size=(trials, 200)),
        "unlearn": lambda state, data, request, rng: state,
    }
    narrow = audit(**gaussian(), mu=1.0, trials=1000)
    assert "apart or more (independent coordinates)" in str(narrow)
    assert audit(**gaussian(**wide), mu=1.0, trials=1000).detectable_mu > 1.1 * narrow.detectable_mu


@pytest.mark.parametrize("trials", [10**7 + 1, 10**18])
def test_more_trials_than_can_be_drawn_are_refused(trials):
    with pytest.raises(ValueError, match=r"^trials must be .* in \[24, 10000000\]"):
        audit_problem(example("correct"), stated(example("correct")), trials=trials)


def test_more_numbers_than_memory_holds_are_refused(monkeypatch):
    monkeypatch.setattr("verify.audit.auditing.MOST_VALUES", 100)
    with pytest.raises(ValueError, match="trials must be at most"):
        audit_problem(example("correct"), stated(example("correct")), trials=200, block=10)
