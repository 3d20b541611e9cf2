"""Events, their tracks with phases and settings, lists of items, and hidden labels, which go in and never come out."""
