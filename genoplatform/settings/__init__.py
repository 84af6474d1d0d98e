"""Declared settings: pinned sources, profiles and their schemas. Reads YAML, nothing else; knows no machine."""
