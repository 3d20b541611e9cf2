"""What teams sent and what became of it: intake, slots, choices, results, and scoring anew."""
