"""The cross-encoder on a tiny random BERT: batches, order and truncation. Needs the `torch` extra, and says so."""

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (pip install 'genoplatform[torch]')")
transformers = pytest.importorskip("transformers", reason="transformers is not installed")

from genoplatform.resources.reranker.cross_encoder import CrossEncoder, RerankerError  # noqa: E402
from genoplatform.settings.llm import RerankerSettings  # noqa: E402

WORDS = ["fbn1", "ttn", "marfan", "syndrome", "gene", "the", "of", "mouse", "causes", "long"]
TEXTS = ["the gene", "fbn1 causes marfan syndrome " * 3, "", "ttn long " * 40, "mouse of the mouse", "fbn1"]


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    folder = tmp_path_factory.mktemp("weights")
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]))
    tokenizer = transformers.BertTokenizerFast(
        vocab={w: i for i, w in enumerate((folder / "vocab.txt").read_text().split())}
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(7)
    config = transformers.BertConfig(
        vocab_size=15, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, num_labels=1
    )
    transformers.BertForSequenceClassification(config).eval().save_pretrained(folder)
    return folder


def encoder(weights, **changed):
    fields = {"kind": "cross_encoder", "model": "tiny", "revision": "r", "max_length": 64, **changed}
    return CrossEncoder(RerankerSettings(**fields), weights, "cpu")


def one_by_one(weights, query, texts, max_length):
    tokenizer = transformers.AutoTokenizer.from_pretrained(weights)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(weights).eval()
    with torch.inference_mode():
        encoded = [
            tokenizer([query], [text], truncation=True, max_length=max_length, return_tensors="pt") for text in texts
        ]
        return [model(**each).logits.item() for each in encoded]


@pytest.mark.parametrize("batch_size", [1, 2, 64])
def test_scores_are_the_models_logits_in_the_order_of_the_texts(weights, batch_size):
    expected = one_by_one(weights, "marfan syndrome", TEXTS, 64)
    assert encoder(weights, batch_size=batch_size).score("marfan syndrome", TEXTS) == pytest.approx(expected, abs=1e-5)
    assert len(set(expected)) == len(TEXTS)


def test_a_long_text_is_cut_and_the_query_is_not(weights):
    long = "ttn long " * 500
    cut = encoder(weights, max_length=16).score("marfan", [long])
    assert cut == pytest.approx(one_by_one(weights, "marfan", [long], 16), abs=1e-5)
    assert cut != pytest.approx(encoder(weights, max_length=64).score("marfan", [long]), abs=1e-5)


def test_the_same_texts_give_the_same_bits(weights):
    reranker = encoder(weights)
    assert reranker.score("fbn1", TEXTS) == reranker.score("fbn1", TEXTS) == encoder(weights).score("fbn1", TEXTS)
    assert reranker.score("fbn1", []) == []


def test_weights_that_are_not_there_are_a_clear_error(tmp_path):
    with pytest.raises(RerankerError, match="hf download tiny --revision r"):
        encoder(tmp_path / "none").score("q", ["t"])
