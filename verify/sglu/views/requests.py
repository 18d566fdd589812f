"""Several requests in sequence by exact laws, from the stationary law of learning."""

from __future__ import annotations

import math

import numpy as np

from accounting.curves.gaussian import delta_gdp
from simulators.runs.affine_laws import separation
from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.langevin_run import LangevinRun
from verify.sglu.views.exact import DELTA, EPSILON, of_law

MOST_EPOCHS = 1000  # of one request


class RequestLaws(View, of=LangevinRun):
    """What is published after each request, beside the stationary law of the data that remain."""

    run: LangevinRun

    @observable
    def request_distance(self) -> Observable:
        """Distance of the published from the next stationary mean before each later request."""
        if len(self.run.updates) < 2:
            raise NotMeasured("there is one request only")
        laws = self.run.laws
        published = [laws.stationary[0], *laws.after_requests[:-1]]
        pairs = zip(published, laws.stationary[1:], strict=True)
        distances = np.array([float(np.linalg.norm(p.mean - q.mean)) for p, q in pairs])
        K = laws.K
        at = {"Z_s": distances[:-1], "K_s": K, "K_before": K, "Z": self._most_apart}
        return of_law(distances[1:], "length", **at)

    @property
    def _most_apart(self) -> float:
        """The largest distance of stationary means that one request can make (Corollary 3.9)."""
        c, J, M, b = (self.run.constants[name] for name in ("c", "J", "M", "b"))
        return float(2 * self.run.step_size * M / b / -math.expm1(J * math.log(c)))

    @observable
    def planned_epochs(self) -> Observable:
        """Least epochs in all for (1, 1e-5) at every request in turn, from the stationary law."""
        laws, total = self.run.laws, 0
        law = laws.stationary[0]
        for kernel, target in zip(laws.kernels[1:], laws.stationary[1:], strict=True):
            law, epochs = kernel.apply(law), 1
            while float(delta_gdp(separation(law, target), EPSILON)) > DELTA:
                law, epochs = kernel.apply(law), epochs + 1
                if epochs == MOST_EPOCHS:
                    raise NotMeasured("a thousand epochs are not enough")
            total += epochs
        return of_law(total, "epochs", epsilon=EPSILON, delta=DELTA)
