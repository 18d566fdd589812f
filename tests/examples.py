"""How many examples hypothesis tries: fewer unless `--forgetproof-profile full` was given."""

from hypothesis import settings


def examples(quick, full):
    """Settings for one test, decided when its module is imported."""
    return settings(
        max_examples=full if settings.default is settings.get_profile("full") else quick
    )
