"""Grades and evidence types by hand (rare_disease.md section 7)."""

import pytest
from small_world import hit

from genoplatform.agents.critic import Critic, CriticRules, relevance, weak_grades
from genoplatform.agents.evidence_type import CASE_SECTIONS, evidence_type
from genoplatform.agents.gene_names import GeneNames

LABELS = ["Seizure", "Gait ataxia", "Hearing loss"]


def graded(text: str, rules: CriticRules | None = None, section: str = "results", labels=LABELS):
    critic = Critic(GeneNames({"OLD1": "AAA1"}), rules)
    return critic.grade({"AAA1": [hit(text, section_type=section)]}, labels)["AAA1"][0]


FILLER = "x" * 150


@pytest.mark.parametrize(
    ("text", "mention", "score"),
    [
        ("AAA1 in a child with seizures and gait ataxia", True, 5),
        ("Gait ataxia, later a SEIZURE; the gene was aaa1", True, 5),
        ("old1 in a child with seizures and gait ataxia", True, 5),  # the alias
        (f"AAA1: seizure {FILLER}{FILLER} gait ataxia", True, 4),  # 308 characters apart
        ("AAA1 in a child with hearing loss", True, 4),
        ("AAA1 is expressed in liver", True, 3),
        ("a child with seizures and gait ataxia", False, 2),
        ("a child with hearing loss", False, 2),
        ("liver enzymes were normal", False, 1),
        ("AAA12 in a child with seizures", False, 2),
    ],
)
def test_relevance(text, mention, score):
    grade = graded(text)
    assert (grade.gene_mention_valid, grade.relevance) == (mention, score)


@pytest.mark.parametrize(("gap", "score"), [(200, 5), (201, 4)])
def test_close_means_first_positions_at_most_200_characters_apart(gap, score):
    text = "Seizure" + "y" * (gap - len("Seizure")) + "Gait ataxia AAA1"
    assert text.lower().find("gait ataxia") == gap
    assert graded(text).relevance == score


def test_neighbours_count_not_the_outermost_labels():
    # Positions 0, 190, 380: the ends are 380 apart, but each neighbour is near.
    text = "Seizure".ljust(190) + "Gait ataxia".ljust(190) + "Hearing loss AAA1"
    assert graded(text).relevance == 5


def test_only_a_labels_first_position_counts():
    text = "Seizure".ljust(300) + "Seizure, Gait ataxia AAA1"
    assert graded(text).relevance == 4


def test_the_rule_alone():
    assert [relevance(True, 2, True), relevance(True, 2, False), relevance(True, 1, False)] == [5, 4, 4]
    assert [relevance(True, 0, False), relevance(False, 3, True), relevance(False, 0, False)] == [3, 2, 1]


@pytest.mark.parametrize(
    ("section", "text", "kind"),
    [
        ("case", "luciferase assay", "case_report"),  # a case section comes before any cue
        ("results", "a luciferase assay in a patient cohort", "functional"),  # functional before association and case
        ("results", "knock-out mice", "functional"),
        ("results", "cells were transfected", "functional"),
        ("results", "overexpression of the protein", "functional"),
        ("results", "in vitro data", "functional"),
        ("results", "a loss-of-function allele", "functional"),
        ("results", "a cohort of patients", "association"),  # association before case
        ("results", "odds ratio 2.1 (95% CI 1.2-3.4)", "association"),
        ("results", "or=2 for carriers", "association"),
        ("results", "p < 0.05", "association"),
        ("introduction", "reviewed elsewhere for this family", "review"),  # review before case, in introductions
        ("results", "reviewed elsewhere for this family", "case_report"),
        ("results", "the proband", "case_report"),
        ("discussion", "clinical history", "case_report"),
        ("case_report", "the disease began early", "unknown"),  # trap: production's label is not the rule's
        ("results", "nothing of the kind", "unknown"),
        ("results", "impatiently familiar", "unknown"),  # cues are whole words
    ],
)
def test_evidence_type(section, text, kind):
    assert evidence_type(section, text) == kind


def test_our_rules_know_the_production_label():
    assert evidence_type("case_report", "the disease began early", CASE_SECTIONS) == "case_report"
    assert graded("AAA1", CriticRules(case_report_sections=True), "case_report").evidence_type == "case_report"
    assert graded("AAA1", section="case_report").evidence_type == "unknown"


@pytest.mark.parametrize(
    ("text", "published", "ours"),
    [
        ("No variant in AAA1 was found; the child had seizures and gait ataxia.", 5, 2),
        ("AAA1 was excluded. The child had hearing loss.", 4, 2),
        ("A variant in AAA1 in a child without seizures or gait ataxia.", 5, 3),
        ("AAA1 was excluded at first, but a second test found a variant in AAA1 and seizures.", 4, 4),
        ("Not only AAA1 but also seizures were found.", 4, 4),
    ],
)
def test_the_published_critic_does_not_know_negation_ours_does(text, published, ours):
    assert graded(text).relevance == published
    assert graded(text, CriticRules(negation=True)).relevance == ours


def test_weak_grades_are_those_up_to_two():
    critic = Critic(GeneNames())
    texts = ["AAA1 seizure", "seizure", "nothing"]
    grades = critic.grade({"AAA1": [hit(text, str(n)) for n, text in enumerate(texts)], "BBB2": [hit("x")]}, LABELS)
    assert weak_grades(grades) == 3
