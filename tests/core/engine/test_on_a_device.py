"""The engine on a fake device that forbids what a real one forbids."""

import numpy as np
import pytest

from forgetproof.engine import RecordedTraining, UnlearningEngine
from tests.core.engine.examples import data, layer, names, settings
from tests.core.simulators.fake_device import fake_device

ANY = {"loss": "any", "epsilon": 1e9}


def closed_form(weights, rows, targets):
    slopes = (rows @ weights[0].T).sigmoid() - targets[:, None]
    return [slopes[:, :, None] * rows[:, None, :]]


def weights_of(device, folder, fields=None, **options):
    """The weights after a training and a request there, with a seed, on the host."""
    engine = UnlearningEngine.open(folder, settings(**(fields or {})), seed=11)
    model = layer(engine.settings.outputs, device=device)
    rows, targets = data(engine.settings.outputs)
    engine.load(model, rows.to(device), targets.to(device), names(), **options)
    engine.train()
    engine.forget(["u3"])
    again = UnlearningEngine.open(folder, settings(**(fields or {})), seed=11)
    copy = layer(engine.settings.outputs, device=device)
    again.load(copy, rows.to(device), targets.to(device), names(), **options)
    release = again.release("model.npz", certificate=False)
    with np.load(release.model) as arrays:
        return arrays["weight"]


@pytest.mark.parametrize(
    ("fields", "options"),
    [({}, {}), ({"outputs": 3, "radius": 0.5}, {}), (ANY, {"rule": closed_form})],
    ids=["a head", "classes in a ball", "a rule"],
)
def test_the_same_numbers_there_as_here(tmp_path, fields, options):
    here = weights_of("cpu", tmp_path / "here", fields, **options)
    with fake_device():
        there = weights_of("cuda", tmp_path / "there", fields, **options)
    np.testing.assert_allclose(there, here, rtol=1e-12, atol=1e-14)


def test_a_step_uploads_its_batch_and_its_noise_alone():
    with fake_device() as counts:
        model = layer(device="cuda")
        rows, targets = data()
        run = RecordedTraining(settings(), model, rows.to("cuda"), targets.to("cuda"))
        assert run.rule.device.type == "cuda"
        counts.uploads.clear()
        run.steps.run(10, run.table.present)
        assert sum(counts.uploads.values()) <= 20
