"""Running assets from the command line: plan what is stale from the sidecars, execute it, show progress."""
