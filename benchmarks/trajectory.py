"""Speed of the statistics of all n samples (paper hf), and of deleting one of them.

    python benchmarks/trajectory.py [--n 1000] [--epochs 50] [--classes 10] [--threads 1] [--loop 3]

L2-logistic regression with d = 784 and 10 classes (7,840 parameters; --classes 1 for two classes
by one score), full batch, float64.  Columns:

time     all n statistics, trained along the way, for each equivalent way to find them;
floor    the matrix products of that way alone, measured at the same shapes: its operation count
         at the speed the machine gives them;
ratio    time over floor;
state    bytes of the statistics (and what the way holds besides);
peak     resident memory of the process at its highest, data and libraries included.

The paper's way is one sample at a time, Hessian-vector products along the stored path: as eq 11
is printed, and by its recursion.  It is measured on a few samples and extrapolated to n, which is
fair: samples are independent, and the path is stored once and not counted.

Every way runs in a process of its own, so that peaks do not mix.  With one thread, seconds are the
processor's, which other work hardly changes; with more, the wall clock's.  The last lines time the
deletion of one sample, one vector addition, against a copy of as many bytes.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import torch

from simulators.data.dataset import Dataset
from simulators.losses.logistic import Logistic
from simulators.losses.softmax import Softmax
from simulators.trajectory import operations
from simulators.trajectory.models import LinearScore, SoftmaxScore
from simulators.trajectory.recollection import Recollection
from simulators.trajectory.recursion import Recursion, differences
from simulators.trajectory.training import Training, batches_of, geometric_steps
from simulators.trajectory.variants import follow

D = 784
HESSIANS = ("batch", "kept")


def clock() -> float:
    """Seconds."""
    return time.process_time() if torch.get_num_threads() == 1 else time.perf_counter()


def problem(n: int, epochs: int, classes: int) -> tuple[LinearScore | SoftmaxScore, Training]:
    """Rows like scaled pixels; hf's steps .05 * .995^t and regularisation 1e-6."""
    random = np.random.default_rng(0)
    labels = random.integers(0, max(classes, 2), n).astype(float)
    centres = random.random((max(classes, 2), D))
    features = np.clip(centres[labels.astype(int)] + 0.3 * random.standard_normal((n, D)), 0, 1)
    features /= np.sqrt(D)
    model: LinearScore | SoftmaxScore
    if classes == 1:
        model = LinearScore(Logistic(1e-6), Dataset(features, 2 * labels - 1))
    else:
        loss = Softmax(classes=classes, regularisation=1e-6)
        model = SoftmaxScore(loss, Dataset(features, labels))
    batches = batches_of(n, n, epochs, shuffle=False)
    start = np.zeros(model.parameters)
    return model, Training(batches, geometric_steps(0.05, 0.995, epochs), start)


def peak_memory() -> float:
    """Bytes resident at most so far; nan where the system does not tell."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return float("nan")
    return 1024.0 * int(next(line for line in lines if line.startswith("VmHWM")).split()[1])


def once(work: object) -> float:
    """Seconds of one call."""
    start = clock()
    work()  # type: ignore[operator]
    return clock() - start


def floor(model: LinearScore | SoftmaxScore, training: Training, variant: str) -> float:
    """The products of a variant, at its shapes, as many times as it makes them."""
    n, steps, classes = model.size, training.length, model.scores
    X = model.rows
    if variant == "products":
        A = torch.zeros((n * classes, D), dtype=torch.float64)
        Z = torch.zeros((n * classes, n), dtype=torch.float64)
        best = min(
            once(lambda: (torch.mm(A, X.T, out=Z), A.addmm_(Z, X, alpha=-1e-3))) for _ in range(3)
        )
        return best * steps
    if variant == "explicit":
        A, H = torch.zeros((n, D), dtype=torch.float64), torch.ones((D, D), dtype=torch.float64)
        return min(once(lambda: (X.T @ X, A @ H)) for _ in range(3)) * steps
    span = n + classes
    K = torch.ones((span, span), dtype=torch.float64)
    A = torch.zeros((n * classes, span), dtype=torch.float64)
    Z = torch.zeros((n * classes, n), dtype=torch.float64)
    best = min(once(lambda: torch.mm(A, K[:n].T, out=Z)) for _ in range(3))
    basis = torch.zeros((span, D), dtype=torch.float64)
    return best * steps + once(lambda: A @ basis) + once(lambda: basis @ basis.T)


def measure(n: int, epochs: int, classes: int, variant: str, hessian: str) -> None:
    """One way: time, peak, then its floor."""
    model, training = problem(n, epochs, classes)
    follow(model, training.part(0, 1, training.start), [[0]], variant=variant)
    start = clock()
    follow(model, training, "each", Recursion(hessian), variant=variant, memory=1 << 34)
    spent = clock() - start
    peak = peak_memory()
    least = floor(model, training, variant)
    count = getattr(operations, variant)(model, training, n)
    print(
        f"{variant:9s} {hessian:6s} {count.flops:10.3e} {spent:9.2f} {least:9.2f} "
        f"{spent / least:7.2f} {count.flops / spent / 1e9:9.1f} {count.state_bytes / 1e6:9.1f} "
        f"{peak / 1e6:9.0f} {spent:.6f}"
    )


def loops(n: int, epochs: int, classes: int, samples: int) -> tuple[float, float, float]:
    """Seconds for n samples one by one, extrapolated: by eq 11, by autograd, by the closed form.

    The first takes hf eq 11 (Algorithm 1, Stage II) as it is printed, the sum of a product of
    Hessian steps with each gradient: T(T - 1)/2 Hessian-vector products a sample, measured on one.
    The others follow the recursion, one product a step.  The first two take the product from
    automatic differentiation of the batch's loss (gradient, then the gradient of its inner product
    with v); the last is the best a loop can do: two products, everything else prepared.
    """
    model, training = problem(n, epochs, classes)
    path = torch.tensor(training.run(model).points)
    tangents = [model.tangent(path[t], rows) for t, rows in enumerate(training.batches)]
    rows = np.linspace(0, n - 1, samples).astype(int)

    def autograd(t: int, v: torch.Tensor) -> torch.Tensor:
        w = path[t].clone().requires_grad_()
        total = model.values(w, training.batches[t]).sum()
        (slope,) = torch.autograd.grad(total, w, create_graph=True)
        return torch.autograd.grad(slope @ v, w)[0]

    def closed(t: int, v: torch.Tensor) -> torch.Tensor:
        return tangents[t].apply(v[None, :])[0]

    ours = differences(model, training, [[row] for row in rows], Recursion("batch")).vectors
    spent = []
    start = clock()
    total = torch.zeros(model.parameters, dtype=torch.float64)
    for t, tangent in enumerate(tangents):
        v = torch.zeros((1, model.parameters), dtype=torch.float64)
        scale = torch.tensor([float(training.steps[t]) / n], dtype=torch.float64)
        tangent.add_gradients_(v, torch.tensor([0]), torch.tensor([rows[0]]), scale)
        moved = v[0]
        for later in range(t + 1, training.length):
            moved = moved - float(training.steps[later]) / n * autograd(later, moved)
        total += moved
    spent.append((clock() - start) * n)
    np.testing.assert_allclose(total.numpy(), ours[0], rtol=1e-9, atol=1e-15)
    for product in (autograd, closed):
        start = clock()
        for line, row in enumerate(rows):
            v = torch.zeros(model.parameters, dtype=torch.float64)
            for t, tangent in enumerate(tangents):
                eta = float(training.steps[t]) / n
                v = v - eta * product(t, v)
                scale = torch.tensor([eta], dtype=torch.float64)
                line_0, column = torch.tensor([0]), torch.tensor([row])
                tangent.add_gradients_(v[None, :], line_0, column, scale)
            np.testing.assert_allclose(v.numpy(), ours[line], rtol=1e-9, atol=1e-15)
        spent.append((clock() - start) / samples * n)
    return spent[0], spent[1], spent[2]


def deletion(n: int, parameters: int) -> tuple[float, float]:
    """Seconds to delete one sample, and to copy as many bytes as the addition moves (24 p)."""
    random = np.random.default_rng(0)
    statistics = random.standard_normal((n, parameters))
    best = [np.inf, np.inf]
    for _ in range(5):
        store = Recollection(statistics, np.zeros(parameters), Recursion("batch"))
        rows = random.permutation(n)
        point = store.point
        start = clock()
        for row in rows:
            point += statistics[row]
        best[0] = min(best[0], (clock() - start) / n)
        source = np.ones((n, parameters * 3 // 2))
        target = np.empty(parameters * 3 // 2)
        start = clock()
        for row in rows:
            np.copyto(target, source[row])
        best[1] = min(best[1], (clock() - start) / n)
    return best[0], best[1]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--n", type=int, default=1000)
    parser.add_argument("--epochs", type=int, default=50)
    parser.add_argument("--classes", type=int, default=10)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--loop", type=int, default=3, help="samples of the one-by-one loop")
    parser.add_argument("--only", nargs=2, metavar=("VARIANT", "HESSIAN"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    if options.only:
        measure(options.n, options.epochs, options.classes, *options.only)
        return
    print(
        f"all {options.n} statistics, {options.classes} x {D} parameters, full batch, "
        f"{options.epochs} epochs, {options.threads} thread(s)\n"
    )
    head = ("flop", "time s", "floor s", "ratio", "Gflop/s", "state MB", "peak MB")
    print(
        f"{'way':9s} {'H':6s} {head[0]:>10s} {head[1]:>9s} {head[2]:>9s} {head[3]:>7s} "
        f"{head[4]:>9s} {head[5]:>9s} {head[6]:>9s}"
    )
    times = {}
    variants = ("products", "gram") + (("explicit",) if options.classes == 1 else ())
    for variant in variants:
        for hessian in HESSIANS:
            sizes = [
                "--n",
                str(options.n),
                "--epochs",
                str(options.epochs),
                "--classes",
                str(options.classes),
            ]
            done = subprocess.run(
                [
                    sys.executable,
                    __file__,
                    *sizes,
                    "--threads",
                    str(options.threads),
                    "--only",
                    variant,
                    hessian,
                ],
                capture_output=True,
                text=True,
                check=True,
            )
            shown, exact = done.stdout.strip().rsplit(" ", 1)
            times[variant, hessian] = float(exact)
            print(shown, flush=True)
    printed, autograd, closed = loops(options.n, options.epochs, options.classes, options.loop)
    print(
        f"\none sample at a time, extrapolated to {options.n}: hf eq 11 as printed {printed:.0f} s "
        f"(1 sample measured), its recursion by autograd {autograd:.0f} s, by the closed form "
        f"{closed:.0f} s ({options.loop} measured)"
    )
    for (variant, hessian), spent in times.items():
        ratios = "".join(f"{loop / spent:8.1f}" for loop in (printed, autograd, closed))
        print(f"  over {variant:9s} {hessian:6s}{ratios} times")
    model, training = problem(options.n, options.epochs, options.classes)
    best = operations.fastest(model, training, options.n)
    print(f"least operations: {best}")
    delete, copy = deletion(options.n, model.parameters)
    moved = 24 * model.parameters
    print(
        f"\ndeletion of one sample: {1e6 * delete:.1f} us, {moved / delete / 1e9:.1f} GB/s; "
        f"copying as many bytes: {1e6 * copy:.1f} us, {moved / copy / 1e9:.1f} GB/s"
    )


if __name__ == "__main__":
    main()
