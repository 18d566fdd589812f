"""Trade-off functions: what tells two laws apart, to (epsilon, delta) and back.

Modules
    gaussian           the Gaussian trade-off function: mu to (epsilon, delta) and back
    gaussian_rules     mu as other measures, and how several add up
    gaussian_mixtures  epsilon of N(mu, 1) with a random mu
    discrete_sums      laws of sums of independent terms, by their cumulants
    bernoulli_sums     those of rows that are each drawn or not
    compression        sums over many shifts as sums over few nodes, with their error
"""

from typing import TYPE_CHECKING

from accounting.lazy_names import lazy_names

if TYPE_CHECKING:
    from accounting.curves.gaussian import delta_gdp, epsilon_gdp, log_delta_gdp, mu_gdp
    from accounting.curves.gaussian_rules import chain_gdp, compose_gdp, renyi_gdp, tradeoff_gdp

__all__ = [
    "chain_gdp",
    "compose_gdp",
    "delta_gdp",
    "epsilon_gdp",
    "log_delta_gdp",
    "mu_gdp",
    "renyi_gdp",
    "tradeoff_gdp",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "accounting.curves.gaussian": "delta_gdp epsilon_gdp log_delta_gdp mu_gdp",
        "accounting.curves.gaussian_rules": "chain_gdp compose_gdp renyi_gdp tradeoff_gdp",
    },
)
