"""Do the intervals, tests and verdicts hold what they promise? Simulations in which the truth is known."""
