"""Weak data augmentation: from an answer to equations that reach it (the paper's Algorithm 1, and a ranked search)."""
