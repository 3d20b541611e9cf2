"""What is kept: rows, files, and who did what."""
