"""People, teams and what lets them in: passwords, sessions, tokens, and codes that are used once."""
