"""Section 4.2 of mini: recovering H(l) and its products from products with basis vectors.

Two symmetric 2 x 2 matrices H(l) = (a11, a12; a12, a22) and H(s) = (b11, b12; b12, b22); the forms
give the entry (1, 2) of a product, where the order of the factors shows.
"""

from bounds import Hypothesis, Plot, Statement, Symbol

_ENTRIES = tuple(
    Symbol(f"{letter}{i}", f"entry {i[0]}, {i[1]} of H({step})", f"{letter}_{{{i}}}", unit="1")
    for letter, step in (("a", "l"), ("b", "s"))
    for i in ("11", "12", "22")
)
h = Symbol("h", "entry of the diagonal matrix H(l)", "h", unit="1")
length = Symbol(
    "length", "length of the orthogonal basis vectors", r"\|u\|", low=0, low_open=True, unit="1"
)

basis = Statement(
    "mini.basis",
    "Recovering H(l) (Section 4.2)",
    "equality",
    words="sum_q H(l) u_q u_q^T = H(l).",
    left=r"\Big(\sum_{q}H(l)\mathbf{u}_q(\mathbf{u}_q)^T\Big)_{11},\ H(l)=\mathrm{diag}(h,\cdot)",
    symbols=(h, length),
    plot=Plot("length", (0.5, 1.0, 1.5, 2.0), {"h": 0.9}, log_y=False),
    quantity="recovered entry",
    correction="Ask for an orthonormal basis in line 1 of the algorithms.",
)
basis.interpreted_as(
    "literal",
    "an orthonormal basis, as Section 4.2 says",
    {"printed": "=="},
    where=(Hypothesis("orthonormal", sets={"length": lambda: 1.0}),),
)
basis.interpreted_as(
    "selected",
    "any basis, as line 1 of Algorithms 1 and 3 says; here orthogonal vectors of one length",
)
order = Statement(
    "mini.order",
    "Products of H(l) (Section 4.2)",
    "equality",
    words="From H(l+1) H(l) u for a basis, H(l) H(l+1) can be recovered.",
    left=r"\Big(\sum_qH(l+1)H(l)\mathbf{u}_q\mathbf{u}_q^T\Big)_{12},\quad s=l+1",
    symbols=_ENTRIES,
    correction="What comes out is H(l+1) H(l), the order that eq (10) needs.",
)
order.interpreted_as("literal", "recovered and transposed, both symmetric", {"printed": "=="})
order.interpreted_as("direct", "as the sum over the basis gives it")
outer = Statement(
    "mini.eq11",
    "Equation (11)",
    "equality",
    words="sum_q (H(l) u_q)(H(s) u_q)^T = H(l) H(s).",
    left=r"\Big(\sum_{q=1}^{p}(H(l)\mathbf{u}_q)(H(s)\mathbf{u}_q)^T\Big)_{12}",
    symbols=_ENTRIES,
)
outer.interpreted_as("literal", "symmetric H(s), orthonormal basis")


@basis.form("printed", tex=r"\sum_{q=1}^{p}H(l)\mathbf{u}_q(\mathbf{u}_q)^T=H(l)\cdot I=H(l)")
def recovered(xp, h, length):
    """The sum recovers H(l) for an orthonormal basis.

    Note: needs an orthonormal basis, which line 1 of Algorithms 1 and 3 forgets
    Proof (literal): sum_q u_q u_q^T = I
    Fails (selected): Line 1 of Algorithms 1 and 3 selects any vectors u_q; the sum recovers H only
        if they are orthonormal, as Section 4.2 says. From orthogonal ones of length {length} an
        entry {bound} comes out as {measured}.
    Source: mini, Section 4.2
    """
    return h


@basis.form("corrected", tex=r"H(l)\sum_{q=1}^{p}\mathbf{u}_q\mathbf{u}_q^T=\|\mathbf{u}\|^2H(l)")
def scaled(xp, h, length):
    """The sum is H(l) times the squared length of orthogonal basis vectors.

    Note: orthogonal vectors of one length
    Proof: sum_q u_q u_q^T = |u|^2 I
    """
    return h * length**2


@order.form("printed", tex=r"H(l)\cdot H(l+1)")
def as_said(xp, a11, a12, a22, b11, b12, b22):
    """H(l)H(l+1) has this entry.

    Note: what the products recover is its transpose
    Proof (literal): (H(l+1) H(l))^T = H(l) H(l+1)
    Fails (direct): Multiplying by H(l) and then by H(l + 1) recovers H(l + 1)·H(l), which is the
        transpose of what is said. An entry off the diagonal is {measured}, not {bound}. (10) needs
        the order that comes out.
    Source: mini, Section 4.2, "Calculating the products"
    """
    return a11 * b12 + a12 * b22


@order.form("corrected", tex=r"H(l+1)\cdot H(l)=(H(l)\cdot H(l+1))^T")
def as_computed(xp, a11, a12, a22, b11, b12, b22):
    """H(l+1)(H(l)u) summed over an orthonormal basis has this entry.

    Note: the order that eq (10) needs: later on the left
    Proof: sum_q u_q u_q^T = I
    """
    return b11 * a12 + b12 * a22


@outer.form(
    "printed",
    tex=r"\sum_{q=1}^{p}\big((H(l)\mathbf{u}_q)(H(s)\mathbf{u}_q)^T\big)"
    r"=H(l)\cdot I\cdot H(s)=H(l)\cdot H(s)",
)
def outer_products(xp, a11, a12, a22, b11, b12, b22):
    """The sum of outer products has this entry.

    Note: symmetric H(s), orthonormal basis
    Proof: sum_q u_q u_q^T = I and H(s)^T = H(s)
    Source: mini, eq (11)
    """
    return a11 * b12 + a12 * b22
