"""The experiments: what each algorithm is asked for, what it runs on, and what a run measures."""
