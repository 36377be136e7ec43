"""Diversified training (Algorithm 2): buffer, weights, discriminator and the trainer."""
