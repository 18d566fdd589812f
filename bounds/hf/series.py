"""Sums and factors that several of hf's bounds are made of, over a namespace."""


def decaying_difference(xp, rho, q, T):
    """sum_{k < T} rho^{T-1-k} (q^k - q^{2k})/(1 - q) = q h_{T-2}(rho, q, q^2), also at q = 1."""
    return q * xp.homogeneous(T - 2, rho, q, q**2)


def visits(xp, rho, q, E, B, b_u):
    """sum_{e <= E} rho^{T-1-eB-b_u} q^{eB+b_u}, T = (E + 1) B: steps on the batch of one sample."""
    return rho ** (B - 1 - b_u) * q**b_u * xp.homogeneous(E, rho**B, q**B)


def zeta(xp, rho, q, E, B):
    """zeta_T/(1 - q) of Theorem 4.3, T = (E + 1) B."""
    return decaying_difference(xp, rho, q, (E + 1) * B) + xp.homogeneous(E, rho**B, q**B) / (1 - q)


def classical(xp, delta):
    """sqrt(2 ln(1.25/delta)): the classical noise for one unit of error and epsilon 1."""
    return xp.sqrt(2 * xp.log(xp.rational(5, 4) / delta))
