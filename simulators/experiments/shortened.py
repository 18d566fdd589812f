"""What the last k steps leave of the distance to retraining, by recursion and by retraining."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.path_steps import Steps


class Shortened(Steps):
    """The last k steps, by the recursion and by retraining."""

    def _last(self) -> int:
        k = int(self.experiment.k)
        if not 1 <= k <= self.world.training.length:
            raise NotMeasured("k is none of the steps")
        return k

    @observable
    def short_error(self) -> Observable:
        """What the last k steps of the recursion leave of the distance."""
        from simulators.trajectory.mini import mini

        world, k = self.world, self._last()
        point = mini(world.model, world.training, world.forget, k)
        left = float(np.linalg.norm(self.retrained[-1] - point))
        return self._length(left, distances=self.apart[:-1][::-1][:k].tolist(), c=0.01)

    @observable
    def rewound_error(self) -> Observable:
        """What retraining for the last k steps leaves of the distance."""
        k = self._last()
        left = float(np.linalg.norm(self.difference[-1] - self._restarted))
        return self._length(left, distance=float(self.apart[-1 - k]))

    @cached_property
    def _restarted(self) -> np.ndarray:
        """The last k steps on what is kept, from w_{s-k}, minus w_s (p,)."""
        from simulators.trajectory.rewind import rewind

        world, k = self.world, self._last()
        start = self.learned[-1 - k]
        how = {"scaling": self.scaling, "from_point": start}
        point = rewind(world.model, world.training, world.forget, k, **how)
        return np.asarray(point - self.learned[-1])

    @observable
    def exact_step(self) -> Observable:
        """Length of the difference after each step, beside eq (6) with the averaged Hessian."""
        D, at = self.difference, self._moves
        rates, (missing, sizes) = self._rates, self._counts
        moved = D[:-1] - rates * (at["kept at v"] - at["kept at w"])
        share = missing / sizes
        pulled = rates * share * at["kept at w"]
        gone = rates * (at["whole at w"] - (1 - share) * at["kept at w"])
        return self.sides(D[1:], printed=moved - pulled - gone, corrected=moved - pulled + gone)

    @property
    def _counts(self) -> tuple[np.ndarray, np.ndarray]:
        k = self.constants
        return np.array(k["missing"])[:, None], np.array(k["sizes"])[:, None]

    @observable
    def followed_difference(self) -> Observable:
        """Length of the difference, beside the last k steps of the recursion from that before."""
        from simulators.trajectory.recursion import Recursion, differences

        world, k = self.world, self._last()
        s = world.training.length
        part = world.training.part(s - k, s, self.learned[s - k])
        found = differences(
            world.model,
            part,
            [world.forget],
            Recursion("kept", "mean"),
            initial=self.difference[s - k][None].copy(),
        )
        return self.sides(self.difference[-1], printed=found.vectors[0])

    @observable
    def restarted_move(self) -> Observable:
        """What the last k steps on kept rows change, beside Algorithms 1 and 3 and eq (10)."""
        from simulators.trajectory.mini import mini, printed_algorithm_1, printed_algorithm_3

        world, k, end = self.world, self._last(), self.learned[-1]
        if not 2 <= k < world.training.length:
            raise NotMeasured("k is not between 2 and T - 1")
        arguments = (world.model, world.training, world.forget, k)
        forms = {
            "printed_1": printed_algorithm_1(*arguments) - end,
            "printed_3": printed_algorithm_3(*arguments) - end,
            "corrected": mini(*arguments) - end,
        }
        return self.sides(self._restarted, **forms)

    @observable
    def points_read(self) -> Observable:
        """How many iterates suffice for the last k steps of the recursion, w_s among them."""
        from simulators.trajectory.mini import mini

        world, k = self.world, self._last()
        part = world.training.part(-k, world.training.length, self.learned[-1 - k])
        whole, alone = (mini(world.model, t, world.forget, k) for t in (world.training, part))
        if float(np.linalg.norm(whole - alone)) > self._length(0.0).rounding:
            raise NotMeasured("they do not suffice")
        return Observable(len(np.unique(part.run(world.model).points, axis=0)), at={"m": 0})

    @observable
    def secant_form(self) -> Observable:
        """u^T B u of the BFGS matrix of one pair of points, u what the paths differ by there."""
        model, rows = self.world.model, self.world.training.batches[1]
        w, v = (model.tensor(self.learned[i]) for i in (0, 1))
        ones = model.full(len(rows), 1 / len(rows))
        after, before = (model.tangent(at, rows).gradient(ones) for at in (v, w))
        y = (after - before).cpu().numpy()
        s, u = self.learned[1] - self.learned[0], self.difference[-1]
        B = float(s @ y) / float(s @ s) * np.eye(len(s))
        B += np.outer(y, y) / (s @ y) - np.outer(B @ s, B @ s) / (s @ B @ s)
        at = {"move": s.tolist(), "bend": y.tolist(), "along": u.tolist()}
        return Observable(float(u @ B @ u), at=at, rounding=1e-12 * float(u @ u))
