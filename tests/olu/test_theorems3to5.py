"""Values of olu's Theorems 3, 4 and 5 and the equations of their proofs."""

import numpy as np
import pytest

import bounds
from bounds.olu.equation_38_39 import proof_step


def near(value):
    return pytest.approx(value, rel=1e-9)


# T, d, epsilon, L, D, kappa, tau, u, printed, corrected with each path D, corrected with path 0
THEOREM_3 = [
    (1000, 10, 1, 1, 1, 0.1, [500], [100], 118.222431771, 70.3533023751, 47.9926226001),
    (1e4, 5, 0.5, 2, 3, 0.5, [100, 1000, 5000], [20, 900, 4990],
     2236.12036066, 1596.98513616, 922.984407839),
    (1e5, 50, 10, 1, 2, 1, [2000, 4000, 60000, 80000], [10, 3000, 50000, 70000],
     2637.49743046, 2236.9224293, 965.405230284),
]  # fmt: skip


def test_theorem_3_refuses_what_it_does_not_cover():
    f = bounds.get("olu.thm3")
    common = {"T": 10, "d": 1, "epsilon": 1, "L": 1, "D": 1}
    with pytest.raises(ValueError, match="u must satisfy"):
        f("corrected", u=[4], tau=[4], path=[0], **common)
    assert f("printed", u=[4], tau=[4], kappa=1, **common) > 0
    with pytest.raises(ValueError, match="u must satisfy"):
        f("printed", u=[4], tau=[5], kappa=1, beta=5, **common)
    with pytest.raises(ValueError, match="path must satisfy"):
        f("corrected", u=[4], tau=[5], path=[2], **common)
    with pytest.raises(ValueError, match="tau must satisfy"):
        f("printed", u=[4], tau=[11], kappa=1, **common)


@pytest.mark.parametrize(
    ("row", "g2"), list(zip(THEOREM_3, (0.22360679775, 0.501433315913, 4.47219015371), strict=True))
)
def test_g2(row, g2):
    tau, u = row[6:8]
    f = bounds.get("olu.thm3.g2")
    assert f("printed", u=u, tau=tau) == near(g2)
    assert f("corrected", u=u, tau=tau) >= g2 * (1 - 1e-12)
    equal = {"u": [2, 4, 6], "tau": [8, 32, 72]}
    assert f("corrected", **equal) == near(float(f("printed", **equal)))


# (26)(d) as printed, (26)(c), Cauchy-Schwarz with the sum
NOISE_3 = [
    ({"d": 1, "epsilon": 1, "L": 1, "D": 1, "tau": [10], "u": [5]},
     0.547722557505, 0.948683298051, 0.948683298051),
    ({"d": 10, "epsilon": 0.5, "L": 2, "D": 3, "tau": [100, 1000, 5000], "u": [20, 900, 4990]},
     337.311537725, 114.06241718, 406.107246818),
    ({"d": 50, "epsilon": 10, "L": 1, "D": 2, "tau": [20, 40, 60, 80], "u": [10, 30, 50, 70]},
     48.7843449721, 32.7736937327, 55.5164720866),
]  # fmt: skip


@pytest.mark.parametrize(("inputs", "printed", "exact", "corrected"), NOISE_3)
def test_eq26(inputs, printed, exact, corrected):
    f = bounds.get("olu.eq26")
    assert f("printed", **inputs) == near(printed)
    assert f("corrected", **inputs) == near(corrected)
    one_later = {**inputs, "tau": [t + 1 for t in inputs["tau"]]}
    assert f("tight", **one_later) == near(exact)  # (c) has tau_i where E B has tau_i - 1
    constant = bounds.get("olu.eq27")
    root = inputs["D"] * inputs["L"] * 100**0.5 * 100
    assert constant("printed", T=1e6, **inputs) == near(3 * root + printed)
    assert constant("corrected", T=1e6, **inputs) == near(1.5 * root + f("tight", **inputs))


# D, beta, F, d, L, epsilon, p(tau), p(u), P; (36) as printed; sharp and loose repair; both noises
THEOREM_4 = [
    (1, 4, 100, 5, 2, 1, [50], [20], 0,
     49.6066017178, 58.7606896201, 66.840175063, 5.3033008589, 1.76776695297),
    (2, 1, 10, 3, 1, 0.5, [40, 60], [10, 30], 0.5,
     77.1590296376, 50.8880405964, 60.120430964, 12.2647704784, 5.35524483834),
    (1, 10, 1000, 10, 10, 5, [500, 900, 1000], [100, 300, 800], 1,
     1176.60228059, 546.44170814, 603.727223739, 106.776820393, 53.112583632),
]  # fmt: skip


@pytest.mark.parametrize("case", THEOREM_4)
def test_theorem_4(case):
    D, beta, F, d, L, epsilon, p_tau, p_u, P, printed, sharp, loose, paper, least = case
    inputs = {
        "D": D,
        "beta": beta,
        "F": F,
        "d": d,
        "L": L,
        "epsilon": epsilon,
        "p_tau": p_tau,
        "p_u": p_u,
    }
    noise = {x: inputs[x] for x in ("D", "L", "d", "epsilon", "p_tau", "p_u")}
    assert bounds.get("olu.eq36")("printed", **inputs) == near(printed)
    assert bounds.get("olu.eq34")("tight", **noise) == near(paper)
    f = bounds.get("olu.eq36")
    a = 2 * beta * (1.5 * D + P) ** 2
    assert f("corrected", D=D, beta=beta, F=F, B=paper, P=P) == near(sharp)
    assert paper + a + np.sqrt(a * (F + paper)) == near(loose)
    whole = f("corrected", D=D, beta=beta, F=F, B=least, P=P)
    assert bounds.get("olu.thm4")("corrected", P=P, **inputs) == near(whole)


@pytest.mark.parametrize(("L", "t", "path", "extra"), [(1, 100, 0.5, 5), (2, 400, 0.1, 4),
                                                       (1, 10000, 1, 100)])  # fmt: skip
def test_eq31_pays_for_the_path(L, t, path, extra):
    f, D = bounds.get("olu.eq31"), 2.0
    eta = D / (L * t**0.5)
    moving = f("corrected", D=D, eta=eta, path=[path], eta_tau=[eta])
    assert moving - f("printed", D=D, eta=eta) == near(extra)


def test_the_proofs_step_size_of_theorem_5():
    assert proof_step(100, 1, 1, 1e-6, 1, 1e4) == pytest.approx(1.21106, abs=5e-6)
