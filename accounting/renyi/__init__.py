"""Renyi differential privacy (RDP): bounds on D_alpha, and what they imply.

Modules
    curve            Renyi curves as values: composition, groups, conversion
    linear           D_alpha <= rho alpha to (epsilon, delta) and back, in closed form
    optimal          the best (epsilon, delta) that such a curve alone implies
    two_point_laws   the laws on two points that decide it
    groups           k replaced points from one Renyi order
"""

from typing import TYPE_CHECKING

from accounting.lazy_names import lazy_names

if TYPE_CHECKING:
    from accounting.renyi.curve import RenyiCurve, compose, group, to_epsilon, weak_triangle
    from accounting.renyi.groups import group_factor
    from accounting.renyi.linear import (
        epsilon_cks,
        epsilon_gaussian,
        epsilon_mironov,
        epsilon_weak_triangle,
        rho_cks,
        rho_gaussian,
        rho_mironov,
        rho_weak_triangle,
    )
    from accounting.renyi.optimal import (
        delta_optimal,
        epsilon_optimal,
        log_delta_optimal,
        rho_optimal,
    )

__all__ = [
    "RenyiCurve",
    "compose",
    "delta_optimal",
    "epsilon_cks",
    "epsilon_gaussian",
    "epsilon_mironov",
    "epsilon_optimal",
    "epsilon_weak_triangle",
    "group",
    "group_factor",
    "log_delta_optimal",
    "rho_cks",
    "rho_gaussian",
    "rho_mironov",
    "rho_optimal",
    "rho_weak_triangle",
    "to_epsilon",
    "weak_triangle",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "accounting.renyi.curve": "RenyiCurve compose group to_epsilon weak_triangle",
        "accounting.renyi.groups": "group_factor",
        "accounting.renyi.linear": """
            epsilon_cks epsilon_gaussian epsilon_mironov epsilon_weak_triangle rho_cks
            rho_gaussian rho_mironov rho_weak_triangle
        """,
        "accounting.renyi.optimal": "delta_optimal epsilon_optimal log_delta_optimal rho_optimal",
    },
)
