"""Exact arithmetic on solutions: numerals, expression trees, laws and equality."""
