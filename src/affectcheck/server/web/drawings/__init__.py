"""Drawings of boards: SVG of shapes with classes alone, so that the policy of pages allows no style within it."""
