"""Machine unlearning for streaming forgetting (SAFE): one module for each statement."""

FORMULAS: dict[str, str] = {
}
