"""The recursion against retraining, derivatives of training, and a dense copy of itself."""

from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from simulators.trajectory.generic import FunctionModel
from simulators.trajectory.newton import infinitesimal_jackknife, minimiser, newton_step
from simulators.trajectory.recursion import Recursion, differences
from simulators.trajectory.training import Training, batches_of, geometric_steps
from simulators.trajectory.variants import follow
from tests.equality import same_bits

CHOICES = [
    Recursion(hessian, scaling, last, order)
    for hessian in ("kept", "batch")
    for scaling in ("linear", "mean")
    for last in (None, 4)
    for order in ("early", "late")
]


def words(chosen):
    """An id: the choices."""
    last = "all" if chosen.last is None else f"last {chosen.last}"
    return f"{chosen.hessian} {chosen.scaling} {last} {chosen.order}"


def exact(model, training, forget, scaling="linear"):
    """v_T - w_T."""
    return training.run(model, forget, scaling).last - training.run(model).last


def derivatives(model, training):
    """Gradients and Hessians of the rows of every step."""
    found = []
    for t, w, _ in training.walk(model):
        if t < training.length:
            values = partial(model.values, rows=training.batches[t])
            found.append((torch.func.jacrev(values)(w), torch.func.hessian(values)(w)))
    return found


@pytest.fixture(scope="module", params=["logistic", "softmax"])
def known(request, problems):
    problem = getattr(problems, request.param)()
    return problem, derivatives(problem.model, problem.training)


def dense(model, training, known, forget, chosen):
    """The recursion for one set with every gradient and Hessian written out."""
    A = torch.zeros(model.parameters, dtype=torch.float64)
    first = 0 if chosen.last is None else training.length - chosen.last
    for t in range(first, training.length):
        rows, eta = training.batches[t], float(training.steps[t])
        g, H = known[t]
        gone = torch.from_numpy(np.isin(rows, list(forget)))
        b, m = len(rows), int(gone.sum())
        kept = ~gone if chosen.hessian == "kept" else torch.ones(b, dtype=torch.bool)
        share, G = eta / b, eta / b * g[gone].sum(0)
        if chosen.scaling == "mean" and chosen.hessian == "batch":
            G = eta / b * (g[gone] - g.mean(0)).sum(0)
        if chosen.scaling == "mean" and chosen.hessian == "kept":
            share = eta / (b - m) if m < b else 0.0
            G = eta * (g.mean(0) - (g[~gone].mean(0) if m < b else 0.0))
        move = torch.eye(len(A), dtype=torch.float64) - share * H[kept].sum(0)
        A = move @ A + G if chosen.order == "early" else move @ (A + G)
    return A.numpy()


@pytest.mark.parametrize("chosen", CHOICES, ids=words)
def test_all_choices_against_the_dense_recursion(known, chosen):
    problem, written = known
    sets = [[0], [1, 2, 3], list(range(5, 14)), list(problem.training.batches[4])]
    found = differences(problem.model, problem.training, sets, chosen, record_norms=True)
    for line, forget in enumerate(sets):
        expected = dense(problem.model, problem.training, written, forget, chosen)
        np.testing.assert_allclose(found.vectors[line], expected, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(found.norms[:, -1], np.linalg.norm(found.vectors, axis=1))
    same_bits(found.learned, problem.training.run(problem.model).last)


TWO_POINT = [  # decay, eta, T, D_T, batch a_T; "kept" is D_T
    (1.0, 0.5, 2, -0.4375, -0.375),
    (1.0, 0.5, 5, -0.7626953125, -0.484375),
    (1.0, 0.5, 60, -0.9999999681, -0.5),
    (0.5, 1.0, 2, -0.625, -0.5),
    (0.5, 1.0, 5, -0.7019958496, -0.5),
    (0.5, 1.0, 60, -0.7112119049, -0.5),
]


@pytest.mark.parametrize(("decay", "eta", "T", "D", "a"), TWO_POINT)
def test_two_points(problems, decay, eta, T, D, a):
    """hf.eq9: l_u = (w-1)^2/2, l_r = (w+1)^2/2 from 0; the paper's form is off by up to m/n."""
    model = problems.points_on_a_line([1.0, -1.0])
    training = Training((np.arange(2),) * T, geometric_steps(eta, decay, T), np.zeros(1))
    assert exact(model, training, [0])[0] == pytest.approx(D, rel=1e-9)
    assert differences(model, training, [[0]]).vectors[0, 0] == pytest.approx(D, rel=1e-9)
    paper = differences(model, training, [[0]], Recursion("batch")).vectors[0, 0]
    assert paper == pytest.approx(a, rel=1e-9)


@pytest.mark.parametrize(
    ("T", "D", "a"),
    [(2, 0.19, 0.18), (10, 0.6513215599, 0.387420489), (200, 0.9999999993, 1.567795357e-8)],
)
def test_a_sample_alone_in_its_batch(problems, T, D, a):
    """hf.eq9: B = {u}, w_0 = 1: the paper's a_T = T eta (1-eta)^{T-1} tends to 0, D_T to 1."""
    model = problems.points_on_a_line([0.0])
    training = Training((np.arange(1),) * T, np.full(T, 0.1), np.ones(1))
    assert exact(model, training, [0])[0] == pytest.approx(D, rel=1e-9)
    assert differences(model, training, [[0]]).vectors[0, 0] == pytest.approx(D, rel=1e-9)
    paper = differences(model, training, [[0]], Recursion("batch")).vectors[0, 0]
    assert paper == pytest.approx(a, rel=1e-9)


@given(
    seed=st.integers(0, 10**6),
    convex=st.booleans(),
    batch=st.integers(1, 7),
    epochs=st.integers(1, 4),
    scaling=st.sampled_from(["linear", "mean"]),
    m=st.integers(1, 6),
)
def test_the_kept_form_is_exact_on_quadratics(problems, seed, convex, batch, epochs, scaling, m):
    """Theorem of hf.eq9 and its "mean" variant: any Hessians, batches, steps and sets."""
    problem = problems.quadratics(seed, convex=convex, batch=batch, epochs=epochs)
    forget = np.random.default_rng(seed).permutation(problem.n)[:m]
    found = differences(problem.model, problem.training, [forget], Recursion("kept", scaling))
    points = problem.training.run(problem.model).points
    D = problem.training.run(problem.model, forget, scaling).last - points[-1]
    size = np.abs(points).max() + np.abs(D).max()
    assert np.abs(found.vectors[0] - D).max() <= 1e-12 * size


@pytest.mark.parametrize(
    "chosen",
    [Recursion("batch"), Recursion("kept", order="late"), Recursion("kept", "mean")],
    ids=words,
)
def test_the_other_forms_are_not(problems, chosen):
    """Against linear retraining: the paper's Hessian, its eq 23 order, and the wrong scaling."""
    problem = problems.quadratics(3)
    D = exact(problem.model, problem.training, [0, 1])
    found = differences(problem.model, problem.training, [[0, 1]], chosen).vectors[0]
    assert np.linalg.norm(found - D) > 0.01 * np.linalg.norm(D)


def test_the_paper_form_obeys_its_error_recursion_on_quadratics(problems):
    """hf.eq9: Delta <- (I - (eta/b) H_B) Delta + (eta/b) H_{B cap U} D."""
    problem, U = problems.quadratics(5), [0, 4]
    learned = problem.training.run(problem.model).points
    retrained = problem.training.run(problem.model, U).points
    gap = np.zeros(problem.d)
    for t, rows in enumerate(problem.training.batches):
        share = problem.training.steps[t] / len(rows)
        H = problem.A[rows].sum(0)
        H_U = problem.A[np.intersect1d(rows, U)].sum(0)
        gap = gap - share * H @ gap + share * H_U @ (retrained[t] - learned[t])
    found = differences(problem.model, problem.training, [U], Recursion("batch")).vectors[0]
    D = retrained[-1] - learned[-1]
    assert np.linalg.norm(gap) > 0.01 * np.linalg.norm(D)
    np.testing.assert_allclose(D - found, gap, rtol=1e-9, atol=1e-12)


def trained(model, training, s, scaling):
    """w_T when the weight of sample i is 1 - s_i at every visit; differentiable in s."""
    w = torch.tensor(training.start)
    for rows, eta in zip(training.batches, training.steps, strict=True):
        weights = 1.0 - s[torch.from_numpy(rows)]
        share = weights / (len(rows) if scaling == "linear" else weights.sum())

        def objective(v, share=share, rows=rows):
            return (share * model.values(v, rows)).sum()

        w = w - float(eta) * torch.func.grad(objective)(w)
    return w


def mlp(seed=0):
    """One hidden layer of tanh, 3 inputs, 17 parameters: not convex."""
    random = np.random.default_rng(seed)
    X, y = random.standard_normal((9, 3)), random.standard_normal(9)

    def loss(w, x, target):
        hidden = torch.tanh(w[:12].view(4, 3) @ x)
        return 0.5 * (w[12:16] @ hidden + w[16] - target) ** 2

    training = Training(
        batches_of(9, 4, 2, seed=seed),
        geometric_steps(0.3, 0.9, 6),
        0.5 * random.standard_normal(17),
    )
    return FunctionModel(loss, X, y, 17, chunk=4), training


@pytest.mark.parametrize("scaling", ["linear", "mean"])
@pytest.mark.parametrize("name", ["logistic", "mlp"])
def test_the_batch_form_is_the_derivative_of_training(problems, name, scaling):
    """hf eqs 11-13, corrected: a^{-u} = dW_T/ds_u at s = 0, for any smooth loss."""
    if name == "mlp":
        model, training = mlp()
    else:
        problem = problems.logistic(epochs=2)
        model, training = problem.model, problem.training
    zero = torch.zeros(model.size, dtype=torch.float64)
    J = torch.func.jacfwd(lambda s: trained(model, training, s, scaling))(zero)
    found = differences(model, training, "each", Recursion("batch", scaling)).vectors
    np.testing.assert_allclose(found, J.T.numpy(), rtol=1e-10, atol=1e-13)
    late = differences(model, training, "each", Recursion("batch", scaling, order="late"))
    assert np.abs(late.vectors - J.T.numpy()).max() > 1e-3 * np.abs(found).max()


@pytest.mark.parametrize("scaling", ["linear", "mean"])
def test_the_batch_form_adds_up(problems, scaling):
    """hf Theorem 3.1, on a loss that is not convex; the kept form cannot."""
    model, training = mlp(3)
    sets = [[0], [1], [5], [0, 1, 5]]
    one, two, three, together = differences(
        model, training, sets, Recursion("batch", scaling)
    ).vectors
    np.testing.assert_allclose(one + two + three, together, rtol=1e-11, atol=1e-14)
    one, two, three, together = differences(
        model, training, sets, Recursion("kept", scaling)
    ).vectors
    gap = np.linalg.norm(one + two + three - together)
    assert gap > 1e-3 * np.linalg.norm(together)


def test_the_gap_of_summed_kept_statistics(problems):
    """hf.thm3.1: G <- (I - (eta/b) H_kept) G + (eta/b) sum_u H_{B cap U minus u} A^u."""
    problem, U = problems.logistic(), [0, 3, 8, 15]
    A = {u: np.zeros(problem.d) for u in U}
    G = np.zeros(problem.d)
    for t, w, _ in problem.training.walk(problem.model):
        if t == problem.training.length:
            break
        rows = problem.training.batches[t]
        share = problem.training.steps[t] / len(rows)
        g = torch.func.jacrev(lambda v, rows=rows: problem.model.values(v, rows))(w).numpy()
        H = torch.func.hessian(lambda v, rows=rows: problem.model.values(v, rows))(w).numpy()
        hit = np.isin(rows, U)
        G = G - share * H[~hit].sum(0) @ G
        for u in U:
            G = G + share * H[hit & (rows != u)].sum(0) @ A[u]
            A[u] = A[u] - share * H[rows != u].sum(0) @ A[u] + share * g[rows == u].sum(0)
    *single, together = differences(problem.model, problem.training, [[u] for u in U] + [U]).vectors
    assert np.linalg.norm(G) > 1e-4
    np.testing.assert_allclose(together - np.sum(single, axis=0), G, rtol=1e-9, atol=1e-13)


def test_smallest_gap(problems):
    """n = 3, U = {1, 2}, c = (1, 2, -1), eta = 1/2, T = 2: -1/12."""
    model = problems.points_on_a_line([1.0, 2.0, -1.0])
    training = Training((np.arange(3),) * 2, np.full(2, 0.5), np.zeros(1))
    one, two, together = differences(model, training, [[0], [1], [0, 1]]).vectors[:, 0]
    assert together - one - two == pytest.approx(-1 / 12, rel=1e-12)


@pytest.mark.parametrize(("n", "m", "paper", "kept"), [(10, 3, 0.3, 2 / 9), (20, 10, 0.5, 9 / 19)])
def test_relative_errors_at_convergence(problems, n, m, paper, kept):
    """hf.thm3.1: the paper's sum is off by m/n, the sum of kept statistics by (m-1)/(n-1)."""
    c = np.random.default_rng(n).standard_normal(n)
    training = Training((np.arange(n),) * 400, np.full(400, 0.3), np.zeros(1))
    model = problems.points_on_a_line(c)
    D = exact(model, training, range(m))[0]
    for hessian, error in (("batch", paper), ("kept", kept)):
        found = differences(
            model, training, [[u] for u in range(m)], Recursion(hessian)
        ).vectors.sum()
        assert (D - found) / D == pytest.approx(error, rel=1e-9)


def test_long_training_tends_to_the_newton_step_and_the_jackknife(problems):
    """hf.eq9: "kept" -> NS and "batch" -> IJ at the minimiser, full batch."""
    problem, U = problems.logistic(ridge=0.3), [2, 5, 7]
    training = Training((np.arange(problem.n),) * 600, np.full(600, 0.8), np.zeros(problem.d))
    best = minimiser(problem.model)
    kept = differences(problem.model, training, [U]).vectors[0]
    batch = differences(problem.model, training, [U], Recursion("batch")).vectors[0]
    newton, jackknife = (
        newton_step(problem.model, best, U),
        infinitesimal_jackknife(problem.model, best, U),
    )
    np.testing.assert_allclose(kept, newton, rtol=1e-9)
    np.testing.assert_allclose(batch, jackknife, rtol=1e-9)
    assert np.linalg.norm(newton - jackknife) > 0.01 * np.linalg.norm(newton)


@pytest.mark.parametrize("variant", ["products", "explicit", "gram"])
@pytest.mark.parametrize("chosen", CHOICES[::3], ids=words)
@pytest.mark.parametrize("name", ["logistic", "softmax"])
def test_all_variants_find_the_same(problems, name, chosen, variant):
    problem = getattr(problems, name)()
    reference = differences(problem.model, problem.training, "each", chosen, record_norms=True)
    for memory in (1 << 30, 2000.0):
        found = follow(
            problem.model,
            problem.training,
            "each",
            chosen,
            variant=variant,
            memory=memory,
            record_norms=True,
        )
        np.testing.assert_allclose(found.vectors, reference.vectors, rtol=1e-9, atol=1e-14)
        np.testing.assert_allclose(found.norms, reference.norms, rtol=1e-9, atol=1e-14)
        np.testing.assert_allclose(found.learned, reference.learned, rtol=1e-12)


def test_memory_changes_nothing_and_files_are_filled_in_parts(problems, tmp_path):
    problem = problems.logistic()
    reference = differences(problem.model, problem.training, "each", record_norms=True)
    out = np.lib.format.open_memmap(
        tmp_path / "a.npy", mode="w+", dtype=np.float64, shape=(problem.n, problem.d)
    )
    seen = []
    found = differences(
        problem.model,
        problem.training,
        "each",
        out=out,
        memory=200.0,
        record_norms=True,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert found.vectors is out
    np.testing.assert_allclose(out, reference.vectors, rtol=1e-12, atol=1e-16)
    np.testing.assert_allclose(found.norms, reference.norms, rtol=1e-12)
    passes = len(seen) // problem.training.length
    assert passes > 3
    assert seen[-1] == (problem.n * problem.training.length,) * 2
    assert seen == sorted(seen)


def test_an_initial_vector_is_carried_along(problems):
    """Two halves of a training, the second from what the first found."""
    problem, training = problems.logistic(), problems.logistic().training
    whole = differences(problem.model, training, "each").vectors
    middle = training.run(problem.model).points[5]
    first = differences(problem.model, training.part(0, 5, training.start), "each").vectors
    rest = training.part(5, training.length, middle)
    second = differences(problem.model, rest, "each", initial=first).vectors
    same_bits(second, whole)
    # Before the last four steps nothing moves: the lengths are those of the start.
    late = differences(
        problem.model, rest, "each", Recursion(last=4), initial=first, record_norms=True
    )
    start = np.linalg.norm(first, axis=1)
    np.testing.assert_allclose(late.norms[:, : rest.length - 4].T, [start] * (rest.length - 4))
    same_bits(differences(problem.model, rest, "each", initial=first, out=first).vectors, whole)


def test_an_active_clip_is_reported(problems):
    """hf.alg1-clip: l = 3w twice, C = 1: both runs clip to 1, D = 0, and the statistic is 3/2."""
    model = FunctionModel(lambda w, x, y: 3.0 * w[0], np.ones((2, 1)), np.ones(2), 1)
    training = Training(([0, 1],), np.ones(1), np.zeros(1), clip=1.0)
    found = differences(model, training, [[0]], Recursion("batch"))
    assert found.clip_active
    assert found.vectors[0, 0] == pytest.approx(1.5)
    assert exact(model, training, [0])[0] == 0.0
    loose = Training(([0, 1],), np.ones(1), np.zeros(1), clip=3.5)
    assert not differences(model, loose, [[0]]).clip_active


def test_bad_input(problems):
    problem = problems.logistic()
    arguments = (problem.model, problem.training)
    for forget, message in (
        ("all", "forget must be one of"),
        ([], "forget must hold at least one set"),
        ([[99]], "forget must be an integer in"),
        ([[]], "forget"),
    ):
        with pytest.raises(ValueError, match=message):
            differences(*arguments, forget)
    for options, message in (
        ({"memory": 0.0}, "memory must be > 0"),
        ({"out": np.zeros((2, 4))}, r"out must be a float64 array of shape \(1, 4\)"),
        ({"out": np.zeros((1, 4), dtype=np.float32)}, "out must be a float64"),
        ({"initial": np.zeros(4)}, "initial must be a float64"),
    ):
        with pytest.raises(ValueError, match=message):
            differences(*arguments, [[0]], **options)
    for options in ({"hessian": "all"}, {"scaling": "sum"}, {"last": -1}, {"order": "never"}):
        with pytest.raises(ValueError, match=next(iter(options))):
            Recursion(**options)
    with pytest.raises(ValueError, match="variant must be one of"):
        follow(*arguments, [[0]], variant="fast")
    with pytest.raises(ValueError, match="variant must be 'products' or 'explicit'"):
        follow(*arguments, [[0]], variant="gram", initial=np.zeros((1, 4)))
