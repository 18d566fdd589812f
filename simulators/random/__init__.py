"""Random numbers that are a function of a seed, a trial and a step.

Modules
    seeds           streams that depend on (seed, claim, purpose), and where they say so on a block
    normals         standard normals by key, trial, step and coordinate
    philox          Philox4x32-10 and Box and Muller's transform: the formulas
    philox_loops    the same compiled by numba, added in place
    philox_tensors  the same by tensors, on any device
    philox_kernels  a step's noise and projection in one kernel of a device
"""
