"""Privacy accounting: processes -> trade-off curve -> (epsilon, delta) -> noise."""

from accounting.gaussian import (
    chain_gdp,
    compose_gdp,
    delta_gdp,
    epsilon_gdp,
    log_delta_gdp,
    mu_gdp,
    renyi_gdp,
    tradeoff_gdp,
)

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
