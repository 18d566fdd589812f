"""(35)-(39) of hf: the steps of the proof of Theorem 4.3, each slip on its own."""

from bounds import Edit, Hypothesis, Plot, Statement, Symbol
from bounds.hf.series import decaying_difference
from bounds.hf.symbols import B, E, Lam, M, curvatures, lam, q
from bounds.hf.theorem_4_3 import remainder as taylor

distance = Symbol("distance", "|v - w|", r"\|\Delta\|", low=0, unit="parameter")
factor = Symbol("rho", "factor of every step", r"\rho", low=0, high=2, low_open=True, unit="1")
step = Symbol("eta", "step size", r"\eta", low=0, high=1, low_open=True, unit="1")

statement = Statement(
    "hf.proofa4",
    "(36)-(37), the Taylor remainder",
    "inequality",
    words="The remainder eta o(Delta) of a step is at most eta |Delta|.",
    left=r"\|o(\Delta)\|",
    symbols=(distance, lam, M, Lam),
    requires=(curvatures,),
    aliases=("hf.proofA4", "hf.eq36", "hf.eq37"),
    plot=Plot(
        "distance",
        tuple(0.1 * k for k in range(1, 31)),
        {"lam": 0.0, "M": 2.0, "Lam": 1.5},
        log_y=False,
    ),
    quantity="|g(v) - g(w) - H(w)(v - w)|",
    correction="min(Lam |Delta|^2/2, (M - lam)|Delta|), which carries the unit.",
)
statement.interpreted_as("literal", "any lam <= M and Lam")
statement.interpreted_as(
    "unit",
    "M - lam <= 1, in the unit at hand",
    stance="amended",
    where=(Hypothesis("M - lam <= 1", lambda M, lam: M - lam <= 1),),
)


@statement.form(
    "printed", tex=r"\|\Delta_{E,B-1}^{-u}\|", reads={r"\|\Delta_{E,B-1}^{-u}\|": "distance"}
)
def printed(xp, distance):
    """The remainder of a step is at most eta times this value. False as soon as M - lam > 1.

    Note: (38) puts 1 for the constant, whatever the unit
    Proof (unit): the corrected form is at most (M - lam)|Delta|
    Fails (literal): (36) has a remainder ηo(Δ), (38) counts it as η|Δ|, with the constant 1 in any
        unit; it can come near (M - λ)|Δ|. At λ = {lam}, M = {M}, |Δ| = {distance} it is {measured}
        times η.
    Source: hf, (36)-(38)
    """
    return distance


@statement.form("corrected", tex=r"\int_0^1\min(\Lambda s\|\Delta\|,M-\lambda)\,ds\,\|\Delta\|")
def corrected(xp, distance, lam, M, Lam):
    """|g(v) - g(w) - H(w)(v - w)| is at most this value.

    Note: at most Lam |Delta|^2/2 and (M - lam)|Delta|; attained
    Proof (literal): the Hessian moves by Lam times the way, and by M - lam at most
    Proof (unit): the Hessian moves by Lam times the way, by M - lam at most
    """
    return taylor(xp, distance, M - lam, Lam)


first_visit = Statement(
    "hf.eq35",
    "(35)",
    "equality",
    words="a = sum_{e=1}^{E} M_e g_u(w_e).",
    left=r"\mathbf a_{E,B}^{-u}",
    symbols=(step, E),
    plot=Plot("E", tuple(float(e) for e in range(15)), {"eta": 0.2}, log_y=False),
    quantity="derivative of w_T",
    correction="e from 0, as in (11).",
)
first_visit.interpreted_as(
    "literal",
    "a is the derivative of w_T with respect to leaving u out, as in (11)",
    edits={"printed": Edit("e = 0 for e = 1", "e=1", "e=0")},
)


@first_visit.form(
    "printed", tex=r"\sum_{e=1}^{E}\mathbf M_{e,b(u)}\nabla\ell(\mathbf w_{e,b(u)};u)"
)
def from_one(xp, eta, E):
    """The approximator is this value where b(u) = 0, B = 2, l_u is linear and the other h = 1.

    False.

    Note: drops the first epoch, whose step is the largest
    Fails: The sum from e = 1 leaves out the first epoch, unlike (11). With E = {E}, a single epoch,
        it is {bound}, and the derivative of w_T {measured}.
    Source: hf, (35) and Algorithm 1
    """
    return eta * (1 - eta) * xp.geometric(eta, E)


@first_visit.form(
    "corrected", tex=r"\sum_{e=0}^{E}\mathbf M_{e,b(u)}\nabla\ell(\mathbf w_{e,b(u)};u)"
)
def from_zero(xp, eta, E):
    """The approximator is this value in the setting of the printed form.

    Note: as (11)
    Proof: differentiate the recursion of training
    """
    return eta * (1 - eta) * xp.geometric(eta, E + 1)


propagated = Statement(
    "hf.eq38",
    "(38)",
    "equality",
    words="The remainders of an epoch enter the error through products of later factors.",
    left=r"\text{unit remainders of the }B\text{ steps of an epoch, at its end}",
    reads={
        r"1+\hat{\mathbf H}_{E,B-1}+\dots+\prod_{b=2}^{B-1}\hat{\mathbf H}_{E,b}": (
            r"\sum_{j=0}^{B-2}\rho^j"
        ),
        r"\hat{\mathbf H}_{E,b}": r"\rho",
    },
    symbols=(factor, B),
    plot=Plot("B", tuple(float(b) for b in range(1, 21)), {"rho": 0.8}, log_y=False),
    quantity="x_B of x <- rho x + 1",
    correction="b from 1 in the last product.",
)
propagated.interpreted_as(
    "literal",
    "all factors rho, unit remainders",
    edits={"printed": Edit("b = 1 for b = 0 in the last product", r"\prod_{b=0}", r"\prod_{b=1}")},
)


@propagated.form(
    "printed",
    tex=r"1+\hat{\mathbf H}_{E,B-1}+\dots+\prod_{b=2}^{B-1}\hat{\mathbf H}_{E,b}"
    r"+\prod_{b=0}^{B-1}\hat{\mathbf H}_{E,b}",
)
def one_too_many(xp, rho, B):
    """Unit remainders, stretched by rho at every later step, add up to this value. False.

    Note: the last product has one factor too many: step 0 does not act on its own remainder
    Fails: The last product runs from b = 0, so that step 0 acts on the remainder that it leaves
        itself: ρ^B for ρ^(B-1). At ρ = {rho}, B = {B} the sum is {bound}, not {measured}.
    Source: hf, (38), again in (39) left and (40)
    """
    return xp.geometric(1 - rho, B - 1) + rho**B


@propagated.form(
    "corrected",
    tex=r"1+\hat{\mathbf H}_{E,B-1}+\dots+\prod_{b=2}^{B-1}\hat{\mathbf H}_{E,b}"
    r"+\prod_{b=1}^{B-1}\hat{\mathbf H}_{E,b}",
)
def own_left_out(xp, rho, B):
    """Unit remainders, stretched by rho at every later step, add up to this value.

    Note: b from 1
    Proof: x <- rho x + 1 from 0
    """
    return xp.geometric(1 - rho, B)


last_epoch = Statement(
    "hf.eq39",
    "(39)",
    "equality",
    words="The remainders of the last epoch are sum_k rho^{k-T-1}(q^k - q^{2k}).",
    left=r"\sum_{j=1}^{B}(q^{T-j}-q^{2(T-j)})\rho^{j-1},\quad T=(E+1)B",
    reads={r"\sum_{k=T-1}^{T-B}": r"\sum_{k=T-B}^{T-1}"},
    symbols=(factor, q, E, B),
    plot=Plot("E", tuple(float(e) for e in range(15)), {"rho": 0.8, "q": 0.9, "B": 4}),
    quantity="the line above, term by term",
    correction="rho^{T-1-k}, k from T - B to T - 1.",
)
last_epoch.interpreted_as(
    "literal",
    "k from T - B to T - 1",
    edits={"printed": Edit("T - 1 - k for k - T - 1", "k-T-1", "T-1-k")},
)


def _from(xp, start, q, constant, changing):
    """sum_j w_j (q^k - q^{2k}), k = start + j, from sum_j w_j q^j and sum_j w_j q^j [j]_q.

    1 - q^k = (1 - q) ([start]_q + q^start [j]_q), [j]_q = 1 + ... + q^{j-1}: no subtraction.
    """
    first = q**start
    return (1 - q) * first * (xp.geometric(1 - q, start) * constant + first * changing)


@last_epoch.form("printed", tex=r"\sum_{k=T-1}^{T-B}\rho^{k-T-1}(q^k-q^{2k})")
def wrong_exponent(xp, rho, q, E, B):
    """The sum over the last epoch is this value. False.

    Note: exponent of rho; limits reversed (read here as T - B to T - 1)
    Fails: The exponent of ρ is k - T - 1 where the line above has T - 1 - k, and the limits of the
        sum are exchanged. At ρ = {rho}, q = {q}, B = {B} it is {bound} for {measured}.
    Source: hf, (39)
    """
    x = rho * q
    changing = x * xp.homogeneous(B - 2, 1, x, x * q)
    return rho ** (-B - 1) * _from(xp, E * B, q, xp.homogeneous(B - 1, 1, x), changing)


@last_epoch.form("corrected", tex=r"\sum_{k=T-1}^{T-B}\rho^{T-1-k}(q^k-q^{2k})")
def right_exponent(xp, rho, q, E, B):
    """The sum over the last epoch is this value.

    Note: exponent T - 1 - k
    Proof: k = T - j in the line above
    """
    changing = decaying_difference(xp, rho, q, B)
    return _from(xp, E * B, q, xp.homogeneous(B - 1, rho, q), changing)
