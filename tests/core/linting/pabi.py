"""The settings of 289 configuration files of one released repository, as files of its shape.

stair-lab/certified-unlearning-neural-networks-icml-2025 at commit 9fdf6706, the files whose
unlearning.algorithm is iteration: 53 different settings, each with how many files have it.
"""

SHAPE = """\
dataset:
  name: "cifar10"
  batch_size: 128
  seed: {seed}

training:
  epochs: 400
  optim: "SGD"
  weight_decay: 0.0005

unlearning:
  epochs: 50
  momentum: 0
  weight_decay: {decay}
  lr_schedule: "constant"
  noise_schedule: "constant"
  max_lr: {rate}
  init_model_clip: {model_clip}
  init_model_clip_type: "clip"
  init_sigma: 0
  algorithm: 'iteration'
  delta: 0.00001
  iteration:
    epsilon_renyi_target: {slope}
    grad_clip: {gradient_clip}
    calc_intermediate_eps_renyi: false
"""
# decay, rate, model_clip, slope, gradient_clip, files
SETTINGS = (
    (50, 0.001, 0.1, 1, 10, 4),
    (50, 0.001, 1, 1, 1, 4),
    (500, 0.001, 1, 1, 100, 11),
    (1, 0.001, 0.1, 1, 10, 10),
    (1, 0.01, 0.1, 1, 10, 4),
    (50, 0.01, 20, 1, 10, 8),
    (200, 0.001, 0.1, 1, 100, 4),
    (50, 0.01, 1, 1, 10, 4),
    (500, 0.001, 20, 1, 100, 4),
    (50, 0.0001, 0.1, 1, 100, 4),
    (50, 0.001, 0.1, 1, 100, 4),
    (750, 0.0001, 0.01, 1, 10, 11),
    (10, 0.0001, 0.01, 1, 100, 11),
    (10, 0.001, 0.01, 1, 10, 4),
    (500, 0.001, 1, 1, 10, 8),
    (0.5, 0.0001, 0.01, 1, 10, 8),
    (10, 0.01, 0.1, 1, 0.1, 8),
    (100, 0.0001, 0.01, 1, 10, 8),
    (10, 0.001, 0.01, 1, 1, 8),
    (100, 0.0001, 0.01, 1, 100, 4),
    (0.5, 0.001, 0.01, 1, 1, 8),
    (500, 0.001, 0.01, 1, 100, 8),
    (10, 0.0001, 0.01, 1, 10, 8),
    (10, 0.01, 0.01, 1, 1, 4),
    (0.5, 0.001, 0.01, 1, 10, 4),
    (100, 0.001, 1, 1, 1, 4),
    (500, 0.0001, 0.01, 1, 10, 4),
    (100, 0.001, 0.1, 1, 1, 4),
    (10, 0.001, 0.01, 1, 0.1, 4),
    (10, 0.01, 1, 1, 0.1, 4),
    (1, 0.1, 0.1, 10, 100, 4),
    (1, 0.1, 1, 10, 0.1, 4),
    (1, 0.1, 1, 100, 10, 4),
    (0.1, 0.1, 0.1, 10, 0.01, 4),
    (1, 0.001, 0.1, 10, 10, 6),
    (500, 0.001, 1, 0.1, 100, 6),
    (0.1, 0.1, 1, 100, 1, 4),
    (0.1, 0.1, 1, 100, 10, 4),
    (0.1, 0.1, 10, 100, 100, 4),
    (1, 0.1, 10, 10, 0.1, 4),
    (0.1, 0.1, 1, 10, 10, 4),
    (25, 0.01, 10, 10, 5, 4),
    (1, 0.1, 0.1, 10, 10, 4),
    (1, 0.1, 20, 100, 1, 4),
    (0.1, 0.1, 1, 100, 0.1, 4),
    (0.1, 0.1, 0.1, 10, 10, 4),
    (1, 0.1, 1, 100, 1, 4),
    (0.1, 0.1, 1, 100, 0.01, 4),
    (1, 0.1, 10, 100, 1, 4),
    (10, 0.0001, 0.01, 0.1, 100, 6),
    (750, 0.0001, 0.01, 0.1, 10, 6),
    (10, 0.0001, 0.01, 10, 100, 7),
    (750, 0.0001, 0.01, 10, 10, 7),
)
OTHER = "unlearning:\n  algorithm: 'retrain'\n"
LINE = 24
"""Of epsilon_renyi_target in a file of this shape."""


def write(folder, limit=None):
    """Writes all files, or some; returns how many."""
    count = 0
    for *setting, files in SETTINGS:
        for _ in range(files):
            if count == limit:
                return count
            decay, rate, model_clip, slope, gradient_clip = setting
            text = SHAPE.format(
                seed=count,
                decay=decay,
                rate=rate,
                model_clip=model_clip,
                slope=slope,
                gradient_clip=gradient_clip,
            )
            place = folder / f"runs-{count % 4}"
            place.mkdir(exist_ok=True)
            (place / f"{count:03}_config.yaml").write_text(text)
            count += 1
    (folder / "retrain_config.yaml").write_text(OTHER)
    return count
