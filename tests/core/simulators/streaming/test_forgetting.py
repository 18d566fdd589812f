"""The forgetting term's value and gradient at w_0."""

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from simulators.streaming.forgetting import divergence, log_target, logit_gradient, own_class

INF = float("inf")


def logits_of(w, x):
    return torch.stack((w * x, torch.zeros_like(w)))


@pytest.mark.parametrize(
    ("x", "w0", "w", "log_q", "lam", "value", "slope"),
    [
        (1.0, 0.0, 0.3, (-0.2, 0.1), 1.0, 0.04466551009, 0.07500000000),
        (2.0, 0.5, 0.1, (-0.4, 0.0), 1000.0, 19.41548218, 157.2895466),
        (-1.5, 0.7, 0.9, (0.3, -0.1), 0.7, 0.03180625285, 0.08065152813),
    ],
)
def test_values(x, w0, w, log_q, lam, value, slope):
    start, point = torch.tensor(w0, dtype=float), torch.tensor(w, dtype=float)
    log_f0, log_f = (torch.log_softmax(logits_of(v, x), 0) for v in (start, point))
    q = torch.tensor(log_q, dtype=float)
    assert lam * divergence(log_f, log_f0, q).item() == pytest.approx(value, rel=1e-9)
    assert lam * x * logit_gradient(log_f0.exp(), q)[0].item() == pytest.approx(slope, rel=1e-9)


def numbers(count):
    return st.lists(st.floats(-3, 3), min_size=count, max_size=count)


@settings(max_examples=60, deadline=None)
@given(numbers(4), numbers(4), st.floats(-20, 20), st.booleans())
@example([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1e-10], 0.0, True)  # the sum rounds below 0
@example([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.9e-10], 0.0, True)
def test_gradient_is_that_of_the_divergence(logits, log_q, constant, normalised):
    u = torch.tensor(logits, dtype=float, requires_grad=True)
    q = torch.tensor(log_q, dtype=float)
    log_f = torch.log_softmax(u, 0)
    divergence(log_f, log_f.detach(), q, normalised=normalised).backward()
    found = logit_gradient(log_f.detach().exp(), q)
    np.testing.assert_allclose(found, u.grad, atol=1e-13)
    np.testing.assert_allclose(
        logit_gradient(log_f.detach().exp(), q + constant), found, atol=1e-13
    )


@settings(max_examples=60, deadline=None)
@given(numbers(4), numbers(4), st.integers(0, 3))
def test_gradient_without_an_exhausted_class(logits, log_q, gone):
    """(1 - f_e) KL between what is left of the two laws; nothing for the class itself."""
    u = torch.tensor(logits, dtype=float, requires_grad=True)
    q = torch.tensor(log_q, dtype=float)
    alive = torch.arange(4) != gone
    share = torch.log_softmax(u[alive], 0)
    target = torch.log_softmax(u[alive].detach() + q[alive], 0)
    value = (share.exp() * (share - target)).sum()
    weight = torch.softmax(u.detach(), 0)[alive].sum()
    (weight * value).backward()
    q[gone] = -INF
    found = logit_gradient(torch.softmax(u.detach(), 0), q)
    np.testing.assert_allclose(found, u.grad, atol=1e-13)
    assert found[gone] == 0


def test_exhausted_class_in_target_and_value():
    log_f = torch.log(torch.tensor([0.5, 0.3, 0.2], dtype=float))
    log_q = torch.tensor([0.1, -INF, -0.2], dtype=float)
    target = log_target(log_f, log_q).exp()
    assert target[1] == 0
    assert target.sum().item() == pytest.approx(1.0)
    assert divergence(log_f, log_f, log_q).item() == INF
    free = torch.log(torch.tensor([0.5, 0.0, 0.5], dtype=float))
    assert torch.isfinite(divergence(free, log_f, log_q))


def test_gradient_stays_finite_when_the_exhausted_class_is_certain():
    f = torch.tensor([1.0, 0.0, 0.0], dtype=float)
    log_q = torch.tensor([-INF, 1.0, 2.0], dtype=float)
    assert (logit_gradient(f, log_q) == 0).all()


def test_unnormalised_value_differs_by_the_normaliser():
    random = np.random.default_rng(0)
    log_f, log_f0 = (torch.log_softmax(torch.tensor(random.normal(size=(5, 3))), 1) for _ in "ab")
    log_q = torch.tensor(random.normal(size=(5, 3)))
    difference = divergence(log_f, log_f0, log_q, normalised=False) - divergence(
        log_f, log_f0, log_q
    )
    np.testing.assert_allclose(difference, -torch.logsumexp(log_f0 + log_q, 1), atol=1e-13)


def test_own_class_has_no_gradient():
    random = np.random.default_rng(0)
    log_f = torch.log_softmax(torch.tensor(random.normal(size=(1, 5, 3))), 2)
    log_q = torch.tensor(random.normal(size=(1, 5, 3)))
    log_q[0, 0, 1] = -INF
    labels = torch.tensor([[1, 0, 2, 1, 0]])
    own = own_class(log_q, labels)
    assert (own[0, 1:] == log_q[0, [1, 2, 3, 4], labels[0, 1:]][:, None]).all()
    assert logit_gradient(log_f.exp(), own).abs().max() < 1e-15
