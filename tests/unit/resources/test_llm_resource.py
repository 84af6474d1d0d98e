"""The resource in a run: one session a run, gone at its end; and the facts that doctor shows."""

import dagster as dg
import pytest
import yaml
from llm_stand_ins import completion, serving

from genoplatform.agents.llm import ChatRequest
from genoplatform.errors import GenoplatformError, SettingsError
from genoplatform.resources.gpu import GpuResource
from genoplatform.resources.llm import LLM_POOL, vllm
from genoplatform.resources.llm.call_log import read_log
from genoplatform.resources.llm.facts import facts
from genoplatform.resources.llm.resource import LlmResource
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.reranker.cross_encoder import CrossEncoder
from genoplatform.resources.reranker.lexical import LexicalDenseReranker
from genoplatform.resources.reranker.resource import RerankerResource
from genoplatform.settings.profiles import PROFILES_FILE

REQUIRED = ("title", "slots", "cohort", "ranking", "inference")
EXTERNAL = {
    "server": "external",
    "model": "m",
    "evidence": "plumbing",
    "context_tokens": 100,
    "url_variable": "GENOPLATFORM_LLM_URL",
}


@pytest.fixture
def platform(tmp_path):
    """Makes platforms whose embedded profile has the required sections, and these (by default its own models)."""

    def make(**sections):
        embedded = yaml.safe_load(PROFILES_FILE.read_text())["embedded"]
        chosen = {name: embedded[name] for name in (*REQUIRED, "llm", "reranker")} | sections
        profiles = {"embedded": chosen}
        (tmp_path / "profiles.yml").write_text(yaml.safe_dump(profiles))
        home = str(tmp_path / "home")
        return PlatformResource(home=home, profile="embedded", profiles_file=str(tmp_path / "profiles.yml"))

    return make


def resource(platform, **changed):
    return LlmResource(platform=platform, gpu=GpuResource(), **changed)


def test_a_run_has_one_session_that_is_closed_at_its_end(platform, monkeypatch):
    seen = []

    @dg.asset(pool=LLM_POOL)
    def first(llm: LlmResource):
        (answer,) = llm.model().complete([ChatRequest("", "a", 5)])
        seen.append((llm.model(), answer.text))

    @dg.asset(deps=[first])
    def second(llm: LlmResource):
        (answer,) = llm.model().complete([ChatRequest("", "a", 5)])
        seen.append((llm.model(), answer.text))

    with serving() as web:
        web.answer = lambda body: completion("A")
        monkeypatch.setenv("GENOPLATFORM_LLM_URL", web.url)
        shared = platform(llm=EXTERNAL)
        assert dg.materialize([first, second], resources={"llm": resource(shared)}).success
    assert [text for _, text in seen] == ["A", "A"]
    assert len(web.bodies) == 1
    assert seen[0][0] is seen[1][0]
    log = read_log(shared.home_path)
    assert list(log["cached"]) == [False, True]
    assert len(list((shared.home_path / "llm_log").glob("*.parquet"))) == 1, "closed"


def test_alternatives_have_sessions_of_their_own(platform, monkeypatch):
    monkeypatch.setenv("GENOPLATFORM_LLM_URL", "https://models.example.org/v1")
    other = {**EXTERNAL, "model": "judge"}
    llm = resource(platform(llm={**EXTERNAL, "alternatives": {"judge": other}}), replay_only=True)
    assert llm.model().identity["model"] == "m"
    assert llm.model("judge").identity["model"] == "judge"
    with pytest.raises(SettingsError, match=r"no alternative 'critic'.*\n.*declared: judge"):
        llm.model("critic")


def test_an_external_server_without_an_address_is_a_named_error(platform, monkeypatch):
    monkeypatch.delenv("GENOPLATFORM_LLM_URL", raising=False)
    with resource(platform(llm=EXTERNAL)).opened() as llm:
        (answer,) = llm.complete([ChatRequest("", "a", 5)])
        assert answer.error == "server_start"
        with pytest.raises(GenoplatformError, match="GENOPLATFORM_LLM_URL is not set"):
            llm.require_ready()


def test_the_embedded_model_is_named_by_its_pin_and_labelled(platform):
    with resource(platform()).opened() as llm:
        assert llm.identity["model"] == "smollm2-135m-instruct-q4_1@0.1.2"
        assert llm.identity["evidence"] == "plumbing"
        assert llm.identity["revision"].startswith("sha256:b179c952")


def test_a_profile_without_a_model_or_a_reranker_says_so(platform):
    bare = platform(llm=None, reranker=None)
    with pytest.raises(SettingsError, match="no section llm"):
        resource(bare).model()
    with pytest.raises(SettingsError, match="no section reranker"):
        RerankerResource(platform=bare).reranker()
    assert facts(bare) == []


def test_the_profile_chooses_the_reranker(platform, monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    assert isinstance(RerankerResource(platform=platform()).reranker(), LexicalDenseReranker)
    declared = {"kind": "cross_encoder", "model": "ncbi/MedCPT-Cross-Encoder", "revision": "abc"}
    chosen = RerankerResource(platform=platform(reranker=declared)).reranker()
    assert isinstance(chosen, CrossEncoder)
    assert chosen.identity == {"kind": "cross_encoder", "model": "ncbi/MedCPT-Cross-Encoder", "revision": "abc"}


def test_facts_of_the_embedded_profile(platform):
    found = {fact.what: fact for fact in facts(platform())}
    assert set(found) == {"LLM client", "xllamacpp", "LLM weights", "cached answers", "reranker"}
    assert not found["LLM weights"].ok
    assert found["LLM weights"].fix.startswith("genoplatform sources fetch smollm2-135m-instruct-q4_1@0.1.2 --home ")
    assert found["cached answers"].found.startswith("0 calls")


def test_facts_of_a_workstation_name_what_is_missing_and_its_cure(platform, monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    for name in (vllm.PYTHON_VARIABLE, vllm.IMAGE_VARIABLE, vllm.MODEL_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    workstation = yaml.safe_load(PROFILES_FILE.read_text())["workstation"]
    shared = platform(llm=workstation["llm"], reranker=workstation["reranker"])
    found = {fact.what: fact for fact in facts(shared)}
    assert not found["vLLM"].ok
    assert "pip install vllm==0.20.1" in found["vLLM"].fix
    assert "GENOPLATFORM_VLLM_PYTHON" in found["vLLM"].fix
    assert found["LLM weights"].fix == ("hf download Qwen/Qwen3-8B --revision b968826d9c46dd6066d109eabc6255188de91218")
    assert found["reranker weights"].fix.startswith("hf download ncbi/MedCPT-Cross-Encoder --revision 71caf65d")
    snapshot = tmp_path / "hub" / "models--Qwen--Qwen3-8B" / "snapshots" / "b968826d9c46dd6066d109eabc6255188de91218"
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text("{}")
    assert {fact.what: fact.ok for fact in facts(shared)}["LLM weights"]
