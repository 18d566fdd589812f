"""Figures and tables of hf, run again.

`world`: the paper's softmax regression on MNIST.  `tables`, `figures`: what is run on it.
"""
