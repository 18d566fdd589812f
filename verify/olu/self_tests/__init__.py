"""Equalities that hold the views on online learners: means of points, whose runs go by hand."""

_VIEWS = "verify.olu.views."

SUBJECTS = {
    "descents": (f"{_VIEWS}regret", f"{_VIEWS}contraction"),
    "step_sums": (f"{_VIEWS}steps", f"{_VIEWS}adaptive"),
    "noises": (f"{_VIEWS}noise", f"{_VIEWS}prescribed_noise"),
    "unlearners": (f"{_VIEWS}requests", f"{_VIEWS}parts", f"{_VIEWS}maps"),
    "published_laws": (f"{_VIEWS}laws",),
}
