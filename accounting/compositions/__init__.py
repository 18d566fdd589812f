"""Compositions of noisy steps that shift at random, each published, by a certified contour.

Modules
    mixture_steps   one step: N(0, 1) mixed by random shifts, and what telling it apart loses
    tilted_steps    the transform of a step's loss on a line of the complex plane, with its error
    loss_decay      how fast that transform falls off along the line
    contours        delta of all steps together
    loss_grids      the same of a few steps, whose transform falls off too slowly
    epsilons        the least epsilon of all of them at a delta
"""
