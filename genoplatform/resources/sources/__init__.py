"""Obtaining pinned inputs: mirrors, resumable downloads and the content-addressed cache.

Belongs here: turning a `genoplatform.settings.sources.Source` into verified bytes on disk. Does not belong here:
what the sources are (settings) and what their bytes mean (domain packages).
"""
