"""Solvers: an encoder reads a problem, a decoder writes solutions over its numbers. Torch is imported from here on."""
