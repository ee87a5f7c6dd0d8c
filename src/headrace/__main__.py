"""`python -m headrace`: hands over to the command line and owns nothing itself."""

from headrace.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
