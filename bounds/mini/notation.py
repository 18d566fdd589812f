"""Section 3 of mini: the notation, and the letter gamma that stands for two quantities."""

from bounds import Plot, Statement
from bounds.mini.symbols import n, some_kept, u_some

statement = Statement(
    "mini.not",
    "Notation (Sections 3, 4.1 and 5.1)",
    "definition",
    words="B/Bbar is the batch without its forgotten samples; gamma is -dB/B and also the "
    "unlearning ratio, which Section 5.2 and Appendix C call eta, like the step size.",
    left=r"\gamma\ \text{on the full batch}",
    reads={r"\Delta B_s": "u", "B": "n", r"\mathbb{D}_U": "u", r"\mathbb{D}": "n"},
    symbols=(n, u_some),
    requires=(some_kept,),
    plot=Plot("u", (1.0, 5.0, 10.0, 20.0, 40.0), {"n": 100}, log_y=False),
    quantity="share of forgotten samples",
    correction="Write a set difference with a backslash, gamma_l for -dB_l/B only, and another "
    "letter than gamma or eta for the unlearning ratio.",
)
statement.interpreted_as("literal", "one letter, one meaning")


@statement.form("printed", tex=r"\gamma_s=-\frac{\Delta B_s}{B}")
def printed(xp, n, u):
    r"""gamma equals this value in Section 4.1.

    Note: Section 4.1, on the full batch B = D; also B/\bar B for the set difference
    Fails: γ is -ΔB_s/B in Section 4.1 and |D_U|/|D| in Section 5.1, of opposite sign even on a full
        batch; η is the step size, and in Section 5.2 and Appendix C the unlearning ratio. Only the
        place tells which is meant.
    Source: mini, before eq (6)
    """
    return -u / n


@statement.form("corrected", tex=r"\gamma=\frac{\mathbb{D}_U}{\mathbb{D}}")
def corrected(xp, n, u):
    """The unlearning ratio |D_U|/|D| equals this value.

    Note: Section 5.1; called eta, the step size, in Section 5.2 and Appendix C
    Source: mini, Section 5.1
    """
    return u / n
