"""Tokens that Kaplan et al. (2020), (4.4), ask for, over the parameters."""

for d in (1e6, 1e9, 1e12):
    print(f"{d:.0e} parameters: {5e3 * d**0.74 / d:.3g} tokens each")
    assert 5e3 * d**0.74 > d
