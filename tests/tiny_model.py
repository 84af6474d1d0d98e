"""An embedding model of our own as ONNX, written by hand: every token has a fixed vector, looked up in a table."""

import numpy as np

DIMENSION = 8
_INT64, _FLOAT = 7, 1


def model_onnx(vocabulary: int = 128) -> bytes:
    """ModelProto with one node, Gather(table, input_ids): (texts, tokens) to (texts, tokens, DIMENSION)."""
    table = np.random.default_rng(7).normal(size=(vocabulary, DIMENSION)).astype("<f4")
    tensor = _int(1, vocabulary) + _int(1, DIMENSION) + _int(2, _FLOAT) + _text(8, "table") + _bytes(9, table.tobytes())
    node = _text(1, "table") + _text(1, "input_ids") + _text(2, "hidden") + _text(4, "Gather")
    given = _value("input_ids", _INT64, "texts", "tokens")
    found = _value("hidden", _FLOAT, "texts", "tokens", DIMENSION)
    graph = _bytes(1, node) + _text(2, "tiny") + _bytes(5, tensor) + _bytes(11, given) + _bytes(12, found)
    return _int(1, 8) + _bytes(7, graph) + _bytes(8, _text(1, "") + _int(2, 13))


def _value(name: str, kind: int, *shape: str | int) -> bytes:
    sides = (_int(1, side) if isinstance(side, int) else _text(2, side) for side in shape)
    tensor = _int(1, kind) + _bytes(2, b"".join(_bytes(1, side) for side in sides))
    return _text(1, name) + _bytes(2, _bytes(1, tensor))


def _varint(value: int) -> bytes:
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def _int(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _text(field: int, content: str) -> bytes:
    return _bytes(field, content.encode())
