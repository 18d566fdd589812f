"""What recollection leaves of the distance to retraining, and what its release takes."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from accounting.curves.gaussian import mu_gdp
from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.population import Population


class Recollected(Population):
    """Hessian-free recollection: what its vectors leave of the distance."""

    def _followed(self, hessian: Any, sets: Any) -> Any:
        """The recursion for sets of rows, with the norms on the way."""
        from simulators.trajectory.recursion import Recursion
        from simulators.trajectory.variants import follow

        if self.scaling != "linear":
            raise NotMeasured("retraining divides by what is kept of a batch")
        world, chosen = self.world, Recursion(hessian, "linear")
        return follow(world.model, world.training, sets, chosen, variant="auto", record_norms=True)

    @cached_property
    def _both(self) -> dict[str, Any]:
        """The recursions of the set: with whole batches' Hessians, and with the kept rows'."""
        return {name: self._followed(name, [self.world.forget]) for name in ("batch", "kept")}

    def _vector(self, hessian: str) -> np.ndarray:
        return np.asarray(self._both[hessian].vectors[0])

    def _left(self, hessian: str) -> Observable:
        left = float(np.linalg.norm(self.difference[-1] - self._vector(hessian)))
        return self._length(left, norms=self._both[hessian].norms[0, :-1].tolist())

    @observable
    def batch_error(self) -> Observable:
        """What the vector with whole batches' Hessians leaves of the distance."""
        return self._left("batch")

    @observable
    def kept_error(self) -> Observable:
        """What the vector with the kept rows' Hessians leaves of the distance."""
        return self._left("kept")

    @observable
    def additivity_gap(self) -> Observable:
        """Distance of the set's vector from the sum of those of its rows, with kept Hessians."""
        each = self._followed("kept", [[u] for u in self.world.forget])
        gap = float(np.linalg.norm(self._both["kept"].vectors[0] - each.vectors.sum(axis=0)))
        batches = self.world.training.batches
        present = [[float(u in rows) for rows in batches] for u in self.world.forget]
        return self._length(gap, present=np.array(present), row_norms=each.norms[:, :-1])

    @observable
    def least_noise(self) -> Observable:
        """Least deviation that makes the unlearned model private beside the retrained one."""
        return self._release(0.1, 0.5, 0.9)

    @observable
    def least_large_noise(self) -> Observable:
        """The same at any epsilon."""
        return self._release(0.1, 1.0, 5.0, 10.0)

    @observable
    def least_joint_noise(self) -> Observable:
        """The same where the model is released with fresh noise 20 times."""
        return self._release(0.1, 1.0, 5.0, k=20)

    def _release(self, *epsilons: float, k: int = 1) -> Observable:
        """The error is that of the rows themselves."""
        error = self._error("batch")
        epsilon, delta = np.array(epsilons), 1e-5
        least = np.sqrt(k) * error / np.asarray(mu_gdp(epsilon, delta))
        at = {"error": error, "epsilon": epsilon, "delta": delta, "k": k}
        return Observable(least, at=at, basis="law", unit="length")

    @observable
    def release_delta(self) -> Observable:
        """delta(epsilon) of the unlearned model beside the retrained one, both with noise."""
        from simulators.exact.gaussian_divergence import hockey_stick_gauss

        error = self._error("batch")
        sigma, epsilon = error * np.array([0.3, 1.0, 2.0]), np.array([3.0, 1.0, 0.3])
        both = zip(sigma.tolist(), epsilon.tolist(), strict=True)
        found = [hockey_stick_gauss(0.0, s**2, error, s**2, e) for s, e in both]
        return Observable(
            np.array(found), at={"error": error, "epsilon": epsilon, "sigma": sigma}, basis="law"
        )

    @cached_property
    def _line(self) -> dict[str, Any]:
        """Of quadratics with one Hessian h I: the recursion's vector of the first row to forget."""
        k = self.constants
        if not (self.hypotheses["equal Hessians"] and self.hypotheses["whole batches"]):
            raise NotMeasured("it needs equal Hessians and whole batches")
        if not self.hypotheses["one step size"]:
            raise NotMeasured("it needs one step size")
        x = self.world.data.features
        centres = {"cbar": x.mean(axis=0) / k["lam"], "c_u": x[self.world.forget[0]] / k["lam"]}
        return {"h": k["lam"], **centres}

    def _along(self, vector: np.ndarray, **points: np.ndarray) -> Observable:
        """The length of a vector that is linear in the points, and their parts along it."""
        length = float(np.linalg.norm(vector))
        parts = {name: float(point @ vector) / length for name, point in points.items()}
        return self._length(length, h=self._line["h"], **parts)

    @observable
    def row_vector(self) -> Observable:
        """Length of the vector of one row, where Hessians are equal."""
        line = self._line
        vector = self._followed("batch", [[self.world.forget[0]]]).vectors[0]
        return self._along(vector, cbar=line["cbar"], c_u=line["c_u"], w0=self.learned[0])

    @observable
    def repaired_vector(self) -> Observable:
        """Length of a row's vector after a repair as long as training, where Hessians are equal."""
        line, u = self._line, [self.world.forget[0]]
        stored = self._followed("kept", [u]).vectors[0]
        again = replace(self.world.training, start=self.learned[-1])
        moved = replace(again, start=self.learned[-1] + stored)
        vector = moved.run(self.world.model, u).last - again.run(self.world.model).last
        points = {"cbar": line["cbar"], "c_u": line["c_u"]}
        return self._along(vector, **points, w0=self.learned[-1], a0=stored)

    @observable
    def clipped_norm(self) -> Observable:
        """Norms of the mean gradients on the way after the clip."""
        return self._clipped("min")

    @observable
    def printed_clipped_norm(self) -> Observable:
        """Norms of the same gradients after the clip with max in place of min."""
        return self._clipped("max")

    def _clipped(self, rule: str) -> Observable:
        import torch

        if self.experiment.clip is None:
            raise NotMeasured("there is no clip")
        training = replace(self.world.training, clip_rule=rule)
        means = [self.world.model.tensor(mean) for mean in self._moves["whole at w"]]
        norms = np.array([float(torch.linalg.vector_norm(g)) for g in means])
        kept = [float(training.shrinking(self.world.model, g)) for g in means]
        return self._length(norms * kept, g=norms, clip=self.experiment.clip)
