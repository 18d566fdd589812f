"""Worked examples of audits: a correct algorithm, and three that privacy accounting lets down."""
