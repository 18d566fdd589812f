"""One line for who lacks an extra."""


def missing(absent: ImportError, extra: str) -> ModuleNotFoundError:
    """The error to raise in place of one of an import: it names the package and what brings it."""
    package = (absent.name or "").split(".")[0]
    return ModuleNotFoundError(
        f"{package} is missing: pip install 'forgetproof[{extra}]'", name=package
    )
