"""Theorem X (iii): exact accounting of unlearning from the stationary law, shared by its forms."""

from bounds.sglu.series import learned, stationary


def stationary_mu_squared(xp, eta, m, M, sigma, R, b, J, K, quiet=0):
    """mu^2 of K >= 1 unlearning epochs against nu_{D'}, on a domain of radius R.

    From the last arrival tau epochs before the end of learning, D = 2R c^quiet apart, mu is
    (D c^{tau J} + Z_tau) c^{KJ}/(s sqrt(G_c((tau + K)J + quiet))). In X = c^{tau J} its square is
    proportional to (Z - (Z - D) X)^2/(1 - y X^2), y = c^{2(KJ + quiet)}, which falls until
    X = (1 - D/Z)/y and then rises: the best whole tau is one of two, or infinite where D >= Z.
    """
    gap = eta * m
    near, far = 2 * R * xp.decay(gap, quiet), stationary(xp, eta, m, M, b, J, quiet)
    scale = xp.decay(gap, 2 * K * J) / (2 * eta * sigma**2)

    def restarted_at(tau):
        apart = near * xp.decay(gap, tau * J) + learned(xp, eta, m, M, b, J, tau, quiet)
        return scale * apart**2 / xp.spread(gap, (tau + K) * J + quiet)

    def restarted():
        best, most = 1 - near / far, xp.decay(gap, 2 * K * J + 2 * quiet)
        real = xp.where(best < most, lambda: xp.log(best / most) / (J * xp.log1p(-gap)), 0)
        tau = xp.floor(real)
        return xp.minimum(restarted_at(tau), restarted_at(tau + 1))

    return xp.where(near >= far, scale * far**2 * gap * (2 - gap), restarted)
