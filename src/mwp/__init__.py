"""Train and compare math word problem solvers under full, semi-weak and weak supervision."""
