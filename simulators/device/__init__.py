"""Where a run computes, and what it may hold.

Modules
    default      the device of what names none of its own
    placement    devices and precisions, arrays on their way between them
    memory       what a run will hold, against the memory that is free
    threads      blocks of trials on threads
    cuda_graphs  a loop's operations, submitted to a device at once
"""
