"""``python -m affectcheck``."""

from affectcheck.cli import main

if __name__ == "__main__":
    main()
