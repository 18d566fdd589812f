"""Table 1 of hf and Section 4.4: operations and numbers to store, by method."""

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.hf.symbols import B, E, d, m, n

K = Symbol("K", "constant of the O", "K", low=0, low_open=True, unit="?", hidden=True)
LEFT = r"\text{operations for the statistics of all }n\text{ samples}"


_NATURAL = Plot(
    "n", (8.0, 16.0, 32.0, 64.0, 128.0), {"d": 10, "E": 1, "B": 2, "K": 10.0}, log_x=True
)
statement = Statement(
    "hf.table1",
    "Table 1, pre-computation",
    "claim",
    words="The statistics of all n samples take O(nd).",
    left=LEFT,
    symbols=(n, d, E, K),
    plot=_NATURAL,
    quantity="operations",
    correction="O((E + 1) n^2 d): n training runs, so that in operations the statistics never pay "
    "for themselves; they buy latency, and deletion without data.",
)
statement.interpreted_as("literal", "linear scores; any constant K")
statement.interpreted_as("budget", "against n training runs", {"corrected": "<="}, stance="amended")


@statement.form("printed", tex=r"\mathcal{O}(nd)")
def printed(xp, n, d, K):
    """The statistics take at most this many operations. False.

    Note: with any constant K that is given to it
    Fails: Every approximator goes through all batches of all epochs, O((E + 1)nd), and there are n:
        O((E + 1)n²d), as much as n training runs. At n = {n}, d = {d}, E = {E} it is {measured}
        operations, more than {K}·nd.
    Source: hf, Table 1, Section 6
    """
    return K * n * d


@statement.form("corrected", tex=r"4(E+1)n^2d")
def corrected(xp, n, d, E):
    """The statistics take this many operations, n times those of one training run.

    Note: linear scores: one Hessian-vector product of each batch for each sample
    Proof: every sample's statistic goes through every batch: 4 sum_t b_t d = 4 (E + 1) n d
    """
    return 4 * (E + 1) * n**2 * d


section = Statement(
    "hf.table1.steps",
    "Section 4.4, pre-computation",
    "claim",
    words="The statistics of all n samples take O(nTd).",
    left=LEFT,
    symbols=(n, d, E, B, K),
    plot=_NATURAL,
    quantity="operations",
    correction="O(nTbd) = O((E + 1) n^2 d).",
)
section.interpreted_as("literal", "linear scores, batches of n/B; any constant K")


@section.form("printed", tex=r"\mathcal{O}(nTd)")
def by_steps(xp, n, d, E, B, K):
    """The statistics take at most this many operations.

    It is false: a product with the Hessian of a batch of b samples takes O(bd), not O(d).

    Note: with any constant K that is given to it
    Fails: A product with the Hessian of a batch of b samples takes O(bd), not O(d). At n = {n}, d =
        {d}, E = {E}, B = {B} the approximators take {measured} operations, more than {K}·nTd; the
        ratio grows with b.
    Source: hf, Section 4.4
    """
    return K * n * (E + 1) * B * d


@section.form("corrected", tex=r"4(E+1)n^2d")
def by_batches(xp, n, d, E):
    """The statistics take this many operations for linear scores.

    Note: (E + 1) B steps on batches of n/B
    Proof: every sample's statistic goes through every batch: 4 sum_t b_t d = 4 (E + 1) n d
    """
    return 4 * (E + 1) * n**2 * d


storage = Statement(
    "hf.table1.storage",
    "Table 1, storage",
    "claim",
    words="The statistics take O(nd) numbers.",
    left=r"\text{numbers held beside the data}",
    symbols=(n, d, E, B),
    plot=Plot("E", tuple(float(e) for e in range(10)), {"n": 6, "d": 4, "B": 3}),
    quantity="numbers held",
    correction="Fuse Stage II with training, or hold T d more.",
)
storage.interpreted_as("literal", "what is kept for Stage III", {"printed": "<="})
storage.interpreted_as("computing", "what Stage II holds, run after training as Algorithm 1 has it")


@storage.form("printed", tex=r"\mathcal{O}(nd)")
def statistics(xp, n, d):
    """The statistics of all samples are this many numbers.

    Note: after Stage II; the model itself not counted
    Proof (literal): n vectors of d numbers
    Fails (computing): Stage II comes after training and needs every iterate, so that Algorithm 1
        holds (T + 1)d numbers besides: {measured} at n = {n}, d = {d}, E = {E}, B = {B}, and
        {bound} afterwards.
    Source: hf, Table 1
    """
    return n * d


@storage.form("corrected", tex=r"nd+(T+1)d")
def with_iterates(xp, n, d, E, B):
    """Stage II as Algorithm 1 orders it holds this many numbers.

    Note: Stage II after training, sample by sample, reads the iterates w_0..w_T
    Proof: the iterates w_0..w_T besides
    """
    return n * d + ((E + 1) * B + 1) * d


unlearning = Statement(
    "hf.table1.unlearning",
    "Table 1, unlearning",
    "claim",
    words="A request of m samples takes O(md).",
    left=r"\text{operations for a request of }m\text{ samples}",
    symbols=(m, d),
    plot=Plot("m", (1.0, 2.0, 5.0, 10.0), {"d": 5}),
    quantity="additions",
)
unlearning.interpreted_as("literal", "additions, without the noise")


@unlearning.form("printed", tex=r"\mathcal{O}(md)")
def additions(xp, m, d):
    """A request takes this many additions. Holds, noise apart.

    Note: m additions of vectors
    Proof: m vectors are added to w_T
    Source: hf, Section 4.4
    """
    return m * d


jackknife = Statement(
    "hf.table1.jackknife",
    "Section 4.4, unlearning by IJ",
    "claim",
    words="A request of m samples takes O(md^2 + md) with a stored inverse Hessian.",
    left=r"\text{operations for a request of }m\text{ samples, the inverse Hessian stored}",
    symbols=(m, d),
    plot=Plot("m", (1.0, 2.0, 5.0, 10.0), {"d": 5}),
    quantity="operations",
    correction="O(md + d^2); by conjugate gradients no Hessian is stored.",
)
jackknife.interpreted_as(
    "literal",
    "gradients at hand, products count two operations",
    where=(Hypothesis("a request, m >= 1", lambda m: m >= 1),),
)


@jackknife.form("printed", tex=r"\mathcal{O}(md^2+md)")
def one_by_one(xp, m, d):
    """A request takes at most this many operations (up to a factor 2).

    Note: one product for each sample
    Proof: a product for each sample
    Source: hf, Section 4.4
    """
    return 2 * m * d**2 + m * d


@jackknife.form("corrected", tex=r"md+2d^2")
def summed(xp, m, d):
    """A request takes this many operations.

    Note: add the gradients first
    Proof: the product of the sum
    """
    return m * d + 2 * d**2
