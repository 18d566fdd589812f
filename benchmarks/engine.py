"""Speed of the batched engine: trial-steps per second on L2-logistic regression.

    python benchmarks/engine.py [--device cuda] [--seconds 0.5]

n = 2000, d = 64, batches of 128 (15 a pass, the last 80 rows dropped).  Columns: the engine; a
plain numpy loop over trials; how many times the two matrix products of its steps the engine takes,
and these with the noise, at its block shape, measured side by side; then the same step written
plainly with torch.sigmoid and torch.normal_ (column "torch").  One thread, processor time.
Then two threads, in wall time, and ways to make normal numbers.

On a device blocks have at least 1,024 trials, and two floors take the place of the loop: the two
products, measured, and what four kernels have to read and write (scores; slopes; sum of rows;
noise with projection), at the bandwidth of a copy measured in the same run.
"""

import argparse
import math
import time
from collections.abc import Callable

import numpy as np
import torch

from simulators.data.synthetic import two_gaussians
from simulators.domains import WholeSpace
from simulators.engine.blocks import natural_size
from simulators.engine.noisy_descent import Machine, Phase, run_coupled
from simulators.losses.logistic import Logistic
from simulators.random import normals
from simulators.random.normals import Normals
from simulators.random.seeds import Purpose, key

N, D, B = 2000, 64, 128
LAMBDA, ETA, SIGMA = 0.01, 1.0, 0.05
NOISE = math.sqrt(2 * ETA) * SIGMA
DATA = two_gaussians(N, D, seed=0).normalised().trimmed(B)
BATCHES = np.arange(len(DATA)).reshape(-1, B)


def rate(
    work: Callable[[], int], seconds: float, device: torch.device, wall: bool = False
) -> float:
    """Largest of five measurements of units of work per second, after a warm-up."""
    clock = time.perf_counter if wall or device.type == "cuda" else time.process_time
    work()
    best = 0.0
    for _ in range(5):
        units, start = 0, clock()
        while True:
            units += work()
            if device.type == "cuda":
                torch.cuda.synchronize()
            elapsed = clock() - start
            if elapsed > seconds / 5:
                break
        best = max(best, units / elapsed)
    return best


def block_size(trials: int, device: torch.device) -> int:
    """The natural block, or fewer trials when fewer are asked for."""
    return min(trials, natural_size(D + B, device, trials))


def engine(trials: int, device: torch.device, dtype: str, threads: int = 1) -> Callable[[], int]:
    """A run of the engine over some passes."""
    steps = max(60, min(1500, 150_000 // trials // 15 * 15))
    if device.type == "cuda":  # enough for graphs to be what is measured
        steps = max(1500, min(15_000, 10**8 // trials // 15 * 15))

    def work() -> int:
        run_coupled(
            Logistic(LAMBDA),
            [[Phase(DATA, steps)]],
            batches=BATCHES,
            step_size=ETA,
            noise=NOISE,
            domain=WholeSpace(),
            initials=[np.zeros(D)],
            trials=trials,
            seed=0,
            machine=Machine(device.type, dtype, block_size(trials, device), threads=threads),
        )
        return trials * steps

    return work


def loop(dtype: str) -> Callable[[], int]:
    """Algorithm 1 trial by trial in numpy."""
    rows = (DATA.targets[:, None] * DATA.features).astype(dtype)
    random = np.random.default_rng(0)

    def work() -> int:
        x = np.zeros(D, dtype)
        for k in range(15):
            batch = rows[BATCHES[k]]
            slope = -1 / (1 + np.exp(batch @ x))
            x = x - ETA * (slope @ batch / B + LAMBDA * x)
            x = x + dtype_of(dtype)(NOISE) * random.standard_normal(D, dtype=dtype)
        return 15

    return work


def moved(device: torch.device, dtype: str) -> Callable[[], int]:
    """Bytes copied from one array of a device to another, read and written."""
    source = torch.zeros(1 << 26, dtype=getattr(torch, dtype), device=device)
    target = torch.empty_like(source)

    def work() -> int:
        for _ in range(20):
            target.copy_(source)
        return 20 * 2 * source.numel() * source.element_size()

    return work


def on_a_device(device: torch.device, seconds: float) -> None:
    """Trial-steps of the engine beside its floors."""
    print(f"trial-steps/s on {torch.cuda.get_device_name()}, n = {N}, d = {D}, b = {B}\n")
    print("dtype     trials    block     engine   products  bandwidth  of both")
    for dtype in ("float64", "float32"):
        each = (5 * D + 4 * B) * torch.finfo(getattr(torch, dtype)).bits // 8
        bandwidth = rate(moved(device, dtype), seconds, device) / each
        for trials in (1024, 8192, 65536, 10**6):
            ours = rate(engine(trials, device, dtype), seconds, device)
            products = rate(parts(trials, device, dtype)[0], seconds, device)
            share = ours / min(products, bandwidth)
            print(
                f"{dtype} {trials:8d} {block_size(trials, device):8d} {ours:10.3g} "
                f"{products:10.3g} {bandwidth:10.3g} {share:8.0%}"
            )


def dtype_of(name: str) -> type:
    """numpy's scalar type."""
    return np.float64 if name == "float64" else np.float32


def parts(trials: int, device: torch.device, dtype: str) -> tuple[Callable[[], int], ...]:
    """The two products alone, and the noise alone, at the engine's block shape."""
    kind, size = getattr(torch, dtype), block_size(trials, device)
    passes = torch.tensor(DATA.features, dtype=kind, device=device).split(B)
    state = torch.zeros(D, size, dtype=kind, device=device)
    scores = torch.zeros(B, size, dtype=kind, device=device)
    made = Normals(key(0, 0, Purpose.NOISE), (D, size), device, kind)
    repeat = max(1, 2_000 // size)

    def products() -> int:
        for _ in range(repeat):
            for rows in passes:
                torch.mm(rows, state, out=scores)
                state.addmm_(rows.t(), scores, beta=0.9, alpha=-1e-3)
        return repeat * len(passes) * size

    def noise() -> int:
        for _ in range(repeat * len(passes)):
            made.add_([state], NOISE)
        return repeat * len(passes) * size

    return products, noise


def plain_torch(trials: int, device: torch.device, dtype: str) -> Callable[[], int]:
    """The step in plain torch: same arithmetic, torch's own normal numbers, rows of trials."""
    kind, size = getattr(torch, dtype), block_size(trials, device)
    rows = torch.tensor(DATA.targets[:, None] * DATA.features, dtype=kind, device=device)
    state = torch.zeros(size, D, dtype=kind, device=device)
    noise = torch.empty_like(state)
    repeat = max(15, 20_000 // size // 15 * 15)

    def work() -> int:
        for k in range(repeat):
            batch = rows[(k % 15) * B : (k % 15 + 1) * B]
            slope = torch.sigmoid_(-(state @ batch.T))
            state.mul_(1 - ETA * LAMBDA).addmm_(slope, batch, alpha=ETA / B)
            state.add_(noise.normal_(), alpha=NOISE)
        return repeat * size

    return work


def normals_table(seconds: float) -> None:
    """Nanoseconds per standard normal number, 32,768 at a time."""
    count, cpu = 1 << 15, torch.device("cpu")
    print("\nns per normal number, CPU        float64   float32")

    def line(name: str, make: Callable[[str], Callable[[], object]]) -> None:
        cells = []
        for dtype in ("float64", "float32"):
            once = make(dtype)

            def work(once: Callable[[], object] = once) -> int:
                once()
                return count

            cells.append(f"{1e9 / rate(work, seconds, cpu):9.2f}")
        print(f"{name:30s}", *cells)

    def ours(dtype: str) -> Callable[[], object]:
        made = Normals((1, 2), (64, count // 64), cpu, getattr(torch, dtype))
        states = [torch.zeros(64, count // 64, dtype=getattr(torch, dtype))]
        return lambda: made.add_(states, 1e-3)

    def by_numpy(dtype: str) -> Callable[[], object]:
        return lambda: normals.numbers((1, 2), (64, count // 64), 0, range(1), dtype_of(dtype))

    def ziggurat(bits: type) -> Callable[[str], Callable[[], object]]:
        def make(dtype: str) -> Callable[[], object]:
            out = np.empty(count, dtype)
            random = np.random.Generator(bits(0))
            return lambda: random.standard_normal(out=out, dtype=dtype)

        return make

    def torch_normal(dtype: str) -> Callable[[], object]:
        return torch.empty(count, dtype=getattr(torch, dtype)).normal_

    def inverse(dtype: str) -> Callable[[], object]:
        out = torch.empty(count, dtype=getattr(torch, dtype))
        return lambda: out.uniform_(-1, 1).erfinv_().mul_(math.sqrt(2))

    line("engine, added in place (numba)", ours)
    line("engine, few numbers (numpy)", by_numpy)
    line("numpy ziggurat, SFC64", ziggurat(np.random.SFC64))
    line("numpy ziggurat, Philox", ziggurat(np.random.Philox))
    line("torch.normal_", torch_normal)
    line("torch uniform_ and erfinv_", inverse)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--seconds", type=float, default=1.0, help="per cell")
    options = parser.parse_args()
    torch.set_num_threads(1)
    device = torch.device(options.device)
    if device.type == "cuda":
        if not torch.cuda.is_available():
            parser.exit(1, "device must be 'cpu' on this machine: it has no CUDA device\n")
        on_a_device(device, options.seconds)
        return
    sizes = [1, 64, 1024, 8192]
    print(
        f"trial-steps/s, n = {N}, d = {D}, b = {B}, {device}, natural block "
        f"{natural_size(D + B, device)}\n"
    )
    normals.FEW = 0
    print("dtype     trials     engine  numpy loop  ratio  products  and noise      torch  ratio")
    for dtype in ("float64", "float32"):
        plain = rate(loop(dtype), options.seconds, torch.device("cpu"))
        for trials in sizes:
            ours = rate(engine(trials, device, dtype), options.seconds, device)
            speeds = [rate(part, options.seconds, device) for part in parts(trials, device, dtype)]
            floor = 1 / sum(1 / speed for speed in speeds)
            products = speeds[0]
            before = rate(plain_torch(trials, device, dtype), options.seconds, device)
            print(
                f"{dtype} {trials:7d} {ours:10.3g} {plain:11.3g} {ours / plain:6.1f}"
                f" {products / ours:9.2f} {floor / ours:10.2f} {before:10.3g} {ours / before:6.2f}"
            )
        one, two = (
            rate(engine(8192, device, dtype, threads), options.seconds, device, wall=True)
            for threads in (1, 2)
        )
        print(f"{dtype}    8192 trials on two threads: {two / one:.2f} times as fast (wall)")
    normals_table(options.seconds)


if __name__ == "__main__":
    main()
