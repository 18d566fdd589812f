"""mu of a noisy contraction by its definition, in 60 digits: what accountants are held to."""

import math

import mpmath as mp


def exact_mu(c, shift, noise, z0, digits=60):
    """Greatest convex minorant by the definition (all tangents), in 60-digit arithmetic."""
    with mp.workdps(digits):
        n = len(c)
        x, y = [mp.mpf(0)], [mp.mpf(0)]
        height = mp.mpf(z0) * mp.fprod(map(mp.mpf, c))
        clock = mp.mpf(0)
        for k in range(n):
            after = mp.fprod(map(mp.mpf, c[k + 1 :]))
            height += mp.mpf(shift[k]) * after
            if noise[k] > 0 and after > 0:
                clock += (mp.mpf(noise[k]) * after) ** 2
                x.append(clock)
                y.append(height)
        if height == 0:
            return mp.mpf(0)
        if y[-1] != height:
            return mp.inf
        i, cost = 0, mp.mpf(0)
        while i < len(x) - 1:
            slopes = [(y[j] - y[i]) / (x[j] - x[i]) for j in range(i + 1, len(x))]
            j = i + 1 + min(range(len(slopes)), key=slopes.__getitem__)
            cost += (y[j] - y[i]) ** 2 / (x[j] - x[i])
            i = j
        return mp.sqrt(cost)


def exact_mu_bounded(c, shift, noise, z0, diameter):
    """The least over all starts; a diameter of inf bounds nothing."""
    if math.isinf(diameter):
        return exact_mu(c, shift, noise, z0)
    runs = [exact_mu(c, shift, noise, min(z0, diameter))]
    runs += [exact_mu(c[t:], shift[t:], noise[t:], diameter) for t in range(1, len(c))]
    return min(runs)
