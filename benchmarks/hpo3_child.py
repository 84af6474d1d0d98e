"""The hpo3 side of resnik.py; runs inside the environment that has hpo3, reads JSON from stdin, prints JSON."""

import json
import sys
import time

from pyhpo import HPOSet, Ontology


def main() -> None:
    given = json.load(sys.stdin)
    Ontology(given["data"])
    by_name = {gene.name: gene for gene in Ontology.genes}
    genes = [by_name[name].hpo_set() for name in given["genes"]]
    seconds, scores = [], []
    for terms in given["cases"]:
        patient = HPOSet.from_queries(terms)
        start = time.perf_counter()
        scores.append(patient.similarity_scores(genes, kind="gene", method="resnik", combine="funSimAvg"))
        seconds.append(time.perf_counter() - start)
    print(json.dumps({"seconds": seconds, "scores": scores}))


if __name__ == "__main__":
    main()
