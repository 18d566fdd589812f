"""Worked examples of audits: a correct algorithm, and two that privacy accounting lets down."""
