"""Learning by fixing (LBF), the paper's weakly supervised baseline."""
