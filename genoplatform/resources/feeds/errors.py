"""A feed that could not be read is not an empty feed."""

from genoplatform.errors import GenoplatformError


class FeedError(GenoplatformError):
    """The feed was not read: no answer, too slow, too large, not of its form, or without a single release."""
