"""(4)-(5) of hf: one step of retraining, where the samples of a batch have equal gradients."""

from bounds import Edit, Hypothesis, Plot, Statement, Symbol
from bounds.hf.symbols import b, eta, m

g = Symbol("g", "gradient of every sample in the batch", "g", unit="loss/parameter")

statement = Statement(
    "hf.eq4_5",
    "Equations (4)-(5)",
    "definition",
    words="Retraining repeats the run's batches without U, each step scaled by the share of "
    "the batch that is kept.",
    left=r"\mathbf{w}_{e,b}^{-U}-\mathbf{w}_{e,b+1}^{-U}",
    symbols=(eta, b, m, g),
    requires=(Hypothesis("1 <= m <= b", lambda m, b: (m >= 1) & (m <= b)),),
    aliases=("hf.eq4-5", "hf.eq4", "hf.eq5", "hf.eq19", "hf.eq20"),
    plot=Plot(
        "m", tuple(float(m) for m in range(1, 9)), {"eta": 0.5, "b": 8.0, "g": 1.0}, log_y=False
    ),
    quantity="move of the retrained iterate",
    correction="Sum over the batch without U. It is a choice: training on what is left, with "
    "steps of its own, ends elsewhere.",
)
statement.interpreted_as(
    "literal",
    "one sample is forgotten, U = {u}",
    where=(Hypothesis("U = {u}", sets={"m": lambda: 1}),),
)
statement.interpreted_as(
    "sets",
    "several are, some of them in one batch",
    edits={"printed": Edit("leave out B and U, not {u_j}", r"\setminus \{u_{j}\}", r"\setminus U")},
)


@statement.form(
    "printed",
    tex=r"\mathbf{w}_{e,b(u_{j})+1}^{-U} \leftarrow \mathbf{w}_{e,b(u_{j})}^{-U} - "
    r"\frac{\eta_{e,b(u_{j})}}{\left|\mathcal{B}_{e,b(u_{j})}\right|} "
    r"\sum_{i \in \mathcal{B}_{e,b(u_{j})} \setminus \{u_{j}\}} "
    r"\nabla \ell(\mathbf{w}_{e,b(u_{j})}^{-U}; z_i)",
)
def printed(xp, eta, b, g):
    """A batch that holds u_j moves the retrained iterate this far.

    Typo for sets: two forgotten samples can share a batch.

    Note: leaves out one sample, however many of the batch are to be forgotten
    Fails (sets): (5) leaves out u_j alone; where a batch holds several forgotten samples, the
        others stay in it. With all {m} samples of a batch forgotten the step should be {measured},
        and (5) makes it {bound}.
    Source: hf, (5)
    """
    return eta / b * (b - 1) * g


@statement.form(
    "corrected",
    tex=r"\mathbf{w}_{e,b(u_{j})+1}^{-U} \leftarrow \mathbf{w}_{e,b(u_{j})}^{-U} - \frac{"
    r"\eta_{e,b(u_{j})}}{\left|\mathcal{B}_{e,b(u_{j})}\right|} \sum_{i \in \mathcal{B}_"
    r"{e,b(u_{j})} \setminus U} \nabla \ell(\mathbf{w}_{e,b(u_{j})}^{-U}; z_i)",
)
def corrected(xp, eta, b, m, g):
    """A batch that holds m samples of U moves the retrained iterate this far.

    Note: b_t is the size with U, so the step is scaled by the kept share
    """
    return eta / b * (b - m) * g
