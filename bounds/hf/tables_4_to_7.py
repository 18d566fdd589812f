"""Tables 4 to 7 of hf as printed, and the error of a two-point example as steps become small."""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.forms import Array
from bounds.hf.theorem_4_3 import K
from bounds.namespaces import numeric

RATES = (0.01, 0.05, 0.20, 0.30)
# Step size or sample size -> error at each deletion rate.  Table 5's last entry reads 7.0+7.
TABLE_4 = {
    0.001: (0.0023, 0.0054, 0.0142, 0.0199),
    0.005: (0.0070, 0.0168, 0.0456, 0.0654),
    0.01: (0.0104, 0.0244, 0.0669, 0.0966),
    0.05: (0.0299, 0.0600, 0.1625, 0.2301),
    0.1: (0.0473, 0.0948, 0.2499, 0.3475),
    0.5: (0.7996, 1.7299, 12.5328, 14.8246),
}
TABLE_5 = {
    0.001: (0.0006, 0.0022, 0.0082, 0.0123),
    0.005: (0.0043, 0.0153, 0.0575, 0.0838),
    0.01: (0.0170, 0.0694, 0.2569, 0.3719),
    0.05: (0.1669, 0.3798, 0.5843, 0.8253),
    0.1: (0.4374, 0.7946, 1.7216, 2.7245),
    0.5: (7.8e7, 3.5e7, 2.0e8, 7.0e7),
}
TABLE_6 = {
    500: (0.0427, 0.0870, 0.2121, 0.3002),
    1000: (0.0299, 0.0600, 0.1625, 0.2301),
    5000: (0.0136, 0.0364, 0.1040, 0.1521),
    10_000: (0.0094, 0.0279, 0.0891, 0.1334),
    25_000: (0.0074, 0.0236, 0.0809, 0.1195),
    50_000: (0.0059, 0.0215, 0.0798, 0.1192),
}
TABLE_7 = {
    500: (0.1084, 0.2368, 0.5924, 0.8373),
    1000: (0.1669, 0.3798, 0.5843, 0.8253),
    2000: (0.0918, 0.2300, 0.4832, 0.7150),
    5000: (0.0809, 0.1772, 0.4465, 0.6771),
    10_000: (0.1323, 0.1910, 0.4626, 0.6539),
    20_000: (0.1645, 0.1895, 0.4592, 0.6170),
}
# Section 5.1 on the error at 30 %, averages of seven seeds: logistic regression, CNN.
SECTION_5_1 = (0.171638, 0.96)


def exponent(errors: tuple[float, ...]) -> float:
    """Slope of log error over log deletion rate between 5 % and 30 %."""
    return float(np.log(errors[3] / errors[1]) / np.log(RATES[3] / RATES[1]))


tau = Symbol("tau", "training time, the sum of all steps", r"\tau", low=0, low_open=True, unit="1")
T = Symbol("T", "number of steps", "T", low=1, kind="integer")

statement = Statement(
    "hf.table4_7.step",
    "Impact of step sizes (B.3.1)",
    "claim",
    words="A smaller step size reduces the approximation error.",
    left=r"\|\mathbf{w}^{-u}_T-\mathbf{w}_T-\mathbf{a}^{-u}_T\|",
    symbols=(tau, T, K),
    requires=(Hypothesis("tau <= T", lambda tau, T: tau <= T),),
    plot=Plot("tau", (0.05, 0.25, 0.5, 2.5, 5.0, 25.0), {"T": 50, "K": 25.0}, log_x=True),
    quantity="|v_T - w_T - a|",
    correction="With as many steps it falls faster, as eta^2; with as much training, tau = T "
    "eta, it tends to (1 - e^{-tau/2}) - (1 - e^{-tau})/2: what falls is the training time.",
)
statement.interpreted_as(
    "literal",
    "all else kept, the epochs too, as in Tables 4 and 5; K a constant of the losses and of T",
    apart="K is one of T and of the losses, and only large enough ones do",
)
statement.interpreted_as(
    "time",
    "training time tau = sum of the steps kept; K any constant",
    {"printed": "<="},
    stance="amended",
)


@statement.form("printed", tex=r"K\eta,\quad\eta=\tau/T")
def printed(xp, tau, T, K=1):
    """The error of T steps is at most this value.

    Note: 'a smaller step size reduces the approximation error', read as: to nothing
    Proof (literal): For C^2 losses with Lipschitz Hessians the iterates are O(eta) from the start
        after T steps; v_T - w_T and a have the same part of first order in eta, and what is left is
        O(eta^2), so that K exists. For the two quadratics the derivative in eta is (T/2)((1 -
        eta/2)^(T-1) - (1 - eta)^(T-1)), between 0 and T/2 for eta <= 1.
    Fails (time): With as much training, τ the sum of the steps, a smaller step does not help: for
        two quadratics the error tends to (1 - e^(-τ/2)) - (1 - e^(-τ))/2. At τ = {tau}, T = {T} it
        is {measured}, more than {K}·η = {bound}.
    Source: hf, B.3.1, for a K of T and of the losses; no K of tau alone will do
    """
    return K * tau / T


@statement.form(
    "tight",
    tex=r"\frac12\Big(1-\frac{\tau}{T}\Big)^T+\frac12-\Big(1-\frac{\tau}{2T}\Big)^T\to"
    r"(1-e^{-\tau/2})-\tfrac12(1-e^{-\tau})",
)
def tight(xp, tau, T):
    """The error of the two-point example equals this value: it depends on tau, not on the step.

    Note: l = (w -+ 1)^2/2, whole batches, constant steps
    Proof: two quadratics, whole batches: both runs in closed form
    """
    half = tau / (2 * T)
    return half * (xp.geometric(half, T) - xp.geometric(tau / T, T))


@tight.numeric
def _(tau: Array, T: Array) -> Array:
    """The difference of the two sums as half h_{T-2}(1, 1 - half, 1 - 2 half), where it may be."""
    half = tau / (2 * T)
    small = half < 0.5
    rates = (np.where(small, 1 - gap, 1.0) for gap in (half, 2 * half))
    with np.errstate(all="ignore"):
        apart = numeric.geometric(half, T) - numeric.geometric(2 * half, T)
        summed = half * numeric.homogeneous(T - 2, 1.0, *rates)
    return np.asarray(half * np.where(small, summed, apart))


tables = Statement(
    "hf.table4_7",
    "Tables 4 to 7",
    "table",
    words="Approximation errors on MNIST over step sizes and sample sizes, at four deletion rates.",
    aliases=("hf.table4-7", "hf.table4", "hf.table5", "hf.table6", "hf.table7"),
    correction="The stated recursion has an error of second order in r: exponents of Table 6 near "
    "1 are the sign of a first-order bias, such as another retraining rule or order of products.",
)
tables.interpreted_as("literal", "MNIST, the authors' splits and seed 42", {"printed": "<="})
tables.interpreted_as(
    "twice",
    "numbers that the paper prints twice agree",
    {"printed": "<="},
    stance="component",
    fails={
        "printed": "At 30 % deleted Section 5.1 gives 0.1716 and 0.96 as means of seven seeds; "
        "Tables 6 and 7 give 0.2301 and 0.8253 for the same hyperparameters and one "
        "seed, 34 % more and 14 % less. The other eight numbers agree."
    },
)
tables.interpreted_as(
    "step", "a smaller step size brings a smaller error", {"printed": "<="}, stance="component"
)
tables.interpreted_as(
    "size",
    "a larger sample brings a smaller error",
    {"printed": "<="},
    stance="component",
    fails={
        "printed": "In Table 7 six of 20 errors rise with the sample, at 1 % from 0.1084 to "
        "0.1669 (500 to 1,000) and from 0.0809 to 0.1323 (5,000 to 10,000). The "
        "paper says that they generally fall; in Table 6 all do."
    },
)
tables.interpreted_as(
    "exponent",
    "growth of the error with the deletion rate r, between 5 % and 30 % at n >= 20,000, "
    "of the stated algorithm on synthetic data (logistic regression, B.1's schedule)",
    {"printed": "<=", "corrected": "<="},
    stance="component",
    fails={
        "printed": "From 5 % to 30 % deleted, the error of the stated algorithm grows like the "
        "deletion rate to the power of {measured}, on synthetic data with n = {n}; "
        "in Table 6 the power is {bound}, the mark of a first-order bias."
    },
)
