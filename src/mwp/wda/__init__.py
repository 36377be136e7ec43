"""Weak data augmentation (WDA): equations found from a problem's numbers and its answer alone."""
