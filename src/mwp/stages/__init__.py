"""One function a stage: read its inputs, call one thing below, write its outputs."""
