"""Learning by fixing (LBF), the weakly supervised baseline."""
