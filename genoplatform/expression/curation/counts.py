"""Group sizes named in the background text against those that the codes give: a check that people can read."""

from __future__ import annotations

import re

from genoplatform.expression.curation.text import fold, words

_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_UNDER_TWENTY = """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen"""
_UNITS = {word: number for number, word in enumerate(_UNDER_TWENTY.split(), 1)}
_REACH = 5  # words between a number and the group it counts
_NO_COUNT = re.compile(r"^(?:19|20)\d\d$")
_ENOUGH = 2


def named_controls(background: str) -> list[int]:
    """Numbers that stand shortly before a control word ("and 25 healthy controls"), in order."""
    found = []
    tokens = fold(background.replace("-", " ")).split()
    for index, token in enumerate(tokens):
        count = _count(token, tokens[index + 1 : index + 2])
        after = " ".join(tokens[index + 1 : index + 1 + _REACH])
        if count is not None and count >= _ENOUGH and _meets_control(after):
            found.append(count)
    return found


def compared(background: str, controls: int, cases: int) -> str:
    """One sentence on whether the number of samples coded 0 is among the numbers of controls that the text names."""
    named = named_controls(background)
    if not named:
        return f"{cases} coded 1, {controls} coded 0; the text names no number of controls"
    listed = ", ".join(str(n) for n in dict.fromkeys(named))
    verdict = "which the text names too" if controls in named else f"but the text speaks of {listed}"
    return f"{cases} coded 1, {controls} coded 0, {verdict}"


def _count(token: str, following: list[str]) -> int | None:
    if token.isdigit():
        return None if _NO_COUNT.match(token) or len(token) > 4 else int(token)
    if token in _TENS:
        return _TENS[token] + (_UNITS.get(following[0], 0) if following else 0)
    return _UNITS.get(token)


def _meets_control(after: str) -> bool:
    """Whether a control word comes before another number or a word for cases."""
    for word in after.split():
        if word.isdigit() or word in _UNITS or word in {"patient", "case", "subject", "tumor"}:
            return False
        if word in {"control", "healthy", "normal", "unaffected"} or word in words("control_alone"):
            return True
    return False
