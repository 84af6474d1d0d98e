"""One packet: v1 and v2 read alike, mixtures refused, nothing excluded turned into observed."""

import pytest

from genoplatform.cohort.packet import Feature, GeneCall, PacketRejectedError, parse_packet

V1 = {
    "id": "old",
    "subject": {"id": "someone", "ageAtCollection": {"age": "P3Y"}},
    "phenotypicFeatures": [
        {"type": {"id": "HP:0000101", "label": "a"}, "classOfOnset": {"id": "HP:0003577"}},
        {"type": {"id": "HP:0000201", "label": "b"}, "negated": True},
    ],
    "genes": [{"id": "HGNC:25662", "symbol": "AAGAB"}],
    "diseases": [{"term": {"id": "OMIM:148600", "label": "d"}}],
    "metaData": {"phenopacketSchemaVersion": "1.0.0"},
}


def reason(document):
    with pytest.raises(PacketRejectedError) as caught:
        parse_packet(document)
    return caught.value.reason


def test_v2_features_diseases_and_genes(packet):
    diseases = [{"term": {"id": "OMIM:1", "label": "one"}}, {"term": {"id": "OMIM:2"}, "excluded": True}]
    parsed = parse_packet(
        packet(("HP:0000101",), ("HP:0000201",), genes=(("AAA", "CANDIDATE"),), diseases=()) | {"diseases": diseases}
    )
    assert parsed.schema == "v2"
    assert parsed.features == [
        Feature("HP:0000101", "label HP:0000101", excluded=False),
        Feature("HP:0000201", "label HP:0000201", excluded=True),
    ]
    assert parsed.diseases == [("OMIM:1", "one")]
    assert parsed.genes == [GeneCall("AAA", "HGNC:1", "v1", "CANDIDATE")]


def test_v1_negated_is_excluded_and_genes_have_no_status():
    parsed = parse_packet(V1)
    assert parsed.schema == "v1"
    assert [f.excluded for f in parsed.features] == [False, True]
    assert parsed.genes == [GeneCall("AAGAB", "HGNC:25662", "", "")]


def test_snake_case_field_names_are_the_same_packet(packet):
    snake = {
        "id": "p",
        "phenotypic_features": [{"type": {"id": "HP:0000101"}, "excluded": True}],
        "diseases": [],
        "meta_data": {"phenopacket_schema_version": "2"},
    }
    parsed = parse_packet(snake)
    assert (parsed.schema, parsed.features) == ("v2", [Feature("HP:0000101", "", excluded=True)])


@pytest.mark.parametrize(
    "change",
    [
        {"phenotypicFeatures": [{"type": {"id": "HP:0000101"}, "negated": True}]},
        {"subject": {"id": "s", "ageAtCollection": {"age": "P3Y"}}},
        {"genes": [{"id": "HGNC:1", "symbol": "AAA"}]},
        {"metaData": {"phenopacketSchemaVersion": "1.0.0"}},
    ],
    ids=["negated", "ageAtCollection", "genes", "declared version"],
)
def test_fields_of_both_schemas_are_refused(packet, change):
    assert reason(packet() | change) == "mixed-schema"


def test_a_packet_with_fields_of_neither_schema_reads_as_undetermined():
    parsed = parse_packet({"id": "p", "phenotypicFeatures": [{"type": {"id": "HP:0000101"}}]})
    assert (parsed.schema, parsed.features[0].excluded) == ("undetermined", False)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ([1], "not-an-object"),
        ({"name": "package", "version": "1"}, "not-a-phenopacket"),
        ({"id": "f", "proband": {"id": "p"}}, "family-or-cohort"),
        ({"id": "c", "members": []}, "family-or-cohort"),
        ({"subject": {}, "phenotypicFeatures": {"type": {}}}, "malformed"),
        ({"phenotypicFeatures": [{"type": {"id": "HP:0000101"}, "excluded": "true"}]}, "malformed"),
        ({"phenotypicFeatures": [{"type": {"id": 101}}]}, "malformed"),
        ({"phenotypicFeatures": [], "subject": "someone"}, "malformed"),
        ({"interpretations": [{"diagnosis": {"genomicInterpretations": [[]]}}]}, "malformed"),
    ],
)
def test_what_is_not_one_usable_packet_is_refused_by_reason(document, expected):
    assert reason(document) == expected


def test_gene_descriptor_without_a_variant_counts_as_a_gene(packet):
    call = {"interpretationStatus": "CAUSATIVE", "gene": {"valueId": "HGNC:7", "symbol": "GGG"}}
    document = packet() | {"interpretations": [{"diagnosis": {"genomicInterpretations": [call]}}]}
    assert parse_packet(document).genes == [GeneCall("GGG", "HGNC:7", "", "CAUSATIVE")]
