"""Term ids of any age to primary ids of one release: alternative ids, obsolete terms, unknown ids, each recorded."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, get_args

import pandas as pd

from genoplatform.errors import SettingsError

ObsoletePolicy = Literal["unique", "drop", "first", "all"]
UNKNOWN = "unknown"
NO_REPLACEMENT = "obsolete-without-replacement"
AMBIGUOUS = "obsolete-ambiguous"
DROPPED = "obsolete-dropped"
MALFORMED = "malformed"

_CURIE = re.compile(r"[A-Za-z][\w.]*:[\w.\-]+")


@dataclass(frozen=True)
class Resolution:
    """What became of a list of ids.

    Attributes:
        ids: primary ids, first-seen order, without repeats.
        dropped: id, reason, detail, one row per distinct input id that led nowhere. Reasons: malformed, unknown,
            obsolete-without-replacement, obsolete-ambiguous, and obsolete-dropped (only under the policy "drop").
        mapped: id, to, how ("alt_id", "replaced_by", "consider"), one row per input id and target.
    """

    ids: list[str]
    dropped: pd.DataFrame
    mapped: pd.DataFrame


@dataclass(frozen=True)
class IdTable:
    """The ids of one ontology release: which are live, which stand for another.

    Attributes:
        live: ids of non-obsolete terms.
        alternatives: alternative id -> sorted primary ids.
        obsolete: obsolete id -> (replaced_by, consider), sorted.
    """

    live: frozenset[str]
    alternatives: dict[str, list[str]] = field(repr=False)
    obsolete: dict[str, tuple[list[str], list[str]]] = field(repr=False)

    @classmethod
    def from_terms(cls, terms: pd.DataFrame) -> IdTable:
        """Build from the `terms` table of `read_obo`."""
        is_obsolete = terms["obsolete"].astype(bool)
        live = terms[~is_obsolete]
        alternatives: dict[str, list[str]] = {}
        for term, alt_ids in zip(live["id"], live["alt_ids"], strict=True):
            for alt in alt_ids:
                alternatives.setdefault(alt, []).append(term)
        gone = terms[is_obsolete]
        replacements = zip(gone["replaced_by"], gone["consider"], strict=True)
        obsolete = {t: (sorted(r), sorted(c)) for t, (r, c) in zip(gone["id"], replacements, strict=True)}
        return cls(frozenset(live["id"]), {k: sorted(v) for k, v in alternatives.items()}, obsolete)

    def resolve(self, ids: Iterable[str], *, obsolete: ObsoletePolicy = "unique") -> Resolution:
        """Resolve ids to live terms.

        Args:
            ids: any strings.
            obsolete: what to do with an obsolete id. "unique": follow it only where one replacement is certain (a
                single replaced_by; or none named and a live term lists the id as its alternative, without a
                `consider` that says otherwise). "first": the lowest of several candidates. "all": every candidate.
                "drop": never follow.

        Raises:
            SettingsError: an unknown policy.
        """
        if obsolete not in get_args(ObsoletePolicy):
            raise SettingsError("resolving term ids", f"policy {obsolete!r}", f"use one of {get_args(ObsoletePolicy)}")
        kept: dict[str, None] = {}
        dropped: list[tuple[str, str, str]] = []
        mapped: list[tuple[str, str, str]] = []
        for term in dict.fromkeys(ids):
            targets, how, reason, detail = self._target(term, obsolete, frozenset())
            kept.update(dict.fromkeys(targets))
            if reason:
                dropped.append((str(term), reason, detail))
            elif how:
                mapped.extend((term, target, how) for target in targets)
        return Resolution(
            list(kept),
            pd.DataFrame(dropped, columns=["id", "reason", "detail"], dtype="str"),
            pd.DataFrame(mapped, columns=["id", "to", "how"], dtype="str"),
        )

    def _target(self, term: str, policy: ObsoletePolicy, seen: frozenset[str]) -> tuple[list[str], str, str, str]:
        """(targets, how, reason, detail) of one id; reason is "" when there is a target."""
        if not isinstance(term, str) or not _CURIE.fullmatch(term):
            return [], "", MALFORMED, "not of the form PREFIX:local"
        if term in self.live:
            return [term], "", "", ""
        if term in self.obsolete:
            return self._obsolete_target(term, policy, seen)
        primaries = self.alternatives.get(term, [])
        if len(primaries) == 1:
            return primaries, "alt_id", "", ""
        if primaries:
            return [], "", AMBIGUOUS, f"alternative id of {', '.join(primaries)}"
        return [], "", UNKNOWN, "not in this release"

    def _obsolete_target(
        self, term: str, policy: ObsoletePolicy, seen: frozenset[str]
    ) -> tuple[list[str], str, str, str]:
        if policy == "drop":
            return [], "", DROPPED, "policy drop"
        candidates, how, certain = self._candidates(term)
        if not candidates:
            return [], "", NO_REPLACEMENT, "no replaced_by, consider or alt_id"
        if policy == "unique" and not certain:
            return [], "", AMBIGUOUS, f"{how}: {', '.join(candidates)}"
        chosen = candidates[:1] if policy == "first" else candidates
        targets: dict[str, None] = {}
        for candidate in chosen:
            if candidate not in seen:  # a replacement may itself be obsolete; a ring of them leads nowhere
                targets.update(dict.fromkeys(self._target(candidate, policy, seen | {term})[0]))
        if not targets:
            return [], "", NO_REPLACEMENT, f"{how} {', '.join(chosen)} leads to no live term"
        return list(targets), how, "", ""

    def _candidates(self, term: str) -> tuple[list[str], str, bool]:
        """(candidates, how, certain). The obsolete stanza's own word comes before a live term's alt_id."""
        replaced_by, consider = self.obsolete[term]
        if replaced_by:
            return replaced_by, "replaced_by", len(replaced_by) == 1
        primaries = self.alternatives.get(term, [])
        if len(primaries) == 1 and set(consider) <= set(primaries):
            return primaries, "alt_id", True
        return consider, "consider", False
