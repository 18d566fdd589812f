"""Events of dp-accounting and engines of Opacus as mechanisms."""

import math

import pytest

from forgetproof.linting import lint, of_event, of_opacus
from forgetproof.linting.live import is_event, is_opacus

CLAIM = {"epsilon": 3.0, "delta": 1e-5}


@pytest.fixture
def dp():
    return pytest.importorskip("dp_accounting")


def test_an_event_is_every_state_of_a_training(dp):
    step = dp.PoissonSampledDpEvent(0.01, dp.GaussianDpEvent(1.1))
    event = dp.ComposedDpEvent([dp.SelfComposedDpEvent(step, 100), step])
    mechanism = of_event(event, claims=[CLAIM])
    assert is_event(event)
    assert (mechanism.released, [step.count for step in mechanism.steps]) == ("every", [101])
    assert not mechanism.draft
    assert lint(mechanism).verdicts[0].word == "holds"


def test_an_event_for_replaced_rows_needs_batches_of_one_size(dp):
    relation = dp.NeighboringRelation.REPLACE_ONE
    event = dp.SampledWithoutReplacementDpEvent(100, 10, dp.GaussianDpEvent(2.0))
    mechanism = of_event(event, relation=relation)
    batches = mechanism.steps[0].batches
    assert (batches.drawn, batches.size, mechanism.n) == ("fixed", 10, 100)
    assert mechanism.relation.adjacency == "replace"
    with pytest.raises(ValueError, match="adjacency must be"):
        of_event(dp.PoissonSampledDpEvent(0.1, dp.GaussianDpEvent(2.0)), relation=relation)


def test_what_is_no_training_is_refused(dp):
    with pytest.raises(ValueError, match="event must be a training with Gaussian noise"):
        of_event(dp.LaplaceDpEvent(1.0))


@pytest.fixture(scope="module")
def trained():
    """An engine that has made an epoch, by how it samples: optimizer, loader, model."""
    torch = pytest.importorskip("torch")
    opacus = pytest.importorskip("opacus")
    from torch.utils.data import DataLoader, TensorDataset

    def train(poisson, momentum=0.0, clipping="flat", norm=1.5):
        generator = torch.Generator().manual_seed(0)
        rows = torch.randn(100, 6, generator=generator)
        model = torch.nn.Sequential(torch.nn.Linear(5, 3), torch.nn.Linear(3, 1))
        sgd = torch.optim.SGD(model.parameters(), lr=0.1, momentum=momentum)
        loader = DataLoader(TensorDataset(rows[:, :5], rows[:, 5:]), batch_size=8, shuffle=True)
        engine = opacus.PrivacyEngine()
        model, optimizer, loader = engine.make_private(
            module=model,
            optimizer=sgd,
            data_loader=loader,
            noise_multiplier=2.0,
            max_grad_norm=norm,
            poisson_sampling=poisson,
            clipping=clipping,
        )
        for x, y in loader:
            optimizer.zero_grad()
            ((model(x) - y) ** 2).mean().backward()
            optimizer.step()
        return engine, {"optimizer": optimizer, "data_loader": loader, "model": model}

    return train


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("poisson", [True, False], ids=["poisson", "shuffled"])
def test_an_engine_is_read_as_it_ran(trained, poisson):
    engine, objects = trained(poisson)
    assert is_opacus(engine)
    mechanism = of_opacus(engine, **objects)
    (step,) = mechanism.steps
    assert (mechanism.n, step.count, mechanism.layers) == (100, 13, ())
    assert (step.divisor.value.value, step.divisor.is_) == (7, "from_n")
    assert (step.clip.each, step.clip.norm.value, step.noise.deviation.value) == ("row", 1.5, 3.0)
    if poisson:
        assert math.isclose(step.batches.rate.value, 1 / 13)
    else:
        assert (step.batches.drawn, step.batches.size, step.batches.last) == ("shuffled", 8, "kept")
    codes = {finding.code for finding in lint(mechanism).findings}
    assert "FP202" in codes


@pytest.mark.filterwarnings("ignore")
def test_what_an_engine_does_not_know_is_unknown(trained):
    engine, objects = trained(True)
    mechanism = of_opacus(engine)
    assert {"steps[0].batches.drawn", "steps[0].clip.norm", "layers"} <= set(mechanism.unknowns)
    assert mechanism.draft
    objects["optimizer"].original_optimizer.param_groups[0]["initial_lr"] = 5.0
    mechanism = of_opacus(engine, **objects)
    assert "steps[0].step_size" in mechanism.unknowns


@pytest.mark.filterwarnings("ignore")
def test_clips_of_layers_and_a_seed_are_seen(trained):
    import torch

    engine, objects = trained(False, clipping="per_layer", norm=[1.0] * 4)
    torch.manual_seed(3)
    (step,) = of_opacus(engine, **objects).steps
    assert (step.clip.each, step.clip.groups, step.noise.deviation.value) == ("group", 4, 4.0)
    assert step.noise.drawn == "public"


@pytest.mark.filterwarnings("ignore")
def test_an_engine_that_has_made_no_step_is_refused(trained):
    engine, _ = trained(True)
    engine.accountant.history = []
    with pytest.raises(ValueError, match="engine must have made a step"):
        of_opacus(engine)
