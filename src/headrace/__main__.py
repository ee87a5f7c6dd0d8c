"""`python -m headrace`: hands over to the command line and owns nothing itself."""

from headrace.cli.main import command

if __name__ == "__main__":
    command()
