"""The rule-based curator: facts of a cohort in, decisions out, each with its reason. No generated code is run.

A variable is decided only where its codes take at least two values; otherwise it is not available and `why` says so.
"""

from __future__ import annotations

from collections import Counter

from genoplatform.expression.curation.availability import gene_expression
from genoplatform.expression.curation.candidate import Candidate
from genoplatform.expression.curation.counts import compared
from genoplatform.expression.curation.demographics import age_code, gender_code
from genoplatform.expression.curation.facts import CohortFacts
from genoplatform.expression.curation.free_text import TextChoice, age_from_text, gender_from_text, trait_from_text
from genoplatform.expression.curation.identifiers import choose_columns, needs_mapping
from genoplatform.expression.curation.rows import RowChoice, cells_elsewhere, choose_age, choose_gender, groups
from genoplatform.expression.curation.terms import TraitTerms, trait_terms
from genoplatform.expression.curation.text import split_cell
from genoplatform.expression.curation.trait_rows import candidates
from genoplatform.expression.curation.trait_rules import apply
from genoplatform.expression.decisions import CohortDecisions, Variable

CURATOR = "rules"


def curate(facts: CohortFacts, *, proxies: bool = True) -> CohortDecisions:
    """Decide everything on one cohort for one trait.

    Args:
        facts: what the readers found.
        proxies: whether a row that only stands for the trait (response, stage, genotype, another disease in a series
            that mentions the trait) may be taken where none is the trait itself. The benchmark's curators took them;
            such a variable's reason begins with "proxy".
    """
    terms = trait_terms(facts.trait)
    available = gene_expression(facts)
    trait, why_trait = _trait(facts, terms, proxies=proxies)
    age, why_age = _covariate(facts, choose_age(facts), age_from_text(facts), "age")
    gender, why_gender = _covariate(facts, choose_gender(facts), gender_from_text(facts), "gender")
    mapping, why_mapping = needs_mapping(facts.first_ids, facts.annotation)
    columns = choose_columns(facts.annotation, facts.first_ids)
    why = {
        "gene": available.why,
        "trait": why_trait,
        "age": why_age,
        "gender": why_gender,
        "mapping": why_mapping,
        "columns": columns.why,
        "species": available.species,
        "counts": _counts(facts, trait),
    }
    return CohortDecisions(
        trait=facts.trait,
        cohort=facts.cohort,
        is_gene_available=available.available,
        trait_variable=trait,
        age_variable=age,
        gender_variable=gender,
        needs_mapping=mapping,
        id_column=columns.id_column if mapping is not False else None,
        gene_column=columns.gene_column if mapping is not False else None,
        platform=facts.platform,
        curator=CURATOR,
        why={name: reason for name, reason in why.items() if reason},
    )


def _trait(facts: CohortFacts, terms: TraitTerms, *, proxies: bool) -> tuple[Variable | None, str]:
    """The trait from a row, else from the samples' texts, else (if allowed) from a row that is a proxy."""
    found = candidates(facts, terms)
    best = found[0] if found else None
    if best is not None and not best.is_proxy:
        return _of_candidate(facts, terms, best, found)
    text = trait_from_text(facts, terms)
    if text is not None:
        return _of_text(text, "binary")
    if best is not None and proxies:
        return _of_candidate(facts, terms, best, found)
    if best is not None:
        return None, f"not available: only a {best.why} was found (row {best.group.row}), and proxies are not allowed"
    return None, f"not available: {_why_no_trait(facts, terms)}"


def _of_candidate(
    facts: CohortFacts, terms: TraitTerms, best: Candidate, found: list[Candidate]
) -> tuple[Variable, str]:
    group = best.group
    codes = dict(best.codes)
    for cell in cells_elsewhere(facts, group.row, group.key):
        codes.setdefault(cell, apply(best.rule, terms, group.key, split_cell(cell)[1]))
    others = [f"row {c.group.row} ({c.group.key})" for c in found[1:3] if c.group.row != group.row]
    why = ("" if not best.is_proxy or best.why.startswith("proxy") else "proxy: ") + best.why
    why += f"; coded by rule {best.rule!r}" + (f"; also possible: {', '.join(others)}" if others else "")
    return (
        Variable(
            source="characteristics",
            key=group.key,
            row=group.row,
            kind="continuous" if best.continuous else "binary",
            codes=codes,
            rule=best.rule,
            why=why,
        ),
        why,
    )


def _of_text(text: TextChoice, kind: str) -> tuple[Variable, str]:
    variable = Variable.model_validate(
        {"source": text.source, "kind": kind, "codes": text.codes, "rule": text.rule, "why": text.why}
    )
    return variable, text.why


def _why_no_trait(facts: CohortFacts, terms: TraitTerms) -> str:
    """Why no row is the trait: the same for all samples, or no row speaks of it."""
    for row in facts.characteristics:
        for group in groups(row):
            if len(set(group.known)) == 1 and (terms.names_it(group.known[0]) or terms.names_it(group.key)):
                return f"row {row.row} ({group.cells[0]!r}) names the trait but is the same for all samples"
    if not facts.characteristics:
        return "the series has no characteristics, and the sample texts do not tell"
    return "no characteristic tells samples with the trait from samples without"


def _covariate(
    facts: CohortFacts, choice: RowChoice, text: TextChoice | None, what: str
) -> tuple[Variable | None, str]:
    kind = "continuous" if what == "age" else "binary"
    if choice.row is None:
        return _of_text(text, kind) if text is not None else (None, f"not available: {choice.why}")
    codes = dict(choice.codes)
    code = age_code if what == "age" else gender_code
    for cell in cells_elsewhere(facts, choice.row, choice.key):
        codes.setdefault(cell, code(*split_cell(cell)))
    variable = Variable.model_validate(
        {
            "source": "characteristics",
            "key": choice.key,
            "row": choice.row,
            "kind": kind,
            "codes": codes,
            "rule": what,
            "why": choice.why,
        }
    )
    return variable, choice.why


def _counts(facts: CohortFacts, trait: Variable | None) -> str:
    """Coded group sizes against those named in the text, where sizes are known and the trait is binary."""
    if trait is None or trait.kind != "binary":
        return ""
    sizes: Counter[float] = Counter()
    if trait.source == "characteristics":
        for row in facts.characteristics:
            if row.row == trait.row and row.counts:
                for cell, count in zip(row.values, row.counts, strict=True):
                    code = trait.codes.get(cell)
                    if code is not None:
                        sizes[code] += count
    else:
        texts = {"title": facts.titles, "source_name": facts.source_names, "description": facts.descriptions}[
            trait.source
        ]
        sizes.update(code for text in texts if (code := trait.codes.get(text)) is not None)
    return compared(facts.background, sizes[0.0], sizes[1.0]) if sizes else ""
