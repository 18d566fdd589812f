"""Figures and tables of hf, run again.

`setting`: softmax regression on MNIST; `tables`, `figures`, `applications`: what is run on it.
`network`: the convolutional network; `networks`: what is run on that.  `reach`: what cannot be run.
"""
