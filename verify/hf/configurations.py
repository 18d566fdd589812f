"""The configurations of hf (Sections 5.1, 5.2, B.1, B.2): numbers that can be recomputed."""

from typing import Any

from verify.checks import Check, Context, Findings


def dense(inputs: int, outputs: int) -> int:
    """Weights and biases of a fully connected layer."""
    return inputs * outputs + outputs


def convolution(inputs: int, outputs: int, size: int) -> int:
    """Weights and biases of a convolution."""
    return inputs * outputs * size * size + outputs


def resnet18_body() -> int:
    """Convolutions (no biases) and batch normalisations (two numbers a channel) of ResNet-18."""

    def block(inputs: int, outputs: int) -> int:
        total = 9 * inputs * outputs + 9 * outputs * outputs + 4 * outputs
        return total + (inputs * outputs + 2 * outputs if inputs != outputs else 0)

    first = 3 * 64 * 49 + 2 * 64
    stages = ((64, 64), (64, 128), (128, 256), (256, 512))
    return first + sum(block(i, o) + block(o, o) for i, o in stages)


def parameters() -> dict[str, tuple[int, int]]:
    """Architecture -> (printed, computed)."""
    lenet = convolution(1, 6, 5) + convolution(6, 16, 5)
    cnn = convolution(1, 10, 5) + convolution(10, 20, 5) + dense(320, 50) + dense(50, 10)
    return {
        "logistic regression, 784 to 10": (7850, dense(784, 10)),
        "CNN, 10 and 20 filters, 320-50-10": (21840, cnn),
        "LeNet": (61706, lenet + dense(400, 120) + dense(120, 84) + dense(84, 10)),
        "ResNet-18, 1000 classes (used on 10)": (11_689_512, resnet18_body() + dense(512, 1000)),
        "ResNet-18, 512 x 7 x 7 to 2": (11_226_690, resnet18_body() + dense(512 * 49, 2)),
    }


def table(pairs: dict[str, tuple[float, float]]) -> list[dict[str, Any]]:
    """A row for each pair of a printed and a computed number."""
    return [
        {"model": name, "printed": printed, "computed": computed, "match": printed == computed}
        for name, (printed, computed) in pairs.items()
    ]


def check(ctx: Context) -> Findings:
    """Parameters counted layer by layer, steps from epochs and batches, and what decay keeps."""
    counts = {name: (x, y * ctx.scale) for name, (x, y) in parameters().items()}
    yield ctx.reproduce("parameters", "printed", "counted layer by layer", table(counts))
    runs = (("LR", 1000, 1000, 50, 50), ("CNN", 1000, 64, 20, 320), ("FMNIST", 4000, 256, 30, 480))
    steps = {name: (T, -(-n // b) * epochs) for name, n, b, epochs, T in runs}
    yield ctx.reproduce("steps", "printed", "epochs times ceil(n/b)", table(steps))
    at = "Section 5.1 against B.1"
    yield ctx.compare(
        "twice", "printed", 100.0, {}, at, bound=50.0, relation="==", script="configs_twice"
    )
    contraction = 1.0
    for _ in range(50):
        contraction *= 1 - 0.05 * 1e-6
    inputs = {"lam": 1e-6, "eta": 0.05, "T": 50}
    at = "what the slowest direction keeps"
    yield ctx.compare(
        "contraction", "printed", contraction, inputs, at, bound=0.5, script="configs_slowest"
    )


CHECKS = (Check("hf.configs", check),)
