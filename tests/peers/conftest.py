"""The scripts that write fixtures need libraries that the tests do not."""

collect_ignore_glob = ["fixtures/make_*.py"]
