"""`python -m genoplatform.cli`, for where the console script is not on the path."""

from genoplatform.cli import main

main()
