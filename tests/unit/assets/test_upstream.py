"""Which partitions of an upstream asset a run reads."""

import dagster as dg
import pytest

from genoplatform.assets.upstream import every_partition, partitions_read, same_trait
from genoplatform.resources.platform import PlatformResource

COHORTS = ["Asthma|GSE1", "Asthma|GSE2", "Asthma_Severe|GSE5", "Obesity|GSE3"]
LISTS = dg.StaticPartitionsDefinition(["standard", "hard"])


@pytest.fixture
def platform(tmp_path):
    return PlatformResource(home=str(tmp_path), profile="embedded")


@pytest.mark.parametrize(
    ("problem", "cohorts"),
    [
        ("Asthma|None", ["Asthma|GSE1", "Asthma|GSE2"]),  # not those of a trait whose name only begins alike
        ("Asthma|Obesity", ["Asthma|GSE1", "Asthma|GSE2", "Obesity|GSE3"]),
        ("Asthma|Age", ["Asthma|GSE1", "Asthma|GSE2"]),
        ("Gout|None", []),
    ],
)
def test_a_problem_reads_the_cohorts_of_its_trait_and_of_a_condition_that_is_a_trait(problem, cohorts):
    assert same_trait(problem, COHORTS) == cohorts


def test_the_same_partition_else_all_else_those_chosen(platform):
    assert partitions_read(None, "hard", None, platform) == [None]
    assert partitions_read(LISTS, "hard", None, platform) == ["hard"]
    assert partitions_read(LISTS, None, None, platform) == ["standard", "hard"]
    assert partitions_read(LISTS, "hard", every_partition, platform) == ["standard", "hard"]


def test_a_staged_directory_moves_into_the_store(tmp_path):
    from genoplatform.provenance.formats import FORMATS, write_artefact

    staged = tmp_path / "work" / "shards"
    staged.mkdir(parents=True)
    (staged / "shard_0000.txt").write_text("a")
    write_artefact(tmp_path / "store" / "chunks", staged, FORMATS["directory"])
    assert (tmp_path / "store" / "chunks" / "shard_0000.txt").read_text() == "a"
    assert not staged.exists()
