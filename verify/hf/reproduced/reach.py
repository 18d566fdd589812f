"""Figure 3 of hf, which cannot be run here."""

from verify.showcases.rows import out_of_reach

FIGURE_3 = out_of_reach(
    "Figure 3: ResNet-18 on CelebA, 200 samples at once",
    "needs CelebA and ResNet-18: statistics of p = 11,226,690",
    {"unlearning": {"seconds": None, "accuracy": None}},
)
