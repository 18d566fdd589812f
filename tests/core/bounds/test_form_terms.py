"""Forms over terms of a proof: sums and products from either end, and values by cases."""

import pytest

from bounds.kernel import ProofRejected, check
from bounds.kernel.syntax import expression
from bounds.proof_files.recursions import Recursions
from bounds.proof_files.terms import FormScope, FormTerm, TermList, Terms, real_of

PROOF = """
theorem x.y tight
for N: nat
for x, z: real
for c, s: nat -> real
given N_: 1 <= N
given z_: 0 <= z
define P(0) = 1, P(m+1) = P(m)*c(N-m-1)
define C(0) = 1, C(m+1) = C(m)*c(m)^2
define V(0) = 0, V(m+1) = V(m) + (s(N-m-1)*P(m))^2
define W(0) = 0, W(m+1) = W(m) + s(m)
define B(0) = 1, B(m+1) = B(m) + s(m)
show 0 <= 1
hence by 1
"""


@pytest.fixture
def proof():
    return check(PROOF)


@pytest.fixture
def scope(proof):
    return FormScope(proof.scope)


@pytest.fixture
def xp(proof, scope):
    return Terms(scope, Recursions(scope, proof.definitions, frozenset()))


@pytest.fixture
def term(scope):
    def of(text):
        return FormTerm(scope.real(expression(text)), scope)

    return of


@pytest.fixture
def listed(term):
    def of(name):
        return TermList(name, term("N"))

    return of


def same(one, other):
    return (real_of(one) - real_of(other)).zero


def test_a_sum_and_a_product_count_from_their_beginning(xp, term, listed):
    s, c, N = listed("s"), listed("c"), term("N")
    assert same(xp.total(lambda t: s[t], 1, N), term("W(N)"))
    assert same(xp.product(lambda t: c[t] ** 2, 1, N), term("C(N)"))
    assert same(xp.total(lambda t: s[t], 1, 3), term("W(3)"))


def test_a_sum_and_a_product_count_from_their_end(xp, term, listed):
    s, c, N = listed("s"), listed("c"), term("N")

    def rest(t):
        return xp.product(lambda r: c[r], t + 1, N)

    assert same(rest(0), term("P(N)"))
    assert same(xp.total(lambda t: (s[t] * rest(t)) ** 2, 1, N), term("V(N)"))


@pytest.mark.parametrize(
    "added",
    [
        lambda xp, s, c, t: s[t] + 1,
        lambda xp, s, c, t: s[t + 1],
        lambda xp, s, c, t: c[t],
        lambda xp, s, c, t: 2 * s[t],
    ],
    ids=["more", "later", "another", "twice"],
)
def test_another_sum_is_not_of_the_proof(added, xp, term, listed):
    s, c = listed("s"), listed("c")
    with pytest.raises(ProofRejected, match="no function that the proof defines"):
        xp.total(lambda t: added(xp, s, c, t), 1, term("N"))


def test_a_sum_over_part_of_a_list_is_not_that_over_all_of_it(xp, term, listed):
    s = listed("s")
    with pytest.raises(ProofRejected):
        xp.total(lambda t: s[t], 2, term("N"))


def test_places_of_nested_sums_are_not_confused(xp, term, listed):
    # Both recursions call their place m: c_{m + m} must not pass for c_{k - m}.
    s, c, N = listed("s"), listed("c"), term("N")

    def twice(t):
        return xp.product(lambda r: c[r + t - 1], 1, t)

    with pytest.raises(ProofRejected):
        xp.total(lambda t: (s[t] * twice(t)) ** 2, 1, N)


def test_a_name_of_the_goal_is_no_place(proof, scope, term, listed):
    m_taken = Terms(scope, Recursions(scope, proof.definitions, frozenset({"m"})))
    s = listed("s")
    assert same(m_taken.total(lambda t: s[t], 1, term("N")), term("W(N)"))


def test_a_quotient_that_is_0_without_divisor_is_by_the_pseudoinverse(xp, term):
    x, z = term("x"), term("z")
    assert same(xp.where(z > 0, lambda: (x / z) ** 2, 0), term("(x*pinv(z))^2"))
    # No case, once the proof says which one it is.
    one = term("N")
    assert same(xp.where(one > 0, lambda: x / one, 0), term("x/N"))


@pytest.mark.parametrize(
    "value",
    [
        lambda xp, x, z: xp.where(z > 0, lambda: x / z + 1, 0),
        lambda xp, x, z: xp.where(z > 0, lambda: x / z, 1),
        lambda xp, x, z: xp.where(x > 0, lambda: z / x, 0),
        lambda xp, x, z: xp.where(z >= 0.5, lambda: x / (z - 0.5), 0),
        lambda xp, x, z: xp.where(z > 0, x, 0),
    ],
    ids=["not 0 at 0", "another value", "unknown sign", "not strict", "no quotient"],
)
def test_other_cases_are_open(value, xp, term):
    with pytest.raises(ProofRejected, match="which case"):
        real_of(value(xp, term("x"), term("z")))


def test_outside_of_its_case_nothing_is_divided_by(xp, term):
    xp.where(term("z") > 0, lambda: 1 / term("z"), 0)
    with pytest.raises(ProofRejected, match="not seen to be > 0"):
        1 / term("z")


def test_an_open_case_that_is_not_used_does_no_harm(xp, term):
    unused = xp.where(term("x") > 0, 1, 2)
    assert same(xp.where(term("N") > 0, lambda: term("x"), unused), term("x"))
