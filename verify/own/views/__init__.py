"""What our theorems add to runs of certified removal: `newton_changes`, of the noise's law."""
