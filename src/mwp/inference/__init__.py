"""From a trained solver to answers: decode, merge equal solutions, verify, explain."""
