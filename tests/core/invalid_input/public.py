"""Which callables of `simulators` are public.

Public is every function and class without an underscore in a module without one, and the public
methods that such a class defines, except for

- the machinery: modules and helpers that only other modules call, with what those have checked,
  and checks that take the name of an argument (`INNER`);
- kernels: what takes or gives torch tensors (or what is made of them) is called once a step, and
  its caller checks once a run;
- experiments: their fields are compared with invalid values in `test_experiments`;
- hooks: methods that a base class calls on its subclasses (`HOOKS`);
- records: classes that are answers, which no caller makes (`RECORDS`); their methods are public.
"""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from types import ModuleType

from tests.core.invalid_input.entries import Entry, methods

INNER = {
    "simulators.engine.batches.positions",
    "simulators.engine.blocks",
    "simulators.losses.clipping",
    "simulators.device.default",
    "simulators.data.lengths",
    "simulators.device.placement",
    "simulators.erm.approach",
    "simulators.erm.estimators",
    "simulators.device.reporting",
    "simulators.erm.free_intercept",
    "simulators.erm.inputs",
    "simulators.erm.float_objective",
    "simulators.erm.objective.softmax_slopes",
    "simulators.erm.objective.up",
    "simulators.erm.roots",
    "simulators.data.disk",
    "simulators.data.labels.class_word",
    "simulators.data.arrow_readers",
    "simulators.data.cells",
    "simulators.data.choices",
    "simulators.data.column_map",
    "simulators.data.csv_cells",
    "simulators.data.faults",
    "simulators.data.frames",
    "simulators.data.iterated_reader",
    "simulators.data.npy_reader",
    "simulators.data.pairwise",
    "simulators.data.pieced.PiecedDataset",
    "simulators.data.pieced.arrow_rows",
    "simulators.data.prepared",
    "simulators.data.raw_table",
    "simulators.data.row_data",
    "simulators.data.row_reader",
    "simulators.data.row_views",
    "simulators.data.table_record",
    "simulators.device.cuda_graphs",
    "simulators.data.rounds",
    "simulators.data.dataset.taken",
    "simulators.exact.discrete.check_numbers",
    "simulators.exact.discrete.check_points",
    "simulators.engine.initial.checked_initial",
    "simulators.engine.initial.initial_state",
    "simulators.losses.base.checked_data",
    "simulators.losses.base.pieces_of",
    "simulators.losses.base.Loss",
    "simulators.losses.base.reach",
    "simulators.losses.rounding",
    "simulators.online.comparators.NewtonComparator",
    "simulators.online.comparators.LossSum",
    "simulators.online.comparators.on_interval",
    "simulators.online.learners.comparator_losses",
    "simulators.online.learners.natural_block",
    "simulators.online.private.StepNoise",
    "simulators.online.streams.DeviceArrays",
    "simulators.online.streams.diameter",
    "simulators.online.streams.farthest",
    "simulators.online.streams.projected",
    "simulators.streaming.features.flag",
    "simulators.streaming.safe_run",
    "simulators.streaming.track.checked_stream",
    "simulators.trajectory.inputs",
    "simulators.trajectory.recursion.line_sets",
    "simulators.trajectory.recursion.lines_part",
    "simulators.trajectory.recursion.write_back",
    "simulators.engine.noisy_descent",
    "simulators.engine.staging",
    "simulators.exact.affine_data",
    "simulators.losses.pairs",
    "simulators.statistics",
    "simulators.device.memory",
    "simulators.runs.experiment",
    "simulators.random.normals",
    "simulators.random.philox",
    "simulators.random.philox_kernels",
    "simulators.random.philox_loops",
    "simulators.random.philox_tensors",
    "simulators.engine.plan",
    "simulators.random.seeds",
    "simulators.exact.powers",
    "simulators.exact.quadrature",
    "simulators.online.in_place",
    "simulators.online.loop",
    "simulators.online.setup",
    "simulators.streaming.descent",
    "simulators.streaming.directions",
    "simulators.streaming.forgotten",
    "simulators.streaming.publication",
    "simulators.streaming.safe_setup",
    "simulators.streaming.statistics",
    "simulators.device.threads",
}
RECORDS = {
    "simulators.langevin.coupling.CoupledPaths",
    "simulators.erm.certify.CertifiedModel",
    "simulators.erm.objective.Distance",
    "simulators.exact.linear_chain.Gap",
    "simulators.exact.transfer.Atoms",
    "simulators.exact.transfer.Grid",
    "simulators.exact.transfer.Step",
    "simulators.losses.base.LossConstants",
    "simulators.losses.regularisation.Regularisation",
    "simulators.online.adversarial.Instance",
    "simulators.online.requests.Call",
    "simulators.online.result.OnlineResult",
    "simulators.online.streams.StreamConstants",
    "simulators.engine.result.RunResult",
    "simulators.streaming.stream_run.StreamRun",
    "simulators.trajectory.deltagrad.DeltaGradResult",
    "simulators.trajectory.membership.Rates",
    "simulators.trajectory.operations.Operations",
    "simulators.trajectory.recollection.Recollection",
    "simulators.trajectory.recursion.Differences",
    "simulators.trajectory.removal.Residual",
    "simulators.trajectory.training.Trajectory",
}
HOOKS = {"curvature_ball", "signed", "signs", "slope_ball", "slope_bound"}
KERNEL = re.compile(r"\b(torch|Factory|Tangent|Moments|Sums|Density|Round)\b")


def public(package: ModuleType) -> Iterator[Entry]:
    """Every public callable, by module and name; class methods and methods after their class."""
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if found.name.startswith("simulators.runs"):
            continue
        if found.name in INNER or found.name.rsplit(".", 1)[1].startswith("_"):
            continue
        for name, value in vars(importlib.import_module(found.name)).items():
            if name.startswith("_") or getattr(value, "__module__", None) != found.name:
                continue
            if f"{found.name}.{name}" in INNER:
                continue
            entry = Entry(f"{found.name.removeprefix(package.__name__ + '.')}.{name}", value)
            if inspect.isclass(value):
                yield from _class(entry, f"{found.name}.{name}" in RECORDS)
            elif inspect.isfunction(value) and not _is_kernel(entry):
                yield entry


def _class(entry: Entry, record: bool) -> Iterator[Entry]:
    abstract = inspect.isabstract(entry.function)
    if "__init__" in vars(entry.function) and not (record or abstract or _is_kernel(entry)):
        yield entry
    yield from (
        method
        for method in methods(entry)
        if not _is_kernel(method) and method.name.rsplit(".", 1)[1] not in HOOKS
    )


def _is_kernel(entry: Entry) -> bool:
    signature = inspect.signature(entry.function)
    notes = [p.annotation for p in signature.parameters.values()]
    return any(KERNEL.search(str(note)) for note in (*notes, signature.return_annotation))
