"""The words that a certificate knows: losses by name, and what the ridge covers."""

LOSSES = ("logistic", "ridge", "huber", "logcosh", "hinge", "squared_hinge")
INTERCEPTS = ("none", "penalised", "free")
