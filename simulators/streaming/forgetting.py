"""The forgetting term: its target, its value, and its gradient at w_0 (safe, eqs 24 to 26).

All functions are of probabilities, or their logarithms, and log q of rows: (..., classes).
An exhausted class has log q = -inf.  Its target is 0 and KL(f | t) infinite, with no gradient; but
which w is best among those that do not use the class is still a question, answered by the
divergence between the laws *given that another class is meant*.  The gradient here is that of

    (1 - f_e(w_0)) KL(f | t, both without the exhausted classes e)

at w_0, where for no exhausted class it is the gradient of KL(f | t).  Equivalently, log q_e is
replaced by the mean of log q under f over the other classes, so that e is neither pushed nor
pulled; the retention gradient, which ascends the loss of e's rows, does the pushing.
"""

from __future__ import annotations

import torch


def log_target(log_f: torch.Tensor, log_q: torch.Tensor) -> torch.Tensor:
    """log t_c, t = q f(x; w_0) normalised over the classes (safe, eq 24); -inf where exhausted."""
    return torch.log_softmax(log_f + log_q, dim=-1)


def divergence(
    log_f: torch.Tensor, log_f0: torch.Tensor, log_q: torch.Tensor, *, normalised: bool = True
) -> torch.Tensor:
    """KL(f(x; w) | q f(x; w_0)) of every row (safe, eq 25), inf where an exhausted class has f > 0.

    normalised False: the second argument as printed, without its normaliser, which adds a number
    that w does not change, so that the value may be negative.
    """
    second = log_target(log_f0, log_q) if normalised else log_f0 + log_q
    f = log_f.exp()
    terms = torch.where(f > 0, f * (log_f - second), torch.zeros_like(f))
    total = terms.sum(dim=-1)
    # What rounds below 0 is 0, with the gradient that it has.
    return total - total.detach().clamp(max=0.0) if normalised else total


def logit_gradient(f: torch.Tensor, log_q: torch.Tensor) -> torch.Tensor:
    """f_j (sum_c f_c log q_c - log q_j): d KL/d logit_j at w = w_0 (safe, eq 26, closed form).

    f: the probabilities f(x; w_0).  The same for log q plus a constant; 0 for exhausted classes
    (see above).
    """
    alive = log_q > -torch.inf
    finite = log_q.masked_fill(~alive, 0.0)
    share = f * alive
    # Where the other classes have no mass left at all, they have no gradient either.
    mass = share.sum(dim=-1, keepdim=True).clamp(min=torch.finfo(f.dtype).tiny)
    mean = (share * finite).sum(dim=-1, keepdim=True) / mass
    return share * (mean - finite)


def own_class(log_q: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Eq 24 word by word: q of the row's own label, one number for all classes.

    log_q (..., rows, classes), labels (..., rows).  The normalised target is then f(x; w_0) itself
    and the gradient at w_0 is 0.  A row's own class may be exhausted: then the number is 0.
    """
    own = torch.gather(log_q, -1, labels[..., None])
    return torch.where(own > -torch.inf, own, torch.zeros_like(own)).expand_as(log_q)
