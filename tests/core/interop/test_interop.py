"""Histories and curves go to the real libraries and come back; what differs in meaning does not."""

import math
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounting.curves.gaussian import delta_gdp, epsilon_gdp
from accounting.curves.gaussian_rules import tradeoff_gdp
from accounting.problems import Contraction, Target
from accounting.problems.attacks import attack_advantage, attack_on, attack_power
from accounting.problems.training_history import Segment, TrainingHistory
from accounting.renyi.curve import compose, to_epsilon
from accounting.sampled.divisor import divisor_epsilon
from forgetproof.interop import (
    from_dp_event,
    from_opacus,
    renyi_curve,
    to_dp_event,
    to_opacus,
    to_relation,
)

TRAINED = TrainingHistory((Segment(1.0, 64 / 569, 180),), n=569, clip=1.0)
SEGMENTS = st.lists(
    st.builds(Segment, st.floats(0.5, 5), st.sampled_from([0.01, 0.1, 1.0]), st.integers(1, 50)),
    min_size=1,
    max_size=4,
)


def dp():
    return pytest.importorskip("dp_accounting")


def opacus():
    return pytest.importorskip("opacus")


@settings(max_examples=30)
@given(segments=SEGMENTS, adjacency=st.sampled_from(["delete", "zero"]))
def test_poisson_histories_go_out_and_in(segments, adjacency):
    dp()
    history = TrainingHistory(tuple(segments), adjacency)
    relation = to_relation(history)
    assert from_dp_event(to_dp_event(history), relation=relation) == history


@settings(max_examples=10)
@given(size=st.integers(1, 30), steps=st.integers(1, 9), noise=st.floats(0.5, 3))
def test_other_samplings_go_out_and_in(size, steps, noise):
    dp()
    sized = TrainingHistory((Segment(noise, size / 30, steps),), "replace", "fixed", n=30)
    assert from_dp_event(to_dp_event(sized), relation=to_relation(sized)) == sized
    full = TrainingHistory((Segment(noise, 1.0, steps),), "replace", "full")
    assert from_dp_event(to_dp_event(full), relation=to_relation(full)) == full


def test_an_event_means_what_its_accountant_counts():
    """Full batches are a Gaussian mechanism; Opacus' example costs what dp-accounting says."""
    lib = dp()
    from dp_accounting.pld import PLDAccountant

    full = TrainingHistory((Segment(4.0, 1.0, 25),), sampling="full")
    found = PLDAccountant(to_relation(full)).compose(to_dp_event(full)).get_epsilon(1e-5)
    assert found == pytest.approx(float(epsilon_gdp(5 / 4, 1e-5)), rel=1e-3)
    known = PLDAccountant().compose(to_dp_event(TRAINED)).get_epsilon(1e-5)
    assert known == pytest.approx(10.71682, rel=1e-3)
    nested = lib.SelfComposedDpEvent(lib.ComposedDpEvent([to_dp_event(TRAINED)] * 2), 3)
    assert from_dp_event(nested).only == Segment(1.0, 64 / 569, 1080)
    mixed = lib.ComposedDpEvent([to_dp_event(TRAINED), lib.GaussianDpEvent(1.0)])
    with pytest.raises(ValueError, match="event must sample in one way"):
        from_dp_event(mixed)


@pytest.mark.parametrize("mechanism", ["rdp", "prv"])
def test_opacus_counts_the_history_and_gives_it_back(mechanism):
    opacus()
    made = to_opacus(TRAINED, mechanism)
    assert from_opacus(made).segments == TRAINED.segments
    # dp-accounting's number; Renyi orders lose a little, the other's own error is its own.
    slack = {"rdp": 1.12, "prv": 1.02}[mechanism]
    assert 10.6 <= made.get_epsilon(1e-5) <= 10.72 * slack


def test_an_engine_that_trained_says_what_it_did():
    library = opacus()
    import torch

    torch.manual_seed(0)
    data = torch.utils.data.TensorDataset(torch.randn(60, 3), torch.randn(60, 1))
    loader = torch.utils.data.DataLoader(data, batch_size=12)
    model = torch.nn.Linear(3, 1)
    engine = library.PrivacyEngine(accountant="rdp")
    model, optimizer, private = engine.make_private(
        module=model,
        optimizer=torch.optim.SGD(model.parameters(), 0.1, weight_decay=0.02),
        data_loader=loader,
        noise_multiplier=1.3,
        max_grad_norm=0.7,
    )
    with pytest.raises(ValueError, match="engine must have made a step"):
        from_opacus(engine)
    steps = 0
    for x, y in private:
        optimizer.zero_grad()
        ((model(x) - y) ** 2).mean().backward()
        optimizer.step()
        steps += 1
    found = from_opacus(engine, optimizer=optimizer, data_loader=private, model=model)
    assert found == TrainingHistory(
        (Segment(1.3, 0.2, steps),),
        n=60,
        clip=0.7,
        step_size=0.1,
        weight_decay=0.02,
        divisor=12,
        dimension=4,
    )
    assert found.batch_size == 12
    assert found.divisor_follows
    assert found.divisor_remark(4) is not None
    optimizer.expected_batch_size = 20
    changed = from_opacus(engine, optimizer=optimizer)
    assert (changed.divisor, changed.divisor_follows) == (20, False)
    optimizer.original_optimizer.param_groups[0]["lr"] = 0.05
    sizes = np.linspace(0.1, 0.05, steps).tolist()
    assert from_opacus(engine, optimizer=optimizer, step_sizes=sizes).step_size == tuple(sizes)
    with pytest.raises(ValueError, match=f"step_sizes must be {steps} numbers"):
        from_opacus(engine, optimizer=optimizer, step_sizes=sizes[1:])
    with pytest.raises(ValueError, match="data_loader must sample by Poisson"):
        from_opacus(engine, data_loader=loader)
    with pytest.raises(ValueError, match="optimizer is SimpleNamespace: only a DPOpt"):
        from_opacus(engine, optimizer=SimpleNamespace(max_grad_norm=[1.0, 2.0]))


UPDATES = {
    "momentum": ({"momentum": 0.9}, "optimizer has momentum 0.9: only torch.optim.SGD without mom"),
    "nesterov": ({"momentum": 0.9, "nesterov": True}, "optimizer has momentum"),
    "dampening": ({"dampening": 0.1}, "optimizer has dampening 0.1"),
    "ascent": ({"maximize": True}, "optimizer has maximize True"),
    "Adam": ("Adam", "optimizer is Adam: only torch.optim.SGD"),
    "AdamW": ("AdamW", "optimizer is AdamW: only torch.optim.SGD"),
    "RMSprop": ("RMSprop", "optimizer is RMSprop: only torch.optim.SGD"),
    "groups": ("groups", "optimizer has 2 parameter groups: one"),
    "a scheduler": ("scheduler", "step_sizes must be given where a scheduler"),
    "an old momentum": ("old", "buffer of an earlier momentum"),
    "BatchNorm": ("batches", "model must have no layer that mixes rows, got BatchNorm1d"),
    "norms of layers": ("layers", "optimizer is AdaClipDPOptimizer: only a DPOpt"),
}


@pytest.mark.parametrize("name", UPDATES)
def test_updates_that_are_not_covered_are_refused_by_name(name):
    opacus()
    import torch
    from opacus.optimizers import AdaClipDPOptimizer, DPOptimizer

    how, message = UPDATES[name]
    model = torch.nn.Sequential(torch.nn.Linear(2, 1))
    parameters = list(model.parameters())
    more = how if isinstance(how, dict) else {}
    inner = torch.optim.SGD(parameters, lr=0.1, **more)
    made, extra = DPOptimizer, {}
    if isinstance(how, str) and hasattr(torch.optim, how):
        inner = getattr(torch.optim, how)(parameters, lr=0.1)
    elif how == "groups":
        inner = torch.optim.SGD([{"params": parameters[:1]}, {"params": parameters[1:]}], lr=0.1)
    elif how == "scheduler":
        torch.optim.lr_scheduler.StepLR(inner, 3)
    elif how == "old":
        inner.state[parameters[0]]["momentum_buffer"] = torch.zeros(1)
    elif how == "batches":
        model.append(torch.nn.BatchNorm1d(1))
    elif how == "layers":
        made, extra = (
            AdaClipDPOptimizer,
            {
                "target_unclipped_quantile": 0.5,
                "clipbound_learning_rate": 0.1,
                "max_clipbound": 1.0,
                "min_clipbound": 0.1,
                "unclipped_num_std": 1.0,
            },
        )
    optimizer = made(
        inner, noise_multiplier=1.0, max_grad_norm=1.0, expected_batch_size=12, **extra
    )
    history = to_opacus(TRAINED, "prv")
    with pytest.raises(ValueError, match=message):
        from_opacus(history, optimizer=optimizer, model=model)


def test_a_divisor_that_follows_the_rows_is_told_with_its_price():
    read = TrainingHistory((Segment(1.0, 1 / 23, 460),), n=1437, clip=1.0, divisor=62, dimension=65)
    assert read.divisor_follows
    assert read.divisor_remark(1) is None  # 1436/23 is 62 and a bit
    told = read.divisor_remark(14)
    assert "Opacus would retrain on 1423 rows with 61" in told
    assert "epsilon >= 0.831 at delta = 1e-05 with 65 weights" in told
    with pytest.raises(ValueError, match="n and divisor must be known"):
        TRAINED.divisor_remark()
    with pytest.raises(ValueError, match="optimizer must be given with model"):
        from_opacus(to_opacus(TRAINED, "prv"), model=object())


def chi_squared_epsilon(ratio, d, delta):
    """By mpmath: N(0, 1) against N(0, ratio^2) in d coordinates, the larger of both directions."""
    with mpmath.workdps(60):
        v = (1 - mpmath.mpf(ratio) ** -2) / 2

        def chance(t):
            return mpmath.gammainc(mpmath.mpf(d) / 2, 0, t / 2, regularized=True) if t > 0 else 0

        def excess(epsilon):
            low = (d * mpmath.log(ratio) - epsilon) / v
            high = (d * mpmath.log(ratio) + epsilon) / v
            grown = mpmath.exp(epsilon)
            shrink = mpmath.mpf(ratio) ** -2
            inside = chance(low) - grown * chance(low * shrink)
            outside = 1 - chance(high * shrink) - grown * (1 - chance(high))
            return max(inside, outside) - delta

        low, high = mpmath.mpf(0), mpmath.mpf(200)
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if excess(middle) > 0 else (low, middle)
        return float(low)


@pytest.mark.parametrize(("d", "wanted"), [(1, None), (65, 0.83), (7850, 10.57)])
def test_two_divisors_cost_more_with_every_weight(d, wanted):
    found = divisor_epsilon(62, 61, d, 1e-5)
    exact = chi_squared_epsilon(62 / 61, d, 1e-5)
    assert exact * (1 - 1e-8) <= found <= exact
    assert divisor_epsilon(61, 62, d, 1e-5) == pytest.approx(found, rel=1e-12)
    assert wanted is None or found == pytest.approx(wanted, abs=5e-3)
    assert divisor_epsilon(62, 62, d, 1e-5) == 0


def test_curves_of_both_are_one_curve_and_never_below_it():
    dp()
    opacus()
    from dp_accounting.rdp import RdpAccountant

    few, many = ([2, 3, 8, 20, 64], list(range(2, 65)))
    coarse, fine = (
        renyi_curve(RdpAccountant(orders).compose(to_dp_event(TRAINED))) for orders in (few, many)
    )
    other = renyi_curve(to_opacus(TRAINED, "rdp"))
    whole = np.arange(2.0, 65.0)
    assert (coarse(whole) >= fine(whole) * (1 - 1e-12)).all()
    assert (coarse(few) <= fine(few) * (1 + 1e-12)).all()
    np.testing.assert_allclose(other([2.0, 8.0, 32.0]), fine([2.0, 8.0, 32.0]), rtol=1e-4)
    known = RdpAccountant().compose(to_dp_event(TRAINED))
    assert to_epsilon(renyi_curve(known), 1e-5, "cks") == pytest.approx(
        known.get_epsilon(1e-5), rel=2e-3
    )
    twice = to_epsilon(compose(renyi_curve(known), renyi_curve(known)), 1e-5, "cks")
    double = TrainingHistory((Segment(1.0, 64 / 569, 360),))
    assert twice == pytest.approx(
        RdpAccountant().compose(to_dp_event(double)).get_epsilon(1e-5), rel=2e-3
    )
    with pytest.raises(ValueError, match="alpha must be"):
        coarse(1e6)


def test_a_gaussian_curve_is_read_exactly_at_its_orders():
    dp()
    from dp_accounting.rdp import RdpAccountant

    full = TrainingHistory((Segment(2.0, 1.0, 1),), sampling="full")
    curve = renyi_curve(RdpAccountant([2.0, 5.0, 9.0]).compose(to_dp_event(full)))
    assert curve([2.0, 5.0, 9.0]) == pytest.approx(np.array([2.0, 5.0, 9.0]) / 8, rel=1e-12)
    assert curve(1.5) == pytest.approx(2 / 8, rel=1e-12)
    assert curve(3.0) >= 3 / 8


@pytest.mark.parametrize(
    ("history", "message"),
    [
        (TrainingHistory(TRAINED.segments, "replace"), "a replaced row is one removed and one add"),
        (TrainingHistory(TRAINED.segments, "delete", "fixed", n=569), "'replace' for batches of a"),
    ],
    ids=["poisson", "fixed"],
)
def test_events_for_another_adjacency_are_refused_with_the_reason(history, message):
    dp()
    with pytest.raises(ValueError, match=message):
        to_dp_event(history)


def test_what_the_libraries_do_not_count_is_refused():
    lib = dp()
    opacus()
    relation = to_relation(TrainingHistory(TRAINED.segments, "replace"))
    with pytest.raises(ValueError, match="a replaced row is one removed and one added"):
        from_dp_event(to_dp_event(TRAINED), relation=relation)
    with pytest.raises(ValueError, match="event must be a training with Gaussian noise"):
        from_dp_event(lib.LaplaceDpEvent(1.0))
    with pytest.raises(ValueError, match="event must have Gaussian noise in every step"):
        from_dp_event(lib.PoissonSampledDpEvent(0.1, lib.LaplaceDpEvent(1.0)))
    with pytest.raises(ValueError, match="relation must be one of"):
        from_dp_event(to_dp_event(TRAINED), relation="delete")
    with pytest.raises(ValueError, match="a number for the one does not hold for the other"):
        to_opacus(TrainingHistory(TRAINED.segments, "replace"))
    with pytest.raises(ValueError, match="mechanism must be one of prv, rdp, got 'gdp'"):
        to_opacus(TRAINED, "gdp")
    with pytest.raises(ValueError, match="accountant must keep a Rényi curve"):
        renyi_curve(to_opacus(TRAINED, "prv"))
    with pytest.raises(ValueError, match="engine must be a PrivacyEngine"):
        from_opacus(3)


def test_attacks_are_those_of_riskcal():
    conversions = pytest.importorskip("riskcal.analysis.conversions")
    rng = np.random.default_rng(0)
    for _ in range(200):
        epsilon, delta, x = rng.exponential(), 10 ** rng.uniform(-9, -0.1), rng.uniform()
        power = 1 - float(conversions.get_beta_from_adp(epsilon, delta, x))
        assert attack_power(x, epsilon, delta) == pytest.approx(power, rel=1e-12)
        known = conversions.get_advantage_from_adp(epsilon, delta)
        assert attack_advantage(epsilon, delta) == pytest.approx(known, rel=1e-12)
    mu = 0.8
    problem = Contraction(process={"contraction": [1.0], "displacement": [mu], "noise": [1.0]})
    found = attack_on(problem, problem.certified("exact", 1.0, 1e-5), [0.01, 0.1])
    assert found.advantage == pytest.approx(conversions.get_advantage_from_gdp(mu), rel=5e-3)
    powers = 1 - conversions.get_beta_from_gdp(mu, np.array([0.01, 0.1]))
    assert found.power == pytest.approx(powers, rel=0.02)


def test_a_problem_is_built_from_what_was_read():
    history = TrainingHistory((Segment(1.0, 0.1, 3), Segment(1.0, 0.1, 4)), n=50, clip=2.0)
    assert history.only == Segment(1.0, 0.1, 7)
    assert (history.steps, history.batch_size) == (7, 5)
    assert TrainingHistory((Segment(1.0, 1 / 3, 1),), n=80).batch_size == 26
    for n in (49, 98, 103, 1437):
        for batches in (1, 7, 23, 49):
            opacus_rate = 1 / batches  # and int(n * opacus_rate) is what it divides by
            found = TrainingHistory((Segment(1.0, opacus_rate, 1),), n=n).batch_size
            assert found == max(1, int(n * opacus_rate))
        for size in (5, 11, 45):
            assert TrainingHistory((Segment(1.0, size / n, 1),), n=n).batch_size == size
    history.insist("delete")
    history.insist("zero")
    with pytest.raises(ValueError, match="in the other it is not"):
        history.insist("replace")
    sized = TrainingHistory(history.segments, "replace", "fixed", n=50)
    with pytest.raises(ValueError, match="adjacency must be 'replace'"):
        sized.insist("zero")
    changed = TrainingHistory((Segment(1.0, 0.1, 3), Segment(2.0, 0.1, 4)))
    with pytest.raises(ValueError, match="segments must be one, got 2"):
        _ = changed.only
    with pytest.raises(ValueError, match="n must be known"):
        _ = TrainingHistory(history.segments).batch_size


@settings(max_examples=100)
@given(mu=st.floats(0.01, 5), x=st.floats(0, 1), y=st.floats(0.001, 0.999))
def test_attacks_hold_for_gaussian_laws_at_every_delta(mu, x, y):
    """Any (epsilon, delta) of the curve bounds its power; the envelope of all is the power."""
    epsilon = float(epsilon_gdp(mu, y))
    true = 1 - float(tradeoff_gdp(mu, x))
    assert attack_power(x, epsilon, y) >= true * (1 - 1e-12)
    assert attack_advantage(epsilon, y) >= float(delta_gdp(mu, 0.0)) * (1 - 1e-12)


def test_an_uncertified_answer_has_no_attack():
    problem = Contraction(process={"contraction": [1.0], "displacement": [1.0], "noise": [0.0]})
    answer = problem.noise("exact", Target(1.0, 1e-5))
    assert math.isinf(float(answer.noise))
    with pytest.raises(ValueError, match="answer must be certified"):
        attack_on(problem, answer)
    with pytest.raises(ValueError, match="answer must be an Answer of a Problem"):
        attack_on(problem, 3.0)
