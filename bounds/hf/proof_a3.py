"""(31)-(34) of hf: how much one clipped step adds to the drift."""

from bounds import Plot, Statement, Symbol
from bounds.hf.symbols import C, eta, q

statement = Statement(
    "hf.proofa3",
    "(31)-(34), proof of Lemma 4.1",
    "inequality",
    words="Step t adds at most 2 eta C q^{t-1} to the distance of the two runs.",
    left=r"\|\mathbf v_t-\mathbf w_t\|-\|\mathbf v_{t-1}-\mathbf w_{t-1}\|",
    symbols=(eta, C, q, Symbol("t", "step", "t", low=1, kind="integer")),
    aliases=("hf.proofA3", "hf.eq31", "hf.eq32", "hf.eq33", "hf.eq34"),
    plot=Plot("t", tuple(float(t) for t in range(1, 31)), {"eta": 0.1, "C": 1.0, "q": 0.9}),
    quantity="growth of |v_t - w_t| in step t",
)
statement.interpreted_as("literal", "gradients at most C on both trajectories")


@statement.form("printed", tex=r"2\eta Cq^{t-1}")
def printed(xp, eta, C, q, t):
    """Step t of both runs adds at most this value to their distance.

    Note: attained when the two gradients are opposed
    Proof: triangle inequality; the retrained mean is over at most b samples
    Source: hf, (32), (33)
    """
    return 2 * eta * C * q ** (t - 1)
