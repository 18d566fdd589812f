"""A step is what its docstring says: the draws, the clip, the sum, the noise, the divisor."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from forgetproof.engine import LOSSES, RecordedTraining
from tests.core.engine.examples import ROWS, data, layer, settings

VALUES = {
    "logistic": lambda p, y: torch.nn.functional.softplus(-y * p),
    "squared_hinge": lambda p, y: (1 - y * p).clamp(min=0) ** 2 / 2,
    "squares": lambda p, y: (p - y) ** 2 / 2,
    "huber": lambda p, y: torch.nn.functional.huber_loss(p, y, reduction="none", delta=1.0),
    "hinge": lambda p, y: torch.where(
        1 - y * p < 0.5, (1 - y * p).clamp(min=0) ** 2, 1 - y * p - 0.25
    ),
}
MARGINS = torch.linspace(-4, 4, 4001, dtype=torch.float64)


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("target", [-1.0, 1.0])
def test_a_slope_is_the_derivative_of_its_loss(name, target):
    p = MARGINS.clone().requires_grad_()
    y = torch.full_like(MARGINS, target)
    (derivative,) = torch.autograd.grad(VALUES[name](p, y).sum(), p)
    assert torch.allclose(LOSSES[name].slope(MARGINS, y), derivative, atol=1e-12)


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("target", [-1.0, 1.0])
def test_a_slope_rises_and_is_no_steeper_than_the_curvature(name, target):
    slopes = LOSSES[name].slope(MARGINS, torch.full_like(MARGINS, target))
    quotients = slopes.diff() / MARGINS.diff()
    assert quotients.min() >= -1e-9
    assert quotients.max() <= LOSSES[name].curvature * (1 + 1e-9)
    assert quotients.max() >= LOSSES[name].curvature * 0.99


@pytest.mark.parametrize("bias", [False, True], ids=["plain", "with a bias"])
@pytest.mark.parametrize(("name", "outputs"), [("logistic", 1), ("logistic", 4), ("squares", 2)])
def test_the_sum_is_that_of_rows_clipped_one_by_one(name, outputs, bias):
    s = settings(loss=name, outputs=outputs, clip=0.3, row_bound=1.5)
    rows, targets = data(outputs, LOSSES[name].signs)
    model = layer(outputs, bias)
    for weights in model.parameters():
        torch.nn.init.normal_(weights, generator=torch.Generator().manual_seed(0))
    run = RecordedTraining(s, model, rows, targets)
    batch = torch.arange(0, ROWS, 3)
    sums = run.rule.clipped_sum(batch)
    wanted = [torch.zeros_like(each) for each in model.parameters()]
    for place in batch.tolist():
        for output in range(outputs):
            p = torch.nn.functional.linear(
                run.rule._rows[place], *[w.detach().requires_grad_() for w in model.parameters()]
            )
            y = run.rule._targets[place]
            slope = LOSSES[name].slope(p, y)[output].item()
            x = torch.cat([run.rule._rows[place], torch.ones(int(bias))])
            g = slope * x
            g = g * min(1, 0.3 / g.norm().item())
            wanted[0][output] += g[: rows.shape[1]]
            if bias:
                wanted[1][output] += g[-1]
    for got, each in zip(sums, wanted, strict=True):
        assert torch.allclose(got, each, atol=1e-12)


@given(
    bound=st.floats(1.01, 100),
    scale=st.floats(1e-3, 1e6),
    bias=st.booleans(),
    dtype=st.sampled_from([torch.float32, torch.float64]),
)
def test_rows_are_no_longer_than_their_bound_and_keep_their_direction(bound, scale, bias, dtype):
    rows, targets = data(dtype=dtype)
    model = layer(bias=bias, dtype=dtype)
    rule = RecordedTraining(settings(row_bound=bound), model, rows * scale, targets).rule
    ones = torch.ones(ROWS, int(bias), dtype=dtype)
    lengths = torch.linalg.vector_norm(torch.cat([rule._rows, ones], dim=1), dim=1)
    assert lengths.max() <= bound
    short = torch.linalg.vector_norm(rows, dim=1) * scale < math.sqrt(bound**2 - bias) * 0.999
    assert torch.equal(rule._rows[short], (rows * scale)[short])
    cosines = torch.nn.functional.cosine_similarity(rule._rows, rows)
    assert cosines.min() > 1 - 1e-5


def test_autograd_and_a_rule_in_closed_form_clip_alike():
    s = settings(loss="any", clip=0.2, row_bound=10.0, epsilon=1e9)
    rows, targets = data()
    model = layer()
    torch.nn.init.normal_(model.weight, generator=torch.Generator().manual_seed(1))

    def criterion(prediction, target):
        return torch.nn.functional.binary_cross_entropy_with_logits(prediction[:, 0], target)

    def gradients(weights, x, y):
        slopes = (x @ weights[0].T).sigmoid() - y[:, None]
        return [slopes[:, :, None] * x[:, None, :]]

    by_autograd = RecordedTraining(s, model, rows, targets, criterion=criterion).rule
    closed = RecordedTraining(s, model, rows, targets, rule=gradients).rule
    head = RecordedTraining(settings(clip=0.2, row_bound=10.0), model, rows, targets).rule
    batch = torch.arange(10)
    for rule in (closed, head):
        assert torch.allclose(by_autograd.clipped_sum(batch)[0], rule.clipped_sum(batch)[0])
    assert by_autograd.clipped_sum(batch[:0])[0].abs().sum() == 0


def test_a_gradient_without_a_norm_counts_as_nothing():
    rows, targets = data()
    rule = RecordedTraining(
        settings(loss="any", epsilon=1e9),
        layer(),
        rows,
        targets,
        rule=lambda w, x, y: [torch.full((len(x), 1, 3), math.inf, dtype=torch.float64)],
    ).rule
    assert rule.clipped_sum(torch.arange(5))[0].abs().sum() == 0


@given(
    scale=st.floats(1e-3, 1e6),
    outputs=st.integers(1, 5),
    clip=st.floats(1e-3, 10),
    seed=st.integers(0, 99),
)
def test_no_row_moves_the_sum_by_more_than_its_clip(scale, outputs, clip, seed):
    rng = np.random.default_rng(seed)
    rows = torch.tensor(rng.normal(size=(2, 3)) * scale)
    s = settings(rows=2, divisor=1, outputs=outputs, clip=clip, loss="squares", row_bound=5.0)
    model = layer(outputs)
    torch.nn.init.normal_(model.weight, std=100.0, generator=torch.Generator().manual_seed(seed))
    run = RecordedTraining(s, model, rows, torch.tensor(rng.normal(size=(2, outputs)) * scale))
    moved = torch.linalg.vector_norm(run.rule.clipped_sum(torch.tensor([0]))[0])
    assert moved <= s.row_clip * (1 + 1e-12)
    # At this size every row is clipped, and the bound is attained.
    if scale > 1e3:
        assert moved >= s.row_clip * (1 - 1e-12)


@pytest.mark.parametrize("radius", [math.inf, 0.01])
def test_one_step_is_the_update_with_its_own_noise(radius):
    s = settings(noise=0.5, clip=0.7, decay=0.1, radius=radius)
    rows, targets = data()
    model = layer()
    torch.nn.init.normal_(model.weight, generator=torch.Generator().manual_seed(2))
    run = RecordedTraining(s, model, rows, targets, seed=3)
    copy = np.random.Generator(np.random.Philox(key=3))
    batch = np.flatnonzero(copy.random(ROWS) < s.rate)
    before = model.weight.detach().clone()
    total = run.rule.clipped_sum(torch.from_numpy(batch))[0]
    noise = torch.tensor(copy.standard_normal((1, 3)))
    wanted = before - (total + 0.5 * s.row_clip * noise) / 20 - 0.1 * before
    wanted = wanted * min(1.0, radius / wanted.norm().item())
    run.train(1)
    assert torch.allclose(model.weight, wanted, atol=1e-15)
    assert model.weight.norm() <= radius * (1 + 1e-12)


def test_the_noise_has_the_deviation_that_is_recorded():
    s = settings(noise=2.0, outputs=4, decay=0.0, step_size=1.0, divisor=1, rate=1e-9)
    run = RecordedTraining(s, layer(4), *data(4), seed=0)
    steps = []
    for _ in range(500):
        before = run.model.weight.detach().clone()
        run.steps.step(np.arange(0))
        steps.append((run.model.weight - before).detach().numpy().ravel())
    deviation = np.std(steps)
    assert abs(deviation / s.deviation - 1) < 5 / math.sqrt(2 * 500 * 12)
    assert s.deviation == pytest.approx(2.0 * 2.0)


def test_the_coins_have_the_rate_and_do_not_follow_who_is_there():
    s = settings(rate=0.3)
    run, other = (RecordedTraining(s, layer(), *data(), seed=5) for _ in range(2))
    other.table.remove([0, 1, 2])
    counts = np.zeros(ROWS)
    for _ in range(300):
        batch, less = run.steps.draw(run.table.present), other.steps.draw(other.table.present)
        counts[batch] += 1
        assert less.tolist() == [row for row in batch.tolist() if row > 2]
    assert abs(counts.mean() / 300 - 0.3) < 5 * math.sqrt(0.3 * 0.7 / (300 * ROWS))


def test_what_is_pickled_draws_anew():
    import pickle

    run = RecordedTraining(settings(), layer(), *data())
    copy = pickle.loads(pickle.dumps(run.source))
    assert (copy.inclusions(60, 0.5) != run.source.inclusions(60, 0.5)).any()
    assert copy.secret


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rows", 1),
        ("rate", 0.0),
        ("rate", 1.5),
        ("rate", math.nan),
        ("divisor", 41),
        ("divisor", 2.5),
        ("noise", 0.0),
        ("noise", math.inf),
        ("step_size", -1.0),
        ("decay", math.nan),
        ("steps", 0),
        ("steps", True),
        ("epsilon", -1.0),
        ("delta", 0.0),
        ("delta", 1.0),
        ("clip", 0.0),
        ("loss", "softmax"),
        ("outputs", 0),
        ("row_bound", math.inf),
        ("radius", 0.0),
        ("deletions", 40),
        ("most_steps", -1),
    ],
)
def test_settings_out_of_range_are_refused_by_name(field, value):
    with pytest.raises(ValueError, match=f"^{field} must"):
        settings(**{field: value})


def test_settings_round_up_the_clip_of_a_row():
    s = settings(outputs=10)
    assert s.row_clip > math.sqrt(10)
    assert s.row_clip == pytest.approx(math.sqrt(10), rel=1e-15)
