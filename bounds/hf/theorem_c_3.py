"""Theorem C.3 of hf: how many samples can be deleted at a given excess risk."""

from bounds import Plot, Statement
from bounds.hf.symbols import L, gamma, lam_positive, n

statement = Statement(
    "hf.thmc3",
    "Theorem C.3 (63)",
    "inequality",
    words="The deletion capacity is at least n - 4L^2/(gamma lam), for T large.",
    left=r"m^{\Omega,\bar\Omega}_{\varepsilon,\delta,\gamma}(d,n)",
    symbols=(n, gamma, L, lam_positive),
    aliases=("hf.thmC3", "hf.eq63", "hf.eq65"),
    plot=Plot(
        "n", (50.0, 100.0, 200.0, 500.0, 1000.0), {"gamma": 0.25, "L": 2.0, "lam": 1.0}, log_x=True
    ),
    quantity="deletion capacity",
    correction="floor(n lam gamma/L^2 - n/(n + 1)) for ideal retraining; n + 1 - L^2/(lam gamma) "
    "only if U is drawn without looking at the data; neither beyond n - 1.",
)
statement.interpreted_as(
    "literal",
    "Definition C.1 (U sees the data); the ideal T, exact retraining",
    {"printed": ">=", "corrected": ">="},
)
statement.interpreted_as(
    "every",
    "Definition C.1; every (eps, delta)-unlearning pair, against the constant of hf.thmc2.constant",
    {"printed": ">="},
    stance="component",
)


@statement.form("printed", tex=r"n-\frac{4L^2}{\gamma\lambda}")
def printed(xp, n, gamma, L, lam):
    """The deletion capacity is at least this value.

    False for Definition C.1 even for exact retraining, and against Theorem C.2.

    Note: as if U had not seen the data
    Fails (literal): The proof takes Lemma A.4, for sets drawn without looking at the data, where
        Definition C.1 has the worst set: exact retraining survives {measured} deletions at n = {n},
        γ = {gamma}, not {bound}.
    Fails (every): As n grows it contradicts the upper bound cn of Theorem C.2: at n = {n}, γ =
        {gamma} no (1, 0.005)-unlearning survives more than {measured} deletions, where (63)
        promises {bound}.
    Source: hf, Theorem C.3, (63) and (65)
    """
    return n - 4 * L**2 / (gamma * lam)


@statement.form(
    "corrected",
    tex=r"\min\Big(\Big\lfloor\frac{n\lambda\gamma}{L^2}-\frac{n}{n+1}\Big\rfloor,n-1\Big)",
)
def corrected(xp, n, gamma, L, lam):
    """The deletion capacity of exact retraining is at least this value, on a convex W.

    The worst excess is at most mL^2/(lam n) + L^2/(lam(n + 1)) for m < n; with nothing kept there
    is no w^{-U}.

    Note: exact retraining on one sample at least; -1 where not even m = 0 is certain
    Proof: |w^{-U} - w^| <= mL/(lam n), and Lemma A.4 on all of S
    """
    return xp.maximum(xp.minimum(xp.floor(n * lam * gamma / L**2 - n / (n + 1)), n - 1), -1)


independent = Statement(
    "hf.thmc3.independent",
    "Theorem C.3, U independent of the data",
    "inequality",
    words="Exact retraining survives n - 4L^2/(gamma lam) blind deletions.",
    left=r"\max\{m:\ \mathbb{E}[F(\hat{\mathbf{w}}^{-U})-F(\mathbf{w}^*)]\le\gamma\}",
    symbols=(n, gamma, L, lam_positive),
    plot=Plot(
        "n", (50.0, 100.0, 200.0, 500.0, 1000.0), {"gamma": 0.25, "L": 2.0, "lam": 1.0}, log_x=True
    ),
    quantity="deletions",
)
independent.interpreted_as(
    "literal",
    "U drawn without looking at the data, exact retraining",
    {"printed": ">=", "corrected": ">="},
    apart="the printed number may be above n - 1: nothing is kept",
)


@independent.form("printed", tex=printed.tex)
def unseen(xp, n, gamma, L, lam):
    """Exact retraining without m samples drawn blindly is good enough up to this many.

    Note: holds for exact retraining
    Proof: Lemma A.4 solved for the number deleted
    Source: hf, (65)
    """
    return n - 4 * L**2 / (gamma * lam)


@independent.form("corrected", tex=r"\min\Big(n+1-\frac{L^2}{\lambda\gamma},n-1\Big)")
def unseen_sharper(xp, n, gamma, L, lam):
    """Exact retraining without m samples drawn blindly is good enough up to this many.

    Note: Lemma A.4 with its constant 1; one sample at least is kept
    Proof: Lemma A.4 with its constant 1
    """
    return xp.minimum(n + 1 - L**2 / (lam * gamma), n - 1)
