"""Lines that define the mean gradient of a loss, and its mean Hessian where it has one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simulators.runs.bounded import Bounded

# phi'(z) of a row with the score z = <x, w> and the target y, times the sign of the row.
_SLOPES = {
    "Logistic": "-y[rows] * expit(-y[rows] * z)",
    "SmoothedHinge": "-y[rows] * np.clip((1 - y[rows] * z) / {loss.width!r}, 0, 1)",
    "Ridge": "z - y[rows]",
    "Huber": "np.clip(z - y[rows], -{loss.threshold!r}, {loss.threshold!r})",
    "LogCosh": "np.tanh(z - y[rows])",
}
# phi''(z) of the losses whose Hessian is Lipschitz.
_CURVATURES = {
    "Logistic": "expit(z) * expit(-z)",
    "Ridge": "np.ones(len(z))",
    "LogCosh": "1 / np.cosh(z - y[rows]) ** 2",
}


def slope(task: Bounded) -> tuple[list[str], str] | None:
    """Imports, and phi'(z) of the rows `rows` with scores z; None for a loss without formula."""
    loss: Any = task.made
    name = type(loss).__name__
    formula = _SLOPES.get(name)
    if formula is None:
        return None
    imports = ["from scipy.special import expit"] if name == "Logistic" else []
    return imports, formula.format(loss=loss)


def gradient(task: Bounded) -> list[str]:
    """`gradient(w, rows)`: the mean over these rows, the ridge included."""
    loss: Any = task.made
    name = type(loss).__name__
    if loss.clip is not None:
        return _by_the_loss()
    formula = slope(task)
    if formula is not None:
        imports, text = formula
        return [
            *imports,
            "",
            "def gradient(w, rows):",
            "    z = X[rows] @ w",
            f"    slope = {text}",
            f"    return X[rows].T @ slope / len(z) + {loss.regularisation!r} * w",
            "",
        ]
    if name == "Softmax":
        return [
            "from scipy.special import softmax",
            "",
            "def gradient(w, rows):",
            f"    classes = np.eye({loss.classes})[y[rows].astype(int)]",
            "    pull = softmax(X[rows] @ w, axis=1) - classes",
            f"    return X[rows].T @ pull / len(pull) + {loss.regularisation!r} * w",
            "",
        ]
    if name == "Quadratic" and loss.curvature.ndim == 0:
        return [
            "",
            "def gradient(w, rows):",
            f"    return {float(loss.curvature)!r} * w - X[rows].mean(axis=0)",
            "",
        ]
    return _by_the_loss()


def _by_the_loss() -> list[str]:
    """By the loss object itself, whatever it is."""
    return [
        "from dataclasses import replace",
        "import torch",
        "",
        "def gradient(w, rows):",
        "    targets = None if learned.targets is None else y[rows]",
        "    batch = replace(learned, features=X[rows], targets=targets)",
        "    return loss.gradient(torch.tensor(w[None]), batch)[0].mean(dim=0).numpy()",
        "",
    ]


def hessian(task: Bounded) -> list[str] | None:
    """`hessian(w, rows)`: the mean over these rows, the ridge included; None without a formula."""
    loss: Any = task.made
    curvature = _CURVATURES.get(type(loss).__name__)
    if curvature is None or loss.clip is not None:
        return None
    return [
        "def hessian(w, rows):",
        "    z = X[rows] @ w",
        f"    curvature = {curvature}",
        "    mean = X[rows].T @ (curvature[:, None] * X[rows]) / len(z)",
        f"    return mean + {loss.regularisation!r} * np.eye(len(w))",
        "",
    ]
