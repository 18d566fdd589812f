"""hf B.3: l_u = 4(w - 1)^2/2 goes, l_r = (w - 1)^2/2 stays; eta = .3 q^t."""


def error(q, T):
    w = v = a = 0.0
    for t in range(T):
        eta = 0.3 * q**t
        a += -eta * 2.5 * a + eta / 2 * 4 * (w - 1)
        w, v = w - eta * 2.5 * (w - 1), v - eta * 0.5 * (v - 1)
    return abs(v - w - a)


print(
    f"q = 1: {error(1, 5):.6f} after 5 epochs, {error(1, 100):.2e} after 100; "
    f"q = .5: {error(0.5, 100):.6f}"
)
assert error(1, 5) > error(1, 100) and error(0.5, 100) > 100 * error(1, 100)
