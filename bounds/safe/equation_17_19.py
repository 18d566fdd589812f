"""Equations (17) to (19) of safe: the posterior after a deletion, by Bayes."""

from bounds import Hypothesis, Statement, Symbol

labels = Symbol(
    "labels",
    "p_t(y)/p_0(y) of every class",
    r"\frac{p_t(y)}{p_0(y)}",
    low=0,
    kind="list",
    typical=(1, 7),
    unit="1",
)
conditionals = Symbol(
    "conditionals",
    "p_t(x|y)/p_0(x|y) of every class, at one x",
    r"\frac{p_t(\mathbf{x}|y)}{p_0(\mathbf{x}|y)}",
    low=0,
    kind="list",
    typical=(1, 9),
    unit="1",
)
prior = Symbol(
    "prior",
    "p_0(y|x) of every class at that x, up to a common factor",
    r"p_0(y|\mathbf{x})",
    low=0,
    kind="list",
    typical=(1, 6),
    unit="1",
)
model = Symbol(
    "model",
    "f(x; w_0) of every class at that x, up to a common factor",
    r"f(\mathbf{x};w_0)",
    low=0,
    kind="list",
    typical=(1, 6),
    unit="1",
)
one_each = Hypothesis(
    "one entry for every class", lambda labels, conditionals: len(labels) == len(conditionals)
)
_RATIOS = r"\frac{p_t(y)}{p_0(y)}\cdot\frac{p_t(\mathbf{x}|y)}{p_0(\mathbf{x}|y)}\cdot "

marginal = Symbol(
    "marginal",
    "p_0(x)/p_t(x)",
    r"\frac{p_0(\mathbf{x})}{p_t(\mathbf{x})}",
    low=0,
    low_open=True,
    unit="1",
)
label = Symbol("label", "p_t(y)/p_0(y)", r"\frac{p_t(y)}{p_0(y)}", low=0, unit="1")
conditional = Symbol(
    "conditional",
    "p_t(x|y)/p_0(x|y)",
    r"\frac{p_t(\mathbf{x}|y)}{p_0(\mathbf{x}|y)}",
    low=0,
    unit="1",
)
p0 = Symbol("p0", "p_0(y|x)", r"p_0(y|\mathbf{x})", low=0, high=1, unit="1")

bayes = Statement(
    "safe.eq17",
    "Equation (17)",
    "equality",
    words="p_t(y|x) = [p_0(x)/p_t(x)] [p_t(y)/p_0(y)] [p_t(x|y)/p_0(x|y)] p_0(y|x).",
    left=r"p_t(y|\mathbf{x})",
    symbols=(marginal, label, conditional, p0),
    requires=(
        Hypothesis(
            "marginal * label * conditional * p0 <= 1",
            lambda marginal, label, conditional, p0: (
                marginal * label * conditional * p0 <= 1 + 1e-9
            ),
        ),
    ),
)
bayes.interpreted_as("literal", "laws of D_0 and D_t, p_0(x|y) > 0 wherever p_t(x|y) is")
proportional = Statement(
    "safe.eq18",
    "Equation (18)",
    "equality",
    words="p_t(y|x) is proportional to [p_t(y)/p_0(y)] [p_t(x|y)/p_0(x|y)] p_0(y|x).",
    left=r"p_t(y|\mathbf{x})",
    symbols=(labels, conditionals, prior),
    requires=(
        one_each,
        Hypothesis("one entry for every class", lambda labels, prior: len(labels) == len(prior)),
    ),
    correction="Nothing is approximated: marginal shifts need be neither negligible nor absorbed.",
)
proportional.interpreted_as("literal", "proportional in y at a fixed x")
adjusted = Statement(
    "safe.eq19",
    "Equation (19)",
    "equality",
    words="f(x; w_t*) is approximately the label ratio times the conditional ratio times "
    "f(x; w_0), normalised.",
    left=r"f(\mathbf{x};w_t^*)",
    symbols=(labels, conditionals, model),
    requires=(
        one_each,
        Hypothesis("one entry for every class", lambda labels, model: len(labels) == len(model)),
    ),
    correction="Assume f(.; w_t*) = p_t beside f(.; w_0) = p_0, or bound the error of the "
    "log-odds log(q_c f_c(x; w_0)) - log f_c(x; w_t*).",
)
adjusted.interpreted_as("literal", "no error is stated")
adjusted.interpreted_as(
    "saturated", "f(.; w_0) = p_0, f(.; w_t*) = p_t, exact ratios; an equality", stance="amended"
)
adjusted.interpreted_as(
    "smaller", "a model that cannot represent p_t; an equality", stance="amended"
)


@bayes.form(
    "printed",
    tex=r"\frac{p_0(\mathbf{x})}{p_t(\mathbf{x})}\frac{p_t(y)}{p_0(y)}"
    r"\frac{p_t(\mathbf{x}|y)}{p_0(\mathbf{x}|y)}p_0(y|\mathbf{x})",
)
def posterior(xp, marginal, label, conditional, p0):
    """p_t(y|x) equals this value: Bayes' rule twice.

    Note: exact for any two laws; p_0(x|y) > 0 wherever p_t(x|y) is
    Proof: Bayes' rule for p_t and for p_0
    Source: safe, eq (17)
    """
    return marginal * label * conditional * p0


@proportional.form("printed", tex=r"p_t(y|\mathbf{x})\propto" + _RATIOS + r"p_0(y|\mathbf{x})")
def normalised(xp, labels, conditionals, prior):
    """p_t(y|x) of the class listed first equals this value.

    Raises ValueError where no class has weight left.

    Note: normalised over the classes, of the class listed first; p_0(x)/p_t(x) cancels exactly
    Proof: eq (17), whose factor p_0(x)/p_t(x) does not depend on y
    Source: safe, eq (18), called an approximation there
    """
    return _share(xp, labels, conditionals, prior)


@adjusted.form(
    "printed",
    tex=r"f(\mathbf{x};w_t^*)\approx" + _RATIOS + r"f(\mathbf{x};w_0)\cdot\text{(normalization)}",
)
def target(xp, labels, conditionals, model):
    """f(x; w_t*) of the class listed first equals this value for saturated models.

    Its hypotheses are f(.;w_0) = p_0 (assumed in Theorem 1), f(.;w_t*) = p_t (assumed nowhere) and
    exact ratios.

    Note: of the class listed first; an equality when f(.;w_0) = p_0 and f(.;w_t*) = p_t
    Proof (saturated): eq (18) for models equal to p_0 and p_t
    Fails (literal): ≈ comes without an error. It is an equality where f(·; w₀) = p₀ and f(·; w_t*)
        = p_t; that models are “ideally trained” is said of both, and how far they may be from it is
        not.
    Fails (smaller): Retraining a model that cannot represent p_t does not give p_t: one that does
        not see x predicts {measured} for a label after the deletion, where the right side is
        {bound}.
    Source: safe, eq (19), which states no error
    """
    return _share(xp, labels, conditionals, model)


def _share(xp, *factors):
    """The product of the factors of the first class, over the sum of those of all classes."""
    whole = xp.over(lambda _, a, b, c: a * b * c, *factors)
    return factors[0][1] * factors[1][1] * factors[2][1] / whole
