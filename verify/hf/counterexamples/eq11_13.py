"""(10)-(11) of hf are not d w_T/ds: losses w^2/2 + w^3/6 - c w, B = 1, T = 4."""


def gradient(w, c):
    return w + w * w / 2 - c


def train(s, T=4, eta=0.5):
    w = 0.2
    for _ in range(T):
        w -= eta / 2 * ((1 - s) * gradient(w, 1.0) + gradient(w, -0.5))
    return w


w, literal, moved = 0.2, 0.0, 0.0
for _ in range(4):
    g = 0.25 * gradient(w, 1.0)
    literal = literal + g
    moved = (1 - 0.5 * (1 + w)) * moved + g
    w -= 0.25 * (gradient(w, 1.0) + gradient(w, -0.5))
slope = (train(1e-5) - train(-1e-5)) / 2e-5
print(f"d w_T/ds = {slope:.9f}; (11) with (10) {literal:.9f}; recursion {moved:.9f}")
assert abs(moved - slope) < 1e-8 < abs(literal - slope)
