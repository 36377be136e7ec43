"""Measurements: ratios against plain twins within one run, and figures on real data."""
