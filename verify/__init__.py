"""Claims, checks and verdicts: each bound compared with the experiment it is about."""
