"""Candidate releases: obtained beside the pin, tried, compared with what is in force, proposed, accepted by a person.

Nothing here replaces a pin by itself: `accept` writes the home's `pins.yml`, and only when asked to.
"""
