"""olu (40) against line 5: noise over a common factor; k = L = mu = 1, I_2 = 0."""

for gamma, u, tau in ((0.5, 1, 10), (0.9, 50, 60), (0.99, 100, 100)):
    eta = 1 / u
    passive = gamma ** (tau - u) * eta
    active = (6 + gamma ** (tau - u) * eta) / tau
    print(f"gamma {gamma}, u {u}, tau {tau}: active {active:.4f}, passive {passive:.4f}")
    assert active > passive
