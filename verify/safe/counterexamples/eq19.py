"""Eq (19) of safe on a model without x: f(.; w_t*) is p_t(y), not p_t(y|x)."""

from fractions import Fraction as F

before = {(0, "A"): 3, (0, "B"): 1, (1, "A"): 1, (1, "B"): 3}
after = {**before, (0, "A"): 1}  # two samples of (0, A) leave


def label(counts, y):
    return F(sum(v for (_, c), v in counts.items() if c == y), sum(counts.values()))


def given(counts, x, y):
    return F(counts[x, y], sum(v for (_, c), v in counts.items() if c == y))


weight = {
    y: label(after, y)
    / label(before, y)
    * given(after, 0, y)
    / given(before, 0, y)
    * label(before, y)
    for y in "AB"
}  # f(x; w_0) = p_0(y) for every x
right = weight["A"] / sum(weight.values())
left = label(after, "A")  # f(x; w_t*) = p_t(y) for every x
print(f"f_A(0; w_t*) = {float(left):.10f}, eq (19) gives {float(right):.10f}")
assert (left, right) == (F(1, 3), F(1, 4))
