"""Which modules each subject holds: of `simulators` here, a paper's views beside its checks."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec

import bounds

_EXACT, _LOSSES = "simulators.exact.", "simulators.losses."
_ONLINE, _PATHS = "simulators.online.", "simulators.trajectory."

SUBJECTS: dict[str, tuple[str, ...]] = {
    "gaussian": (f"{_EXACT}gaussian", f"{_EXACT}gaussian_divergence"),
    "line": (
        f"{_EXACT}line",
        f"{_EXACT}line_divergence",
        f"{_EXACT}line_winf",
        f"{_EXACT}powers",
        f"{_EXACT}quadrature",
    ),
    "transfer": (f"{_EXACT}transfer", f"{_EXACT}maps", f"{_EXACT}mixture"),
    "discrete": (f"{_EXACT}discrete", f"{_EXACT}shifted"),
    "chain": (f"{_EXACT}linear_chain",),
    "losses": (
        f"{_LOSSES}base",
        f"{_LOSSES}linear_model",
        f"{_LOSSES}logistic",
        f"{_LOSSES}ridge",
        f"{_LOSSES}softmax",
        f"{_LOSSES}quadratic",
        f"{_LOSSES}regularisation",
        "simulators.losses.clipping",
        "simulators.domains",
        "simulators.data.dataset",
        "simulators.data.adjacency",
        "simulators.data.synthetic",
        "simulators.losses.rounding",
        "simulators.data.rounds",
    ),
    "smoothed_losses": (f"{_LOSSES}hinge", f"{_LOSSES}huber", f"{_LOSSES}logcosh"),
    "langevin": (
        "simulators.langevin.unlearning",
        "simulators.engine.noisy_descent",
        "simulators.engine.staging",
        "simulators.engine.plan",
        "simulators.engine.initial",
        "simulators.random.normals",
        "simulators.random.philox",
        "simulators.random.philox_loops",
        "simulators.random.philox_tensors",
        "simulators.engine.batches",
        "simulators.engine.blocks",
        "simulators.random.seeds",
        "simulators.langevin.coupling",
        "simulators.langevin.retraining",
        "simulators.engine.result",
    ),
    "online_losses": (
        f"{_ONLINE}streams",
        f"{_ONLINE}rows",
        f"{_ONLINE}linear",
        f"{_ONLINE}comparators",
        f"{_ONLINE}_models",
    ),
    "online": (
        f"{_ONLINE}learners",
        f"{_ONLINE}loop",
        f"{_ONLINE}in_place",
        f"{_ONLINE}setup",
        f"{_ONLINE}steps",
        f"{_ONLINE}requests",
        f"{_ONLINE}private",
        f"{_ONLINE}result",
    ),
    "paths": (
        f"{_PATHS}model",
        f"{_PATHS}models",
        f"{_PATHS}linear_score",
        f"{_PATHS}softmax_score",
        f"{_PATHS}generic",
        f"{_PATHS}inputs",
        f"{_PATHS}training",
        f"{_PATHS}recursion",
    ),
    "unlearning": tuple(
        _PATHS + name
        for name in (
            "newton",
            "mini",
            "lbfgs",
            "deltagrad",
            "amnesiac",
            "rewind",
            "membership",
            "operations",
            "variants",
            "explicit",
            "gram",
        )
    ),
    "deletions": tuple(
        "simulators.streaming." + name for name in ("deletions", "forgotten", "statistics")
    ),
    "streaming": tuple(
        "simulators.streaming." + name
        for name in (
            "gradients",
            "ratio",
            "forgetting",
            "features",
            "directions",
            "publication",
            "variants",
            "public_constants",
            "risk",
            "minimise",
            "safe",
            "safe_run",
            "safe_setup",
            "descent",
        )
    ),
    "digits": ("simulators.data.sklearn_sets", "simulators.data.labels"),
    "experiments": (
        "simulators.runs.experiment",
        "simulators.statistics",
        f"{_EXACT}affine_data",
        f"{_LOSSES}pairs",
        *(
            f"simulators.runs.{name}"
            for name in (
                "data",
                "losses",
                "noisy",
                "noisy_options",
                "targets",
            )
        ),
    ),
    "online_runs": (
        f"{_ONLINE}noise",
        *(
            f"simulators.runs.{name}"
            for name in (
                "online",
                "online_document",
                "online_hypotheses",
                "online_paths",
                "online_run",
                "online_work",
                "streams",
            )
        ),
    ),
    "streams": (f"{_EXACT}projected_stream", f"{_EXACT}quadratic_stream"),
}


@cache
def subjects() -> dict[str, tuple[str, ...]]:
    """The module of every subject -> the modules that its equalities hold.

    A paper keeps subjects of its own in the package `self_tests` beside its checks, whose
    `SUBJECTS` is read as the one above.
    """
    home = __name__.rpartition(".")[0]
    modules = {f"{home}.{name}": module_names for name, module_names in SUBJECTS.items()}
    for paper in bounds.papers():
        package = f"{paper.checks}.self_tests"
        if paper.checks and not paper.foreign and find_spec(package):
            own = import_module(package).SUBJECTS
            modules |= {f"{package}.{name}": module_names for name, module_names in own.items()}
    return modules
