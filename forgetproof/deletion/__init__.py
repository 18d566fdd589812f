"""Rows that leave a trained model: the model that may be released, its page and its document.

forgetting   `forget`: a fitted scikit-learn estimator without some of its rows
estimators   pipelines and their last step; the released parameters as an estimator of its kind
result       what came out, and what of it is secret
statement    `unlearning.json`, the certificate of it
page         `deletion.md`, `deletion.html`
"""

from forgetproof.deletion.forgetting import forget
from forgetproof.deletion.result import DeletionCost, DeletionResult, HeldOutAccuracy

__all__ = ["DeletionCost", "DeletionResult", "HeldOutAccuracy", "forget"]
