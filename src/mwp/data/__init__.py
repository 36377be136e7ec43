"""Problems: records, readers, cleaning, folds, vocabulary, soundness."""
