"""Eq (24) of safe on classes A, B, features -1, 0, 1, 30 samples each."""

from math import exp, pi, sqrt

N, m = 30, 20  # m samples of (0, A) leave


def density(x, var):
    return exp(-x * x / (2 * var)) / sqrt(2 * pi * var)


class_0, class_t = [-1, 0, 1] * N, [-1, 1] * N + [0] * (N - m)  # class A, mean 0
var_0, var_t = (sum(x * x for x in data) / len(data) for data in (class_0, class_t))
shares = len(class_t) / len(class_0) * (6 * N) / (6 * N - m)
plugged = shares * density(0, var_t) / density(0, var_0)
true = shares * (class_t.count(0) / len(class_t)) / (class_0.count(0) / len(class_0))
print(f"p_t(y)p_t(x|y) over p_0(y)p_0(x|y) at x = 0: {true:.9f}, eq (24) gives {plugged:.9f}")
assert abs(true - 0.375) < 1e-12 and plugged > 0.77
