"""`python -m forgetproof` is the command `forgetproof`."""

from forgetproof.cli import main

main()
