"""Solvers: an encoder reads a problem, a decoder writes solutions over its numbers. Torch lives from here on."""
