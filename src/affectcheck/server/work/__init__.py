"""Work in the background: labels, checks, scores and places, each in a child process with limits."""
