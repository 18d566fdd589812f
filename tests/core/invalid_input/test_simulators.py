"""Every argument of every public callable of `simulators`: see `contract` and `public`."""

import contextlib
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import simulators
from accounting import DeletionSchedule
from simulators.data.dataset import Dataset
from simulators.domains import Ball
from simulators.engine.result import RunResult
from simulators.exact.gaussian import AffineKernel, Gaussian
from simulators.exact.line import LineLaw
from simulators.exact.linear_chain import Gap
from simulators.exact.maps import quadratic
from simulators.exact.transfer import Atoms, Grid, Step
from simulators.losses.base import LossConstants
from simulators.losses.logistic import Logistic
from simulators.losses.softmax import Softmax
from simulators.online.learners import run
from simulators.online.quadratics import Quadratics
from simulators.streaming.deletions import given
from simulators.streaming.minimise import Minimiser
from simulators.streaming.risk import Risk
from simulators.streaming.track import Tracker
from simulators.trajectory.models import LinearScore
from simulators.trajectory.recollection import Recollection
from simulators.trajectory.recursion import Recursion
from simulators.trajectory.training import Training, batches_of
from tests.core.invalid_input.entries import Made, Table
from tests.core.invalid_input.public import public
from tests.core.invalid_input.values import FUNCTIONS

FOLDER = Path(tempfile.gettempdir())
"""Where files for the loaders are: see `in_a_folder`."""
DEVICE = "cpu"
"""Where simulators compute; `core/simulators/test_on_a_device.py` makes the calls elsewhere."""


@pytest.fixture(scope="module", autouse=True)
def in_a_folder(tmp_path_factory):
    """Files that every loader can read, in the folder that a word without one is meant in."""
    global FOLDER
    FOLDER = tmp_path_factory.mktemp("files")
    (FOLDER / "table.csv").write_text("a,b,target\n1,0,1\n0,1,-1\n")
    np.savez(FOLDER / "arrays.npz", features=X, targets=SIGNS)
    np.save(FOLDER / "rows.npy", np.column_stack([X, SIGNS]))
    pixels, digits = bytes(range(2 * 4)), bytes([3, 8])
    for part in ("train", "t10k"):
        (FOLDER / f"{part}-images-idx3-ubyte").write_bytes(
            bytes([0, 0, 8, 3]) + np.array([2, 2, 2], dtype=">i4").tobytes() + pixels
        )
        (FOLDER / f"{part}-labels-idx1-ubyte").write_bytes(
            bytes([0, 0, 8, 1]) + np.array([2], dtype=">i4").tobytes() + digits
        )
    LEARNED.make().save(FOLDER)
    with contextlib.chdir(FOLDER):
        yield


X = np.array([[1.0, 0.2], [-0.5, 1.0], [0.3, -0.8], [-0.9, -0.4], [0.7, 0.6], [-0.2, 0.5]])
SIGNS = np.array([1.0, -1.0, -1.0, -1.0, 1.0, 1.0])
HALVES = np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0])


def data():
    return Dataset(X, SIGNS)


def adjacent():
    changed = X.copy()
    changed[3] = [0.1, 0.1]
    return Dataset(changed, SIGNS)


def model():
    return LinearScore(Logistic(0.1), data(), DEVICE)


def training():
    return Training(batches_of(6, 3, 2, seed=1), np.full(4, 0.5), np.zeros(2))


def risk():
    return Risk(data().normalised(), Logistic(0.5), DEVICE)


def stream():
    return Quadratics([0.5, -0.5, 0.25, 0.0], domain=Ball(2.0))


def requests():
    return DeletionSchedule([1, 2], [3, 4])


def law(mean=0.0):
    return LineLaw(np.array([1.0]), np.array([mean]), np.array([1.0]))


def gaussian(mean=0.0):
    return Gaussian(np.array([mean, 0.0]), np.eye(2))


def kernel():
    return AffineKernel(0.5 * np.eye(2), np.zeros(2), np.eye(2))


def grid():
    return Grid.make(1.0, 20)


def step():
    return Step.make(grid(), quadratic(0.5, 0.1), 0.8)


def online_run():
    return run(stream(), requests(), steps=0.1, sigmas=0.1, trials=2, device=DEVICE)


def softmax_data():
    return Dataset(X, HALVES)


def bowl(w, x, y):
    return 0.5 * (w @ x - y) ** 2


def same_gradient(t, points):
    return np.ones_like(points)


HALF = [Fraction(1, 2), Fraction(1, 2)]
PLACES = [Fraction(0), Fraction(1)]
SAMPLES = {
    "adjacent": Made(adjacent),
    "after": Made(kernel),
    "alpha": 2.0,
    "batch": 1,
    "batch_size": 3,
    "batches": 3,
    "begin": 0,
    "bound": 1.0,
    "breaks": [0.0],
    "burn_in": 1,
    "by": [1.0, 0.0],
    "c": 0.5,
    "classes": 2,
    "claim": 0,
    "clip": 1.0,
    "coefficients": np.zeros((1, 7)),
    "copies": 3,
    "count": 2,
    "cov": np.eye(2),
    "curvature": 1.0,
    "data": Made(data),
    "decay": 0.9,
    "deleted": 1,
    "deletions": Made(lambda: given(6, [[0], [1]])),
    "delta": 1e-5,
    "device": Made(lambda: DEVICE),
    "diameter": 2.0,
    "dimension": 2,
    "distance": Fraction(1),
    "domain": Made(lambda: Ball(2.0)),
    "end": 2,
    "epochs": 2,
    "epsilon": 1.0,
    "eta": 0.5,
    "far": 1.0,
    "factor": Fraction(2),
    "folder": Made(lambda: FOLDER),
    "feature": 1.0,
    "features": X,
    "first": 1,
    "forget": [0, 1],
    "forgotten": 1,
    "gamma": 0.1,
    "gap": 1.0,
    "grid": Made(grid),
    "high": 1.0,
    "indices": [1, 2],
    "initial": 0.5,
    "k": 2,
    "kept": [1, 2, 3],
    "kind": "hinge",
    "label": 1.0,
    "labels": HALVES.astype(int),
    "law": Made(gaussian),
    "learn_epochs": 2,
    "learn_steps": 2,
    "learning": 2,
    "length": 3,
    "level": 0.1,
    "lines": 2,
    "lipschitz": 1.0,
    "loss": Made(lambda: Logistic(0.1)),
    "low": -1.0,
    "mean": [0.0, 0.0],
    "members": [1.0, 2.0],
    "minority": 2,
    "model": Made(model),
    "multiple": 3,
    "n": 6,
    "name": "random",
    "negative": -1,
    "noise": 0.5,
    "offset": [0.0, 0.0],
    "order": [0, 1],
    "others": [0.0, 1.5],
    "p": [0.5, 0.5],
    "path": Made(lambda: FOLDER / "table.csv"),
    "path_length": 2.0,
    "period": 2,
    "phi": 0.5,
    "point": 0.5,
    "points": [0.5, -0.5, 0.25],
    "positive": 1,
    "projection": 1,
    "psi": Made(lambda: quadratic(0.5, 0.1)),
    "q": [0.25, 0.75],
    "r": 0,
    "radius": 1.0,
    "rate": 0.5,
    "regularisation": 0.1,
    "removed": 1,
    "request": 1,
    "requests": Made(requests),
    "rho": 0.5,
    "risk": Made(risk),
    "rounds": 3,
    "row": 1,
    "row_norm": 2.0,
    "rows": [0, 1],
    "s": 1.0,
    "scale": 0.5,
    "second": 2,
    "seed": 1,
    "shadows": 8,
    "share": 0.5,
    "sigma": 0.5,
    "sigmas": [0.1, 0.1],
    "skipped": 0,
    "standard_deviation": 1.0,
    "start": [0.0, 0.0],
    "steps": 0.1,
    "step": 0.1,
    "step_size": 0.5,
    "stream": Made(stream),
    "t": 1,
    "targets": SIGNS,
    "terms": 3,
    "threshold": 1.0,
    "time": 2,
    "times": [2, 3],
    "tracker": Made(lambda: Tracker(2, 1.0, 1e-5)),
    "training": Made(training),
    "trials": 2,
    "unlearn_epochs": 1,
    "unlearn_steps": 1,
    "unlearning": 1,
    "updates": Made(lambda: [adjacent(), adjacent()]),
    "variant": "corrected",
    "vectors": np.eye(2),
    "w": [0.1, 0.2],
    "weight": 1.0,
    "weights": [[0.5, 0.5]],
    "width": 0.5,
    "word": "1",
    "x": 0.5,
}
LAWS = {"p": HALF, "q": HALF}
FINITE = {"p": HALF, "q": HALF, "points_p": PLACES, "points_q": PLACES}
NORMALS = {"p": Made(gaussian), "q": Made(lambda: gaussian(1.0))}
LINES = {"p": Made(law), "q": Made(lambda: law(1.0))}
FOUR = {"mean0": 0.0, "var0": 1.0, "mean1": 1.0, "var1": 1.0}
CHAIN = {"q": 1.0, "position": 1}
STREAM = {"curvature": 1.0, "steps": 0.1, "radius": 1.0}
SETTINGS = {
    "sigma": 0.5,
    "step_size": 0.1,
    "batch_size": 3,
    "trials": 2,
    "seed": 0,
    "claim": 0,
    "domain": Made(lambda: Ball(2.0)),
    "batch_order": "fixed",
    "initial": "zero",
    "device": Made(lambda: DEVICE),
    "dtype": "float64",
    "block": 2,
    "memory": 1e8,
    "threads": 1,
    "progress": Made(lambda: lambda done, total: None),
}
FULL = {
    name: value for name, value in SETTINGS.items() if name not in ("batch_size", "batch_order")
}
PAIRS = np.array([[1.0, 0.0], [0.5, 1.0]])
GRAM = {"model": Made(model), "start": [0.0, 0.0]}
LEARNED = Made(lambda: Recollection.learn(model(), training(), record_norms=True))
CALLS = {
    "engine.batches.partition": {"batch_order": "random", "seed": 1, "claim": 0},
    "langevin.coupling.coupled_paths": SETTINGS,
    "langevin.coupling.coupled_schedules": {
        **SETTINGS,
        "first": Made(lambda: [(data(), 2)]),
        "second": Made(lambda: [(adjacent(), 2)]),
    },
    "langevin.descent_to_delete.descent_to_delete": {
        **{k: v for k, v in FULL.items() if k != "domain"},
        "internal_state": False,
        "domain": Made(lambda: Ball(2.0)),
    },
    "erm.certify.certify_erm": {
        "w": [0.1, 0.2],
        "removed": [1],
        "epsilon": 1.0,
        "delta": 1e-5,
        "sigma": 1e6,
        "weight": 0.5,
        "intercept": "none",
        "reference_gradient": 0.1,
    },
    "erm.objective.Objective": {"weight": 0.5, "intercept": "penalised", "scaling": 2.0},
    "erm.objective.Objective.distance": {"model": np.array([0.1, 0.2, 0.3])},
    "erm.objective.Objective.first_bound": {
        "head": np.array([0.1, 0.2, 0.3]),
        "tail": np.array([1e-20, 0.0, 0.0]),
    },
    "erm.objective.Objective.gradient": {
        "head": np.array([0.1, 0.2, 0.3]),
        "tail": np.array([1e-20, 0.0, 0.0]),
    },
    "erm.problem.Erm": {
        "model": [0.1, 0.2],
        "removed": [1],
        "weight": 0.5,
        "intercept": "none",
        "reference_gradient": 0.1,
    },
    "data.adjacency.replaced": {"features": [[1.0, 0.0], [0.0, 1.0]], "targets": [1.0, -1.0]},
    "data.sklearn_sets.digits": {"negative": 3, "positive": 8},
    "data.sklearn_sets.wine": {"negative": 0, "positive": 1},
    "data.files.npz": {"path": Made(lambda: FOLDER / "arrays.npz")},
    "data.scaling.scaled": {"columns": [0], "low": 0.0, "high": 1.0},
    "data.scaling.column_index": {"name": "1"},
    "data.table.table": {"path": Made(lambda: FOLDER / "table.csv")},
    "data.rows_of.raw_table": {"data": Made(lambda: str(FOLDER / "table.csv"))},
    "data.rows_of.prepared_rows": {
        "data": Made(lambda: str(FOLDER / "table.csv")),
        "ranges": {0: (0.0, 1.0)},
    },
    "data.rows_of.is_table_file": {"name": "rows.csv"},
    "data.idx.images": {
        "image_path": Made(lambda: FOLDER / "train-images-idx3-ubyte"),
        "label_path": Made(lambda: FOLDER / "train-labels-idx1-ubyte"),
    },
    "data.idx.read_idx": {"path": Made(lambda: FOLDER / "train-images-idx3-ubyte")},
    "data.dataset.Dataset": {"targets": SIGNS},
    "data.dataset.Dataset.from_pieces": {"rows": 2, "pieces": [np.eye(2)], "targets": [1.0, 0.0]},
    "data.dataset.Dataset.normalised": {"norm": 1.0},
    "data.dataset.Dataset.from_row": {"start": 0, "most": 2},
    "data.dataset.Dataset.by_rows": {"change": lambda rows: rows},
    "data.dataset.Dataset.between": {"start": 0, "stop": 1, "note": "the first"},
    "data.dataset.Dataset.without": {"rows": [0]},
    "data.dataset.Dataset.joined": {"other": Made(data)},
    "data.dataset.Dataset.with_replaced": {
        "numbers": [0],
        "rows": Made(lambda: data().first(1)),
        "note": "the first",
    },
    "data.pieced.iterated_rows": {"pieces": [np.eye(2)]},
    "data.pieced.npy_rows": {"path": Made(lambda: FOLDER / "rows.npy")},
    "domains.project": {"points": [[1.5, 0.0], [0.5, 0.5]]},
    "exact.discrete.hockey_stick_exact": LAWS,
    "exact.discrete.power_sum": {**LAWS, "alpha": 2},
    "exact.discrete.winf": FINITE,
    "exact.gaussian.AffineKernel": {"matrix": 0.5 * np.eye(2)},
    "exact.gaussian.Gaussian.point": {"location": [1.0, 0.0]},
    "exact.gaussian.AffineKernel.power": {"times": 2},
    "exact.gaussian.epoch": {"steps": Made(lambda: [kernel(), kernel()])},
    "exact.gaussian.gradient_step": {"hessians": np.array([np.eye(2)]), "linears": [[1.0, 0.0]]},
    "exact.gaussian.run": {"start": Made(gaussian), "phases": Made(lambda: [(kernel(), 2)])},
    "exact.gaussian.step": {"matrix": 0.5 * np.eye(2)},
    "exact.gaussian_divergence.hockey_stick": NORMALS,
    "exact.projected_normal.mean_distance": {"m": 0.5},
    "exact.projected_normal.mean_square": {"m": 0.5},
    "exact.gaussian_divergence.hockey_stick_gauss": FOUR,
    "exact.gaussian_divergence.log_hockey_stick_gauss": FOUR,
    "exact.gaussian_divergence.renyi": NORMALS,
    "exact.gaussian_divergence.renyi_gauss": FOUR,
    "exact.gaussian_divergence.separation": {**NORMALS, "rtol": 1e-9},
    "exact.gaussian_divergence.tradeoff": NORMALS,
    "exact.gaussian_divergence.winf": {**NORMALS, "rtol": 1e-9},
    "exact.line.LineLaw": {"weights": [1.0], "means": [0.0], "scales": [1.0], "radius": 2.0},
    "exact.line_divergence.hockey_stick": LINES,
    "exact.line_divergence.log_hockey_stick": LINES,
    "exact.line_divergence.renyi": LINES,
    "exact.line_divergence.total_variation": LINES,
    "exact.line_winf.winf": LINES,
    "exact.linear_chain.learn_then_unlearn": CHAIN,
    "exact.linear_chain.learned_shift": CHAIN,
    "exact.linear_chain.recursion": {
        "contractions": [0.5, 0.5],
        "shifts": [1.0, 0.0],
        "variances": [1.0, 1.0],
        "gap": 0.0,
        "variance": 0.0,
    },
    "exact.linear_chain.geometric": {"ratio": 0.5},
    "exact.linear_chain.request_shifts": {"jumps": [1.0, 1.0], "epochs": [1, 2]},
    "exact.linear_chain.shifted_stationary": {"steps": 2},
    "exact.linear_chain.two_points": {"steps": 2},
    "exact.maps.batch_map": {"gradients": Made(lambda: [quadratic(0.5, 0.1)])},
    "exact.mixture.random_position": {"q": 1.0, "before": 1.0, "after": -1.0},
    "exact.projected_stream.comparator_losses": {
        "points": [[0.5, -0.5]],
        "indices": [1],
        "times": [1],
    },
    "exact.projected_stream.expected_losses": {
        **STREAM,
        "points": [[0.5, -0.5]],
        "times": [2],
        "sigmas": [[0.1]],
    },
    "exact.projected_stream.projected_moments": {"mean": 0.5, "sigma": 1.0},
    "exact.quadratic_stream.QuadraticStream": {"points": [0.5, -0.5, 0.25]},
    "exact.quadratic_stream.QuadraticStream.comparators": {"indices": [1]},
    "exact.quadratic_stream.QuadraticStream.expected_regret": {
        "indices": [1],
        "times": [2],
        "sigmas": [0.1],
    },
    "exact.quadratic_stream.QuadraticStream.laws": {"times": [2], "sigmas": [0.1], "skipped": [1]},
    "exact.shifted.shifted_law": FINITE,
    "exact.transfer.Atoms.after": {"step": Made(step)},
    "exact.transfer.Atoms.at": {"points": [0.0, 0.5]},
    "exact.transfer.Grid.make": {"count": 20, "breaks": [0.0]},
    "exact.transfer.Grid.masses": {
        "law": Made(lambda: LineLaw(np.array([1.0]), np.array([0.0]), np.array([1.0]), 1.0))
    },
    "exact.transfer.Step.make": {"noise": 0.8},
    "exact.transfer.evolve": {
        "start": Made(lambda: Atoms.at(0.0)),
        "steps": Made(lambda: [step()]),
    },
    "exact.transfer.invariant": {"steps": Made(lambda: [step()])},
    "exact.transfer.refined": {"compute": Made(lambda: lambda nodes: 1.0), "nodes": 20},
    "langevin.unlearning.langevin_unlearning": FULL,
    "langevin.unlearning.learn_unlearn": {**SETTINGS, "retrain": "T"},
    "langevin.unlearning.requests": SETTINGS,
    "losses.base.checked_data": {"data": Made(lambda: (data(),))},
    "losses.linear_model.LinearModel.constants": {"data": Made(lambda: [data()])},
    "losses.quadratic.Quadratic.constants": {"data": Made(lambda: [data()])},
    "losses.softmax.Softmax.constants": {"data": Made(lambda: [softmax_data()])},
    "losses.softmax.Softmax.one_hot": {"data": Made(softmax_data)},
    "losses.regularisation.choose_regularisation": {"n": 600, "batch_size": 6, "radius": 2.0},
    "online.adversarial.alternating": {"n": 8, "k": 2},
    "online.adversarial.alternating_hinges": {"k": 4},
    "online.adversarial.one_slope": {"rounds": 4},
    "online.adversarial.huber_well": {"rounds": 4},
    "online.comparators.gradient_mapping": {"point": [0.1]},
    "online.deletions.deletions": {"rounds": 8},
    "online.learners.run": {
        "requests": Made(requests),
        "sigmas": 0.1,
        "trials": 2,
        "device": Made(lambda: DEVICE),
    },
    "online.leader.follow_the_leader": {"requests": Made(requests)},
    "online.linear.Linear": {
        "slopes": [[1.0, 0.5], [0.0, 1.0]],
        "offsets": 0.0,
        "domain": Made(lambda: Ball(2.0)),
    },
    "online.named.algorithm": {"name": "passive", "rho": 0.5},
    "online.rows.Rows": {"rows": X},
    "online.requests.Newton": {"form": "retained"},
    "langevin.retraining.retrain": {**SETTINGS, "retrain_epochs": 2},
    "streaming.baselines.keep_start": {"privacy": (1.0, 1e-5)},
    "streaming.baselines.perturbed_descent": {"steps": 2, "sigma": 0.1, "step_size": 0.5},
    "streaming.deletions.Deletions": {"removed_at": [[1, 2, 3]], "rounds": 2},
    "streaming.deletions.by_class": {"size_per_round": 1},
    "streaming.deletions.given": {"requests": [[0], [1]]},
    "streaming.deletions.random_subsets": {"sizes": [1, 2]},
    "streaming.features.frozen_features": {"data": Made(softmax_data)},
    "streaming.minimise.Minimiser.path": {},
    "streaming.ogd.normalised_descent": {
        "gradient": Made(lambda: same_gradient),
        "start": [[0.1, 0.1]],
    },
    "streaming.risk.Risk": {"data": Made(data)},
    "streaming.safe.safe": {
        "data": Made(softmax_data),
        "trials": 1,
        "device": Made(lambda: DEVICE),
    },
    "streaming.track.Tracker": {"steps": 2, "step_size": 0.5},
    "streaming.track.trained_error": {"minimiser": Made(lambda: Minimiser(risk()))},
    "trajectory.adjoint.scores": {"probes": np.eye(2)},
    "trajectory.generic.FunctionModel": {
        "loss": Made(lambda: bowl),
        "parameters": 2,
        "where": Made(lambda: DEVICE),
    },
    "trajectory.gram.Gram": GRAM,
    "trajectory.lbfgs.CompactBFGS": {"S": PAIRS, "Y": PAIRS},
    "trajectory.lbfgs.printed_product": {
        "S": PAIRS,
        "Y": PAIRS,
        "u": np.array([1.0, 0.5]),
        "sigma": 1.0,
    },
    "trajectory.membership.Shadows": {
        "losses": np.arange(12.0).reshape(4, 3),
        "member": np.array([[True] * 3, [True] * 3, [False] * 3, [False] * 3]),
    },
    "trajectory.membership.Shadows.likelihood_ratios": {"losses": [0.1, 0.2, 0.3]},
    "trajectory.membership.gaussian_mean_auc": {"others_square": 1.0},
    "trajectory.operations.adjoint": {"probes": 2},
    "trajectory.recollection.Recollection": {
        "statistics": np.zeros((6, 2)),
        "learned": [0.0, 0.0],
        "recursion": Made(Recursion),
    },
    "trajectory.recursion.differences": {"forget": [[0], [1]], "recursion": Made(Recursion)},
    "trajectory.recursion.line_sets": {"forget": [[0], [1]], "size": 6},
    "trajectory.recursion.Recursion": {"last": 2},
    "trajectory.removal.residual": {"step": [0.1, 0.1], "lipschitz": 0.1},
    "trajectory.removal.CertifiedRemoval": {"noise": 10.0},
    "trajectory.linear_score.LinearScore": {"where": Made(lambda: DEVICE)},
    "trajectory.softmax_score.SoftmaxScore": {
        "data": Made(softmax_data),
        "loss": Made(lambda: Softmax(2, 0.1)),
        "where": Made(lambda: DEVICE),
    },
    "trajectory.training.Training": {"batches": ([0, 1], [2, 3]), "steps": [0.1, 0.1], "clip": 1.0},
    "trajectory.training.Training.part": {"start": [0.0, 0.0]},
    "trajectory.variants.follow": {"forget": [[0], [1]], "recursion": Made(Recursion)},
}
INSTANCES = {
    "exact.linear_chain.Gap": Made(lambda: Gap(np.array(1.0), np.array(1.0))),
    "exact.transfer.Atoms": Made(lambda: Atoms.at(0.0)),
    "exact.transfer.Grid": Made(grid),
    "losses.base.LossConstants": Made(lambda: LossConstants(0.1, 1.0, 1.0, 1.0)),
    "losses.base.Loss": Made(lambda: Logistic(0.1)),
    "losses.linear_model.LinearModel": Made(lambda: Logistic(0.1)),
    "online.result.OnlineResult": Made(online_run),
    "online.streams.Stream": Made(stream),
    "engine.result.RunResult": Made(lambda: RunResult(np.zeros((2, 3)), np.ones((2, 3)))),
    "trajectory.model.Model": Made(model),
    "trajectory.recollection.Recollection": LEARNED,
}
TAKEN = {
    "data.dataset.Dataset.name": ["text"],
    "data.dataset.Dataset.record": ["strings"],
    "progress": FUNCTIONS,
    "data.dataset.Dataset.class_names": ["strings"],
    "data.dataset.Dataset.between.note": ["text"],
    "data.dataset.Dataset.with_replaced.note": ["text"],
    "data.pieced.iterated_rows.name": ["text"],
    "data.labels.class_value.name": ["text"],
    "data.files.npz.targets": ["strings"],
    "data.table.table.keep": ["strings"],
    "data.rows_of.prepared_rows.ranges": ["none", "empty mapping"],
    "data.rows_of.is_table_file.name": ["text"],
    "data.rows_of.raw_table.delimiter": ["text"],
    "data.idx.part_in.folder": ["text"],
    "domains.check.domain": ["none"],
    "streaming.deletions.given.requests": ["ragged"],
    "streaming.risk.Risk.device": ["none"],
    "trajectory.generic.FunctionModel.loss": FUNCTIONS,
    "trajectory.recollection.Recollection.learn.folder": ["text"],
    "trajectory.recollection.Recollection.open.folder": ["text"],
    "trajectory.recollection.Recollection.save.folder": ["text"],
    "trajectory.recursion.differences.forget": ["ragged"],
    "trajectory.training.Training.batches": ["ragged"],
    "trajectory.variants.follow.forget": ["ragged"],
}
"""Any word is a name; a folder may be empty, or new; sets of rows differ in length; nothing is made
of what `progress` returns; without a device it is the run's."""
TABLE = Table(SAMPLES, CALLS, INSTANCES, TAKEN)


@pytest.mark.parametrize("entry", list(public(simulators)), ids=lambda entry: entry.name)
def test_every_argument(entry, full):
    found = entry.violations(TABLE, full)
    assert not found, "\n".join(found)
