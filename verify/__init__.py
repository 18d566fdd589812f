"""Claims, checks and verdicts: each bound held against the experiment it is about."""
