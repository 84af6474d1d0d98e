"""SQL conditions of the `expression` test, read word by word when a declaration loads.

Only operators, literals, declared columns and the functions listed here get through: nothing that reads a file, starts
a query of its own or ends the statement. Whether the columns exist is the declaration's business.
"""

from __future__ import annotations

import re

FUNCTIONS = frozenset(
    {
        "abs", "ceil", "coalesce", "contains", "ends_with", "exp", "floor", "greatest", "isfinite", "isinf", "isnan",
        "least", "len", "length", "list_contains", "list_distinct", "list_position", "ln", "log10", "lower", "nullif",
        "pow", "regexp_full_match", "round", "sign", "sqrt", "starts_with", "trim", "upper",
    }
)  # fmt: skip
_WORDS = frozenset(
    {"and", "or", "not", "is", "null", "true", "false", "in", "between", "like", "case", "when", "then", "else", "end"}
)
_BEFORE_PARENTHESES = frozenset({"in", "and", "or", "not", "case", "when", "then", "else", "between", "like"})
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<text>'(?:[^']|'')*')
  | (?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)(?P<call>\s*\()?
  | (?P<sign><=|>=|<>|!=|\|\||[=<>+\-*/%(),])
    )""",
    re.VERBOSE,
)


def safe_expression(sql: str) -> str:
    """The condition, if it is made of what is allowed; ValueError, naming the word, if not."""
    depth = 0
    for kind, word in _tokens(sql):
        if kind == "call" and word.lower() not in FUNCTIONS | _BEFORE_PARENTHESES:
            raise ValueError(f"no function {word!r}; one of {', '.join(sorted(FUNCTIONS))}")
        depth += (kind == "call") + (word == "(") - (word == ")")
        if depth < 0:
            break
    if depth:
        raise ValueError("its parentheses do not match")
    return sql


def columns_of(sql: str) -> list[str]:
    """The columns a condition names, each once, in order."""
    return list(dict.fromkeys(word for kind, word in _tokens(sql) if kind == "name" and word.lower() not in _WORDS))


def _tokens(sql: str) -> list[tuple[str, str]]:
    found, place = [], 0
    text = sql.rstrip()
    if not text:
        raise ValueError("an empty condition")
    if "--" in text or "/*" in text:
        raise ValueError("no comments in a condition")
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise ValueError(f"cannot read {text[place : place + 20]!r}")
        place = match.end()
        if match["name"]:
            found.append(("call" if match["call"] else "name", match["name"]))
        else:
            kind = str(match.lastgroup)
            found.append((kind, match[kind]))
    return found
