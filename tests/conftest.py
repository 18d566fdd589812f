"""Settings for the whole suite: one thread, reproducible hypothesis runs, no display."""

import os

for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
os.environ.setdefault("MPLBACKEND", "Agg")

from hypothesis import HealthCheck, settings  # noqa: E402

settings.register_profile(
    "suite",
    deadline=None,
    max_examples=60,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")


def pytest_configure(config):
    """Two contended OpenMP threads were measured up to 600 times slower than one."""
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(1)
