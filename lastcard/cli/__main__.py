"""`python -m lastcard.cli`"""

from lastcard.cli import main

if __name__ == "__main__":  # workers of an arena import this module, too
    main()
