"""olu Corollary 1, exact: K = [0, 1], f_u = (beta/2)(z - 1)^2, all others (mu/2) z^2."""

from fractions import Fraction as F


def ratio(step, mu, beta, u, tau, omega):
    """D_alpha/(alpha eps) at tau for one deletion; the retrained run stays at 0."""
    z = F(0)
    for t in range(2, tau + 1):
        gradient = beta * (z - 1) if t == u else mu * z
        z = min(max(z - step(t) * gradient, F(0)), F(1))
    gamma = (beta - mu) / (beta + mu)
    sigma2 = omega / (2 * (omega - 1)) * (gamma ** (tau - u) * step(u) * beta) ** 2  # times 1/eps
    return z**2 / (2 * sigma2)


mu, beta = F(1), F(3)
found = ratio(lambda t: 1 / (beta + mu), mu, beta, 4, 5, F(2))
print(f"eta = 1/(beta + mu): D_alpha/(alpha eps) = {found}; promised: at most 1")
assert found == F(9, 8)
