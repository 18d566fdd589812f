"""Rows that leave a trained model: the model that may be released, its page and its document.

forgetting   `forget`: a fitted scikit-learn estimator without some of its rows
estimators   pipelines and their last step; the released parameters as an estimator of its kind
facts        what came out, and what of it is secret
result       the same with its documents, as it is handed over
statement    `unlearning.json`, the certificate of it
page         `deletion.md`, `deletion.html`
task         the same from a table: which rows, which model, what is held out
requests     which rows a text or a file names
models       models in files
script       `forget.py`
"""
