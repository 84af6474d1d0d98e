"""A tiny but complete world of our own invention: every pinned input as a file, a catalogue and two profiles.

Nothing in it is true. Structural ids that the code names (HPO and MONDO roots) are kept; all others are made up. What
each disease, publication and packet is for is said where it is written, and the tests count on it:

* 24 diseases with one gene each, two old publications each (exposed), every third one a publication that only the newer
  release knows (unexposed): 48 exposed and 8 unexposed cases, in five categories.
* publications that must be left out: too few terms, two genes, no gene, a gene that is not protein-coding.
* packets that must be left out: too few terms, no gene, a chromosomal disease, broken JSON, a gene outside the pool.
"""

import hashlib
import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path

import yaml
from tiny_literature import jats, tokenizer_json, told_article, zipped
from tiny_model import DIMENSION, model_onnx

from genoplatform.settings.profiles import PROFILES_FILE

DISEASES = range(1, 25)
CATEGORIES = {
    "neurological": "MONDO:0005071",
    "metabolic": "MONDO:0005066",
    "immunological": "MONDO:0005046",
    "developmental": "MONDO:0019118",
    "other": "MONDO:0000001",
}
TWO_GENES, NO_GENE, NON_CODING, CHROMOSOMAL = 25, 26, 27, 28
FINDINGS = [f"HP:9000{system}0{number}" for system in range(1, 7) for number in range(1, 6)]


@dataclass(frozen=True)
class World:
    """Where the files of the world lie."""

    mirror: Path
    catalogue: Path
    profiles: Path


def category_of(disease: int) -> str:
    """The categories take turns."""
    return list(CATEGORIES)[disease % len(CATEGORIES)]


def findings_of(disease: int) -> list[str]:
    """Six findings; diseases share some, so that similarity has something to tell apart."""
    return [FINDINGS[(3 * disease + step * (1 + disease % 4)) % len(FINDINGS)] for step in range(6)]


def omim(disease: int) -> str:
    return f"OMIM:9000{disease:02d}"


def gene(disease: int) -> str:
    return f"TG{disease:02d}"


def publications(disease: int) -> tuple[str, str, str]:
    """Two old publications and one that only the newer release has."""
    return f"PMID:200000{disease:02d}", f"PMID:300000{disease:02d}", f"PMID:400000{disease:02d}"


def hp_obo() -> str:
    stanzas = [
        _stanza("HP:0000001", "All"),
        _stanza("HP:0000118", "Phenotypic abnormality", "is_a: HP:0000001"),
        _stanza("HP:0000005", "Mode of inheritance", "is_a: HP:0000001"),
        _stanza("HP:0000007", "Recessive", "is_a: HP:0000005"),
    ]
    for system in range(1, 7):
        stanzas.append(_stanza(f"HP:9000{system}00", f"System {system}", "is_a: HP:0000118"))
        for number in range(1, 6):
            lines = [f"is_a: HP:9000{system}00"]
            lines += [f"alt_id: HP:9001{system}01"] if number == 1 else []
            lines += [f"is_a: HP:9000{system % 6 + 1}00"] if number == 5 else []
            stanzas.append(_stanza(f"HP:9000{system}0{number}", f"Finding {number} of system {system}", *lines))
    stanzas += [
        _stanza("HP:9009001", "obsolete One", "is_obsolete: true", "replaced_by: HP:9000101"),
        _stanza("HP:9009002", "obsolete Two", "is_obsolete: true", "consider: HP:9000201", "consider: HP:9000202"),
        _stanza("HP:9009003", "obsolete Three", "is_obsolete: true"),
    ]
    return "format-version: 1.2\ndata-version: hp/releases/2025-01-01\nontology: hp\n\n" + "\n".join(stanzas)


def mondo_obo() -> str:
    stanzas = [_stanza("MONDO:0000001", "disease")]
    roots = [root for name, root in CATEGORIES.items() if name != "other"]
    roots += ["MONDO:0021147", "MONDO:0019042", "MONDO:0044970"]
    stanzas += [_stanza(root, f"group {root[-4:]}", "is_a: MONDO:0000001") for root in roots]
    for disease in (*DISEASES, TWO_GENES, NO_GENE, NON_CODING, CHROMOSOMAL):
        root = "MONDO:0019042" if disease == CHROMOSOMAL else CATEGORIES[category_of(disease)]
        stanzas.append(_stanza(_mondo(disease), f"disease {disease}", f"xref: {omim(disease)}", f"is_a: {root}"))
    return "format-version: 1.2\ndata-version: mondo/releases/2025-01-02\nontology: mondo\n\n" + "\n".join(stanzas)


def mondo_sssom() -> str:
    lines = ["# mapping_set_id: tiny", "subject_id\tpredicate_id\tobject_id"]
    lines += [f"{_mondo(d)}\tskos:exactMatch\t{omim(d)}" for d in (*DISEASES, TWO_GENES, NO_GENE, NON_CODING)]
    return "\n".join([*lines, f"{_mondo(1)}\tskos:broadMatch\tOMIM:999999"]) + "\n"


def hpoa(newer: bool) -> str:
    """The older release, or the newer one with its further publications."""
    rows = []
    for disease in (*DISEASES, TWO_GENES, NO_GENE, NON_CODING):
        first, second, late = publications(disease)
        terms = findings_of(disease)
        rows += [_hpoa_row(disease, term, first, "1/2") for term in terms[:4]]
        rows += [_hpoa_row(disease, term, second, "3/4") for term in terms[2:]]
        rows.append(_hpoa_row(disease, "HP:0000007", first, "", aspect="I"))
        if newer and disease in DISEASES and disease % 3 == 0:
            rows += [_hpoa_row(disease, term, late, "2/2") for term in terms[1:5]]
            rows.append(_hpoa_row(disease, FINDINGS[0] if FINDINGS[0] not in terms else FINDINGS[1], late, "0/2"))
    rows += [
        _hpoa_row(1, findings_of(1)[0], "PMID:20000091", ""),  # one term: too few
        _hpoa_row(2, findings_of(2)[5], "PMID:20000092", "", qualifier="NOT"),
        _hpoa_row(3, findings_of(3)[0], "PMID:20000093", "5/3"),  # impossible
        rows[0],  # exact duplicate
    ]
    columns = "database_id disease_name qualifier hpo_id reference evidence onset frequency sex modifier aspect"
    header = "\t".join([*columns.split(), "biocuration"])
    return "\n".join(["#description: tiny", f"#version: 2025-0{2 if newer else 1}-03", header, *rows]) + "\n"


def genes_to_phenotype() -> str:
    lines = ["ncbi_gene_id\tgene_symbol\thpo_id\thpo_name\tfrequency\tdisease_id"]
    pairs = [(disease, gene(disease)) for disease in DISEASES]
    pairs += [(TWO_GENES, "TG30"), (TWO_GENES, "TG31"), (NON_CODING, "NC01")]
    for disease, symbol in pairs:
        lines += [f"{700 + disease}\t{symbol}\t{term}\tx\t-\t{omim(disease)}" for term in findings_of(disease)]
    return "\n".join(lines) + "\n"


def hgnc() -> str:
    """70 protein-coding symbols, enough for 49 distractors, and three others."""
    columns = "hgnc_id symbol locus_group status entrez_id ensembl_gene_id alias_symbol prev_symbol"
    rows = [(n, f"TG{n:02d}", "protein-coding gene") for n in range(1, 71)]
    rows += [(n, f"NC{n - 80:02d}", "non-coding RNA") for n in range(81, 84)]
    lines = [f"HGNC:{n}\t{s}\t{g}\tApproved\t{700 + n}\tENSG{n:011d}\t{s}A|{s}B\t" for n, s, g in rows]
    return "\n".join(["\t".join(columns.split()), *lines]) + "\n"


def phenopackets() -> bytes:
    """A release archive: one packet of every disease, a second of every third, and what must be left out."""
    files = {}
    for disease in DISEASES:
        first, _, late = publications(disease)
        files[f"{gene(disease)}/{_stem(first)}_a"] = _packet(disease, findings_of(disease)[:4])
        if disease % 3 == 0:
            files[f"{gene(disease)}/{_stem(late)}_b"] = _packet(disease, findings_of(disease)[1:5])
    files["TG01/PMID_20000001_few"] = _packet(1, findings_of(1)[:2])
    files["TG02/PMID_20000002_nogene"] = _packet(2, findings_of(2), symbol="")
    files["TG28/PMID_20000028_chromosomal"] = _packet(CHROMOSOMAL, findings_of(28))
    files["NC01/PMID_20000027_outside"] = _packet(NON_CODING, findings_of(27), symbol="NC01")
    content = {f"tiny-1.0/{name}.json": json.dumps(packet) for name, packet in sorted(files.items())}
    content["tiny-1.0/TG03/PMID_20000003_broken.json"] = "{"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in content.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return buffer.getvalue()


def pmid_dates() -> str:
    return json.dumps({"dates": {publications(d)[0].removeprefix("PMID:"): f"20{d:02d}-05-01" for d in DISEASES}})


def articles() -> bytes:
    """Thirty articles, one of them without an id, and one that is no XML."""
    files = {f"corpus/{number}.xml": told_article(number) for number in range(1, 31)}
    return zipped(files | {"corpus/noid.xml": jats(31, ids={}), "corpus/broken.xml": b"<article><front>"})


# source id -> (file name, content)
SOURCES = {
    "hp.obo@tiny": ("hp.obo", hp_obo),
    "phenotype.hpoa@tiny-old": ("phenotype-old.hpoa", lambda: hpoa(newer=False)),
    "phenotype.hpoa@tiny-new": ("phenotype-new.hpoa", lambda: hpoa(newer=True)),
    "genes_to_phenotype@tiny": ("genes_to_phenotype.txt", genes_to_phenotype),
    "hgnc@tiny": ("hgnc.txt", hgnc),
    "mondo.obo@tiny": ("mondo.obo", mondo_obo),
    "mondo-mappings@tiny": ("mondo.sssom.tsv", mondo_sssom),
    "phenopackets@tiny": ("phenopackets.zip", phenopackets),
    "pmid-dates@tiny": ("pmid_dates.json", pmid_dates),
    "articles@tiny": ("articles.zip", articles),
    "tokenizer@tiny": ("tokenizer.json", tokenizer_json),
    "model@tiny": ("model.onnx", model_onnx),
}
_SLOTS = {
    "hp_obo": "hp.obo@tiny",
    "hpoa_knowledge": "phenotype.hpoa@tiny-old",
    "hpoa_current": "phenotype.hpoa@tiny-new",
    "genes_to_phenotype": "genes_to_phenotype@tiny",
    "hgnc": "hgnc@tiny",
    "mondo_terms": "mondo.obo@tiny",
    "mondo_mappings": "mondo-mappings@tiny",
    "phenopackets": None,
    "pmid_dates": None,
    "articles": "articles@tiny",
    "chunk_tokenizer": "tokenizer@tiny",
    "embedding_model": "model@tiny",
    "embedding_tokenizer": "tokenizer@tiny",
}
_STORE_SLOTS = {"mondo_mappings": None, "phenopackets": "phenopackets@tiny", "pmid_dates": "pmid-dates@tiny"}


def profiles() -> dict[str, dict]:
    """The package's embedded profile on tiny inputs, small samples and few draws; once more with phenopackets."""
    declared = yaml.safe_load(PROFILES_FILE.read_text())["embedded"]
    declared["slots"] = dict.fromkeys(declared["slots"]) | _SLOTS
    declared["cohort"] |= {"sample_per_stratum": dict.fromkeys(CATEGORIES, 6)}
    declared["inference"] |= {"bootstrap_draws": 50, "permutation_draws": 50}
    declared["embedding"]["embedder"] |= {"model": "tiny", "dimension": DIMENSION}
    declared["agents"] = None  # cells need an index and a model; test_agents_in_graph.py brings both
    declared["llm"] = None  # the model's weights are no pin of this world
    strata = {name: 20 for name in CATEGORIES if name != "other"}
    phenopacket = declared | {
        "slots": declared["slots"] | _STORE_SLOTS,
        "cohort": declared["cohort"] | {"source": "phenopacket_store", "sample_per_stratum": strata},
        "ranking": declared["ranking"] | {"knowledge": "genes_to_phenotype"},
    }
    return {"embedded": declared, "workstation": phenopacket}


def write_world(folder: Path) -> World:
    """Write mirror, catalogue and profiles below `folder`."""
    mirror = folder / "mirror"
    mirror.mkdir(parents=True)
    entries = []
    for source_id, (name, make) in SOURCES.items():
        content = make()
        data = content if isinstance(content, bytes) else content.encode()
        (mirror / name).write_bytes(data)
        entries.append(_entry(source_id, name, data))
    licences = {"own": {"id": "CC0-1.0", "url": "https://example.org/licence"}}
    catalogue, settings = folder / "sources.yml", folder / "profiles.yml"
    catalogue.write_text(yaml.safe_dump({"licences": licences, "sources": entries}))
    settings.write_text(yaml.safe_dump(profiles()))
    return World(mirror, catalogue, settings)


def _entry(source_id: str, name: str, data: bytes) -> dict:
    return {
        "id": source_id,
        "title": name,
        "version": source_id.partition("@")[2],
        "file": name,
        "licence": "own",
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "mirrors": [{"kind": "local", "name": name}],
    }


def _stanza(term_id: str, name: str, *lines: str) -> str:
    # The order of clauses is part of the format: alt_id, xref, is_a, is_obsolete, replaced_by, consider.
    order = ["alt_id", "xref", "is_a", "is_obsolete", "replaced_by", "consider"]
    body = sorted(lines, key=lambda line: order.index(line.partition(":")[0]))
    return "\n".join(["[Term]", f"id: {term_id}", f"name: {name}", *body]) + "\n"


def _mondo(disease: int) -> str:
    return f"MONDO:90000{disease:02d}"


def _stem(pmid: str) -> str:
    return pmid.replace(":", "_")


def _hpoa_row(disease: int, term: str, pmid: str, frequency: str, *, qualifier: str = "", aspect: str = "P") -> str:
    fields = [omim(disease), f"Disease {disease}", qualifier, term, pmid, "PCS", "", frequency, "", "", aspect]
    return "\t".join([*fields, "HPO:tiny[2025-01-01]"])


def _packet(disease: int, terms: list[str], symbol: str | None = None) -> dict:
    symbol = gene(disease) if symbol is None else symbol
    absent = next(term for term in FINDINGS if term not in findings_of(disease))
    call = {
        "interpretationStatus": "CAUSATIVE",
        "variantInterpretation": {"variationDescriptor": {"geneContext": {"valueId": "HGNC:1", "symbol": symbol}}},
    }
    return {
        "id": "packet",
        "subject": {"id": "someone"},
        "phenotypicFeatures": [{"type": {"id": term, "label": term}} for term in terms]
        + [{"type": {"id": absent, "label": absent}, "excluded": True}],
        "diseases": [{"term": {"id": omim(disease), "label": f"Disease {disease}"}}],
        "interpretations": [{"id": "i", "diagnosis": {"genomicInterpretations": [call] if symbol else []}}],
        "metaData": {"phenopacketSchemaVersion": "2.0.2"},
    }
