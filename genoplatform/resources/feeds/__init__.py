"""Reading release feeds: one request, one page of entries, and which of them are new. Staging them is the runner's."""

from genoplatform.resources.feeds.entries import FeedEntry, after, release_order
from genoplatform.resources.feeds.errors import FeedError
from genoplatform.resources.feeds.read import read_feed

__all__ = ["FeedEntry", "FeedError", "after", "read_feed", "release_order"]
