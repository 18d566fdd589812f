"""Lemma 9 of olu: solving x - sqrt(a x + b) <= c."""

from bounds import Plot, Statement, Symbol

a = Symbol("a", "factor of x below the root", "a", low=0, low_open=True, unit="?")
b = Symbol("b", "constant below the root", "b", low=0, unit="?")
c = Symbol("c", "right side", "c", low=0, low_open=True, unit="?")

statement = Statement(
    "olu.lem9",
    "Lemma 9",
    "inequality",
    words="If x - sqrt(a x + b) <= c then x <= a + c + 2 sqrt(b + a c).",
    left=r"x,\quad x-\sqrt{ax+b}\le c",
    symbols=(a, b, c),
    aliases=("olu.eq37",),
    plot=Plot("c", (0.1, 0.3, 1, 3, 10, 30), {"a": 2.0, "b": 1.0}, log_x=True),
    quantity="largest x",
)
statement.interpreted_as("literal", "a, c > 0, b, x >= 0")


@statement.form("printed", tex=r"a+c+2\sqrt{b+ac}")
def printed(xp, a, b, c):
    """x is at most this value.

    Note: its own proof, (37), gives half the root
    Proof: looser than the corrected form
    Source: olu, Lemma 9
    """
    return a + c + 2 * xp.sqrt(b + a * c)


@statement.form("corrected", tex=r"a+c+\sqrt{b+ac}")
def corrected(xp, a, b, c):
    """x is at most this value.

    Note: what (37) proves
    Proof: (37): sqrt(u + v) <= sqrt u + sqrt v
    Source: olu, (37), last line
    """
    return a + c + xp.sqrt(b + a * c)


@statement.form("tight", tex=r"c+\frac a2+\sqrt{b+ac+\frac{a^2}4}")
def tight(xp, a, b, c):
    """x is at most this value.

    Note: the larger root; first line of (37)
    Proof: first line of (37): the larger root of the quadratic
    Equality: at the root of x - sqrt(a x + b) = c
    """
    return c + a / 2 + xp.sqrt(b + a * c + a**2 / 4)
