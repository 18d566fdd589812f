"""Observables of online learners that statements of olu are about, as views of `OnlineRun`.

`regret`: of descent and of the learner, and its comparators.  `contraction`: how steps move two
points.  `steps`: the terms that proofs sum over the steps, `adaptive` over steps D/sqrt(p(t)).
`noise`: what noise adds to a step and to the proofs' sums, `prescribed_noise` to the regret.
`requests`: where unlearners end, `maps` how far apart from two starts or in adjacent runs, `parts`
how proofs split the regret of such learners.  `laws`: what is published, as Gaussian laws.
"""
