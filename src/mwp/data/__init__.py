"""Problems: records, readers, cleaning, folds and the sample."""
