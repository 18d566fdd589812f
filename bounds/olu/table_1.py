"""Table 1 of olu: the constant step size."""

import numpy as np

from bounds import Edit, Plot, Statement
from bounds.olu.symbols import D, L, T, d, epsilon, k, omega

statement = Statement(
    "olu.tab1",
    "Table 1",
    "table",
    words="The learning rates of Theorems 2 to 5; the constant one is "
    "sqrt(2 D^2/(T L^2 (1 + 1.2 k^2.2 d/(0.42 eps)))).",
    left=r"\eta",
    symbols=(T, k, d, epsilon, L, D, omega),
    plot=Plot(
        "epsilon",
        tuple(np.geomspace(1e-3, 100, 30).tolist()),
        {"T": 10_000, "k": 5, "d": 10, "L": 1.0, "D": 1.0},
        log_x=True,
    ),
    quantity="the best constant step",
    correction="eta = D/(L sqrt(T + d k^2/(2 eps))): the k noises count once, not T times.",
)
statement.interpreted_as(
    "literal",
    "the constant step that the proof of Theorem 5 derives, at omega = 1.2",
    {"printed": "<=", "corrected": "<="},
    edits={"printed": Edit("2 (omega^2 - 1) = 0.88 in place of 0.42", "0.42", "0.88")},
)
statement.interpreted_as(
    "best",
    "the constant step that minimises the regret bound that holds, one comparator",
    stance="amended",
)


@statement.form(
    "printed",
    tex=r"\eta=\sqrt{\frac{2D^{2}}{TL^{2}\left({1+\frac{1.2\,k^{2.2}\,\,d}{0.42\varepsilon}}\right)}}",
)
def printed(xp, T, k, d, epsilon, L, D):
    """The constant step size as Table 1 prints it. A slip.

    Note: 0.42 for the 0.88 of the proof
    Fails (literal): 0.42 stands where the proof of Theorem 5 gives 2(1.2² - 1) = 0.88: the step in
        the table is {inverse} times the derived one, {bound} against {measured}.
    Fails (best): The denominator multiplies the noise by T, although it is added k times and not T
        times: the step is {bound}, where {measured} minimises the regret bound that holds (T = {T},
        k = {k}, d = {d}, ε = {epsilon}).
    Source: olu, Table 1
    """
    share = xp.rational(6, 5) * k ** xp.rational(11, 5) * d / (xp.rational(21, 50) * epsilon)
    return xp.sqrt(2 * D**2 / (T * L**2 * (1 + share)))


@statement.form(
    "corrected",
    tex=r"\eta=\sqrt{\frac{2D^{2}}{TL^{2}\left({1+\frac{1.2\,k^{2.2}\,\,d}{0.88\varepsilon}}"
    r"\right)}}",
    reads={"1.2": r"\omega", "2.2": r"\omega+1", "0.88": r"2(\omega^2-1)"},
)
def corrected(xp, T, k, d, epsilon, L, D, omega=1.2):
    """The step size of the proof of Theorem 5.

    Note: what the proof of Theorem 5 derives: 2(1.2^2 - 1) = 0.88; T still multiplies the noise
    Proof (literal): minimises the bound (39) of the proof
    Fails (best): With 0.88, too, the k noises are counted T times: at T = {T}, k = {k}, d = {d}, ε
        = {epsilon} the step is {bound}, where {measured} minimises the regret bound that holds.
    Source: olu, (39), where k noises count T times
    """
    rate = xp.sqrt(omega * d / (2 * (omega - 1) * (omega + 1) * epsilon))
    noise = rate * k ** ((omega + 1) / 2)  # its square may exceed the floats
    return D / L * xp.sqrt(2 / T) / xp.hypot(1, noise)


@statement.form("tight", tex=r"\frac{D}{L\sqrt{T+dk^2/(2\varepsilon)}}")
def tight(xp, T, k, d, epsilon, L, D):
    """The step size that minimises D^2/(2 eta) + (eta/2) L^2 (T + d k^2/(2 eps)).

    The variances at the requests are (2i - 1) eta^2 L^2/(2 eps).

    Note: minimises the valid regret bound with the least noise, one comparator
    Proof: D^2/(2 eta) + (eta/2) L^2 (T + d k^2/(2 eps)) is convex in eta
    """
    return D / (L * xp.sqrt(T + d * k**2 / (2 * epsilon)))
