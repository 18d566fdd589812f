"""olu, Section 1 against Theorem 3: the noise of one deletion, u = 1, tau = T."""

d, T = 10_000, 10**8
noise = d * (T / 1**2) ** 0.5
print(f"d G_2 = {noise:.3g}, sqrt T + k^2 d = {T**0.5 + d:.3g}")
assert noise > 10 * (T**0.5 + d)
