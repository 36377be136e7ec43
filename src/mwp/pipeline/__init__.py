"""The stages of the pipeline and what runs them: params, the grid, profiles, one module a stage."""
