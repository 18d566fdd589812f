"""A plan after a training with Opacus: the fewest steps, or one line why there are none."""

import json
import math
from itertools import chain, islice, repeat

import numpy as np
import pytest

from accounting import SampledSGD, sampled_epsilon
from accounting.sampled.privacy import RetrainingIsShorter, least_unlearning_steps
from forgetproof import opacus_plan
from forgetproof.interop import from_opacus
from forgetproof.linting import lint
from forgetproof.testing import assert_claim

torch = pytest.importorskip("torch")
opacus = pytest.importorskip("opacus")

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
ASKED = {"removed": 4, "epsilon": 1.0, "delta": 1e-5}
N = 300


def sgd(model, **options):
    return torch.optim.SGD(model.parameters(), **{"lr": 0.5, "weight_decay": 0.1} | options)


def linear(outputs=1, bias=False):
    torch.manual_seed(0)
    return torch.nn.Linear(5, outputs, bias=bias)


def network():
    return torch.nn.Sequential(torch.nn.Linear(5, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))


def on_a_backbone(last=None):
    """A frozen layer before the trained one, and perhaps something after it."""
    model = torch.nn.Sequential(torch.nn.Linear(5, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
    model[0].requires_grad_(False)
    if last is not None:
        model.append(last)
    return model


def trained(model=None, optimizer=sgd, *, steps=60, norm=1.0, poisson=True, **options):
    """engine, model, optimizer, loader after some steps on rows of this length."""
    generator = torch.Generator().manual_seed(1)
    rows = torch.randn(N, 5, generator=generator, dtype=torch.float64)
    rows = (rows * (norm / rows.norm(dim=1, keepdim=True))).float()
    targets = (rows[:, :1] > 0).float()
    layer = linear() if model is None else model
    engine = opacus.PrivacyEngine()
    data = torch.utils.data.TensorDataset(rows, targets)
    objects = engine.make_private(
        module=layer,
        optimizer=optimizer(layer),
        data_loader=torch.utils.data.DataLoader(data, batch_size=30, shuffle=True),
        **{"noise_multiplier": 2.0, "max_grad_norm": 1.0, "poisson_sampling": poisson, **options},
    )
    run(*objects, steps)
    return engine, *objects


def run(model, optimizer, loader, steps):
    for x, y in islice(chain.from_iterable(repeat(loader)), steps):
        optimizer.zero_grad()
        scores = model(x)
        wanted = y.expand(-1, scores.shape[1])
        torch.nn.functional.binary_cross_entropy_with_logits(scores, wanted).backward()
        optimizer.step()


def by_hand(smoothness=0.25, **changes):
    fields = {"n": N, "batch_size": 30, "rate": 0.1, "steps": 60, "unlearning_steps": 0}
    more = {"step_size": 0.5, "ridge": 0.1, "rows": 4, "smoothness": smoothness}
    return SampledSGD(**{**fields, **more, **changes})


def test_the_steps_are_those_of_the_setting_written_by_hand():
    plan = opacus_plan(*trained(), **ASKED, row_norm=1.0)
    steps = least_unlearning_steps(by_hand(), 2.0, 1.0, 1e-5)
    assert plan.steps == steps > 0
    assert (plan.retraining, plan.ratio, plan.worth_it) == (60, steps / 60, True)
    assert plan.certified <= 1
    assert sampled_epsilon(by_hand(unlearning_steps=steps - 1), 2.0, 1e-5, "lower") > 1
    assert str(plan).startswith(f"{steps} unlearning steps, retraining 60: ")
    assert "rows are of norm 1 at most, public" in str(plan)


def test_a_plan_that_is_longer_than_retraining_says_so():
    objects = trained(steps=10)
    plan = opacus_plan(*objects, **ASKED)
    assert not plan.worth_it
    assert str(plan).startswith(f"{plan.steps} unlearning steps, retraining 10: retrain\n")
    with pytest.warns(RetrainingIsShorter, match="unlearning steps, retraining 10: retrain"):
        least_unlearning_steps(by_hand(steps=10), 2.0, 1.0, 1e-5)


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        (by_hand(ridge=0.0), "ridge is 0, without which steps do not forget"),
        (by_hand(smoothness=9.0), "a step of length 0.5 on .* rows does not contract"),
    ],
    ids=["no ridge", "a long step"],
)
def test_why_no_number_of_steps_is_enough_is_said(setting, reason):
    with pytest.raises(ValueError, match=f"epsilon must be within .*{reason}.* takes 60 steps"):
        least_unlearning_steps(setting, 2.0, 1e-3, 1e-5)


@pytest.mark.parametrize("bias", [False, True], ids=["no bias", "a bias"])
def test_a_bias_is_the_weight_of_a_column_of_ones(bias):
    plan = opacus_plan(*trained(linear(bias=bias), norm=1.5), **ASKED)
    assert plan.row_norm == pytest.approx(math.hypot(1.5, bias), rel=1e-6)
    assert plan.problem.smoothness == pytest.approx(plan.row_norm**2 / 4, rel=1e-12)
    assert plan.measured
    assert "computed from the rows" in str(plan)
    assert any("computed from" in x for x in plan.document()["predicate"]["conditions"])


def test_rows_are_measured_where_the_layer_reads_them():
    model = on_a_backbone()
    engine, model, optimizer, loader = trained(model)
    plan = opacus_plan(engine, model, optimizer, loader, **ASKED)
    layers = [each for each in model.modules() if isinstance(each, torch.nn.Linear)]
    rows = torch.stack([row for row, _ in loader.dataset])
    features = torch.tanh(layers[0](rows)).detach().double().numpy()
    longest = float(np.linalg.norm(features, axis=1).max())
    assert plan.row_norm == pytest.approx(math.hypot(longest, 1), rel=1e-6)


def doubled(batch):
    rows, targets = torch.utils.data.default_collate(batch)
    return 2 * rows, targets


def collating(objects, collate):
    """The same with a loader that collates in its own way."""
    engine, model, optimizer, loader = objects
    options = {"sample_rate": loader.sample_rate, "collate_fn": collate}
    return engine, model, optimizer, opacus.data_loader.DPDataLoader(loader.dataset, **options)


def test_rows_are_measured_as_the_loader_collates_them():
    objects = collating(trained(norm=0.5, steps=2), doubled)
    plan = opacus_plan(*objects, **ASKED)
    assert plan.row_norm == pytest.approx(1.0, rel=1e-6)
    _, model, optimizer, loader = objects
    names = {"model": model, "optimizer": optimizer, "loader": loader}
    exec(plan.snippet.replace("removed = []", "removed = [0, 1, 2, 3]"), names)
    first = names["x"]
    assert torch.allclose(first.norm(dim=1), torch.ones(len(first)))


def test_several_scores_of_a_row_are_refused():
    # A row of 3 parts, each of which the layer gives a score: its gradient clips in 3 directions.
    engine = opacus.PrivacyEngine()
    data = torch.utils.data.TensorDataset(torch.ones(N, 3, 5) / 3, torch.ones(N, 3, 1))
    layer = linear()
    objects = engine.make_private(
        module=layer,
        optimizer=sgd(layer),
        data_loader=torch.utils.data.DataLoader(data, batch_size=30),
        noise_multiplier=2.0,
        max_grad_norm=1.0,
    )
    model, optimizer, loader = objects
    x, y = data.tensors[0][:30], data.tensors[1][:30]
    torch.nn.functional.binary_cross_entropy_with_logits(model(x), y).backward()
    optimizer.step()
    with pytest.raises(ValueError, match="model must return one score of each row"):
        opacus_plan(engine, model, optimizer, loader, **ASKED)


@pytest.mark.parametrize("change", ["rows", "rate"])
def test_the_loader_is_that_of_the_training(objects, change):
    engine, model, optimizer, loader = objects
    rows, rate = loader.dataset, loader.sample_rate
    if change == "rows":
        rows = torch.utils.data.Subset(rows, range(N // 2))
    else:
        rate = rate / 2
    other = opacus.data_loader.DPDataLoader(rows, sample_rate=rate)
    with pytest.raises(ValueError, match="loader must be that of the training"):
        opacus_plan(engine, model, optimizer, other, **ASKED)


def test_the_rate_is_the_one_by_which_the_loader_draws():
    """Opacus counts 1/92 for a loader of 93 batches, as 1/(1/93) is below 93 in floats."""
    layer, engine = linear(), opacus.PrivacyEngine()
    generator = torch.Generator().manual_seed(1)
    rows = torch.nn.functional.normalize(torch.randn(930, 5, generator=generator))
    data = torch.utils.data.TensorDataset(rows, torch.ones(930, 1))
    made = engine.make_private(
        module=layer,
        optimizer=sgd(layer, lr=0.3),
        data_loader=torch.utils.data.DataLoader(data, batch_size=10),
        noise_multiplier=2.0,
        max_grad_norm=1.0,
    )
    run(*made, 2)
    assert engine.accountant.history == [(2.0, 1 / 92, 2)]
    assert opacus_plan(engine, *made, **ASKED).problem.rate == 1 / 93


def test_noise_that_float32_rounds_away_is_refused():
    objects = trained(steps=60, noise_multiplier=1e-5)
    with pytest.raises(ValueError, match=r"noise_multiplier must be at least 0\.000\d+: float32"):
        opacus_plan(*objects, **ASKED)


LAYER = "noisy steps are proved to forget for one Linear layer with one output; retrain"
REFUSED = {
    "Adam": (
        {"optimizer": lambda m: torch.optim.Adam(m.parameters(), lr=0.1)},
        "optimizer is Adam: only torch.optim.SGD without momentum is covered; retrain, or train "
        "anew with SGD",
    ),
    "momentum": (
        {"optimizer": lambda m: sgd(m, momentum=0.9)},
        "optimizer has momentum 0.9: only torch.optim.SGD without momentum is covered; retrain, or "
        "train anew with SGD",
    ),
    "two layers": (
        {"model": network},
        f"model has 2 trained layers: {LAYER}, or freeze all but the last layer",
    ),
    "outputs": ({"model": lambda: linear(3)}, f"model has 3 outputs: {LAYER}"),
    "no decay": (
        {"optimizer": lambda m: sgd(m, weight_decay=0.0)},
        "weight_decay is 0: without it steps do not forget by themselves; train with weight_decay "
        "> 0, or retrain",
    ),
    "a long step": (
        {"optimizer": lambda m: sgd(m, lr=8.0)},
        "lr 8 is too long for rows of norm 1: at most",
    ),
    "groups": (
        {
            "model": lambda: linear(bias=True),
            "optimizer": lambda m: torch.optim.SGD([{"params": [w]} for w in m.parameters()], 0.1),
        },
        "optimizer has 2 parameter groups: one learning rate and one weight_decay are covered",
    ),
    "by layer": (
        {"clipping": "per_layer", "max_grad_norm": [1.0]},
        "optimizer is DPPerLayerOptimizer: only a DPOptimizer of one process that clips the whole",
    ),
    "shuffled": ({"poisson": False}, "data_loader must sample by Poisson"),
    "a Sigmoid": (
        {"model": lambda: on_a_backbone(torch.nn.Sigmoid())},
        "model must return the output of its Linear layer as it is: a Sigmoid belongs to the loss",
    ),
    "Dropout": (
        {"model": lambda: on_a_backbone(torch.nn.Dropout(0.5))},
        "model must have no layer that draws a mask, got Dropout",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_accountant_covers_is_refused_in_a_line(name):
    how, line = REFUSED[name]
    made = {"steps": 2, **how}
    if "model" in made:
        made["model"] = made["model"]()
    objects = trained(**made)
    with pytest.raises(ValueError) as refusal:
        opacus_plan(*objects, **ASKED)
    text = str(refusal.value)
    assert text.startswith(line)
    assert "\n" not in text
    assert len(text) <= 300


@pytest.mark.parametrize("name", ["Adam", "momentum", "two layers", "outputs", "groups"])
def test_a_history_of_the_same_objects_is_refused_as_well(name):
    how, line = REFUSED[name]
    made = {"steps": 2, **how}
    if "model" in made:
        made["model"] = made["model"]()
    engine, model, optimizer, loader = trained(**made)
    with pytest.raises(ValueError) as refusal:
        from_opacus(engine, optimizer=optimizer, data_loader=loader, model=model)
    assert str(refusal.value).startswith(line)


def test_a_trained_layer_that_is_not_linear_is_refused():
    model = torch.nn.Conv1d(1, 1, 5)
    with pytest.raises(ValueError, match="model has a trained Conv1d"):
        opacus_plan(*trained_on(model), **ASKED)


def trained_on(model):
    """Objects of a linear model, but for another model in its place."""
    engine, _, optimizer, loader = trained(steps=2)
    return engine, model, optimizer, loader


def test_the_model_is_the_one_that_the_optimizer_trains():
    with pytest.raises(ValueError, match="optimizer must train all weights of the model's layer"):
        opacus_plan(*trained_on(linear()), **ASKED)


@pytest.mark.parametrize("norm", [1.0, 3.0], ids=["norm 1", "norm 3"])
def test_the_longest_step_and_the_longest_rows_that_are_named_are_accepted(norm):
    objects = trained(norm=norm, steps=30, optimizer=lambda m: sgd(m, lr=3.2))
    group = objects[2].original_optimizer.param_groups[0]
    with pytest.raises(ValueError) as refusal:
        opacus_plan(*objects, **ASKED)
    words = str(refusal.value).split()
    lr, length = float(words[words.index("most") + 1].rstrip(",")), float(words[-1])
    group["lr"] = lr
    assert opacus_plan(*objects, **ASKED).steps > 0
    group["lr"] = lr * 1.02
    with pytest.raises(ValueError, match="too long for rows"):
        opacus_plan(*objects, **ASKED)
    shorter = trained(norm=length, steps=30, optimizer=lambda m: sgd(m, lr=3.2))
    assert opacus_plan(*shorter, **ASKED).steps > 0


def test_the_snippet_makes_the_steps_on_the_rows_that_stay():
    engine, model, optimizer, loader = trained()
    places = [7, 3, 20, 299]
    plan = opacus_plan(engine, model, optimizer, loader, removed=places, epsilon=1.0, delta=1e-5)
    names = {"model": model, "optimizer": optimizer, "loader": loader}
    exec(plan.snippet, names)
    assert engine.accountant.history == [(2.0, 0.1, 60 + plan.steps)]
    assert len(names["kept"].dataset) == N - 4
    assert not set(names["kept"].dataset.indices) & set(places)
    unknown = opacus_plan(engine, model, optimizer, loader, **ASKED)
    with pytest.raises(AssertionError, match="the steps are planned for 4 rows"):
        exec(unknown.snippet, names)


def test_a_sum_of_losses_is_divided_by_nothing():
    objects = trained(optimizer=lambda m: sgd(m, lr=0.01), loss_reduction="sum")
    plan = opacus_plan(*objects, **ASKED)
    assert plan.problem.batch_size == 1
    assert 'reduction="sum"' in plan.snippet
    assert "expected_batch_size" not in plan.snippet


def test_another_loss_brings_its_curvature():
    objects = trained()
    plan = opacus_plan(*objects, **ASKED, curvature=0.5, row_norm=1.0)
    assert plan.problem.smoothness == pytest.approx(0.5)
    assert "criterion(model(x), y)" in plan.snippet
    assert plan.steps >= opacus_plan(*objects, **ASKED, row_norm=1.0).steps


def test_the_document_is_a_claim_that_holds_and_fails_with_fewer_steps(tmp_path):
    plan = opacus_plan(*trained(), **ASKED, row_norm=1.0)
    document = plan.document()
    predicate = document["predicate"]
    assert predicate["claim"] == {"epsilon": 1.0, "delta": 1e-5}
    assert predicate["retraining"] == 60
    assert [verdict.word for verdict in lint(predicate["mechanism"]).verdicts] == ["holds"]
    file = tmp_path / "unlearning.json"
    file.write_text(json.dumps(document))
    assert_claim(file, unlearning_steps=plan.steps, ridge=0.1)
    with pytest.raises(AssertionError, match="unlearning_steps is"):
        assert_claim(file, unlearning_steps=plan.steps - 10)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"removed": 0}, r"removed must be an integer in \[1, 299\], got 0"),
        ({"removed": []}, "removed must be from 1 to 299 rows, got 0"),
        ({"removed": [300]}, r"removed must be an integer in \[0, 299\], got 300"),
        ({"removed": True}, "removed must be"),
        ({"removed": [[1, 2]]}, "removed must be a number or places"),
        ({"epsilon": -1.0}, "epsilon must be"),
        ({"delta": None}, "delta must be"),
        ({"row_norm": 0.5}, "row_norm must be at least the norm of every row"),
        ({"row_norm": math.nan}, "row_norm must be"),
        ({"curvature": 0.0}, "curvature must be > 0"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "words",
)
def test_arguments_out_of_range_are_refused_by_name(objects, changes, words):
    with pytest.raises(ValueError, match=words):
        opacus_plan(*objects, **ASKED | changes)


@pytest.fixture(scope="module")
def objects():
    return trained(steps=20)


def test_noise_that_changed_on_the_way_is_refused():
    engine, model, optimizer, loader = trained(steps=5)
    optimizer.noise_multiplier = 3.0
    run(model, optimizer, loader, 5)
    with pytest.raises(ValueError, match="engine has changed the noise multiplier"):
        opacus_plan(engine, model, optimizer, loader, **ASKED)
