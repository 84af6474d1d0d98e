"""Numbers as tools print them: `1,000`, `-∞`, `65.60%`, `1/8406`. Text first, explicit conversion after.

Anything else is an error and not a guess: under another locale `65,60%` would read as sixty-five hundred.
"""

from __future__ import annotations

import math
import re

_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)"
_NUMBER = re.compile(rf"[-+−]?{_DIGITS}(?:\.\d+)?(?:[eE][-+]?\d+)?", re.ASCII)
_WHOLE = re.compile(_DIGITS, re.ASCII)
_SPECIAL = {"∞": math.inf, "+∞": math.inf, "-∞": -math.inf, "−∞": -math.inf, "NaN": math.nan, "\ufffd": math.nan}


def parse_number(text: str) -> float:
    """A decimal number with grouped thousands, an infinity, or NaN. Raises ValueError for anything else."""
    if text in _SPECIAL:
        return _SPECIAL[text]
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{text!r} is not a number of the English locale")
    return float(text.replace(",", "").replace("−", "-"))


def parse_whole(text: str) -> int:
    """A whole number with grouped thousands. Raises ValueError for anything else."""
    if not _WHOLE.fullmatch(text):
        raise ValueError(f"{text!r} is not a whole number of the English locale")
    return int(text.replace(",", ""))


def parse_probability(text: str) -> float:
    """A probability in [0, 1], written as a percentage, a fraction or a number. Raises ValueError otherwise."""
    if text.endswith("%"):
        value = parse_number(text[:-1]) / 100
    elif "/" in text:
        above, below = (parse_whole(part) for part in text.split("/", 1))
        value = above / below if below else math.nan
    else:
        value = parse_number(text)
    if not 0 <= value <= 1:
        raise ValueError(f"{text!r} is not a probability")
    return value


def score_or_zero(value: object) -> tuple[float, bool]:
    """A score and whether it was readable; the published comparison counts a bad or missing one as 0."""
    if isinstance(value, bool):
        return 0.0, False
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return 0.0, False
    return (number, True) if math.isfinite(number) else (0.0, False)
