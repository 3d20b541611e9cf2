"""predictions."""
