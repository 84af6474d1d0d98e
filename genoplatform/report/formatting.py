"""Numbers and short phrases as people read them.

Belongs here: one value to one text. Does not belong here: sentences (wording) or the page's layout.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

MINUS = "\N{MINUS SIGN}"
SPACE = "\N{NO-BREAK SPACE}"
NOTHING = "\N{EN DASH}"
_SMALL_P = 0.001


def number(value: object) -> float | None:
    """A plain float, or None where there is no value (None, NaN, NA)."""
    return None if value is None or pd.isna(value) else float(value)  # type: ignore[call-overload, arg-type]


def count(n: int) -> str:
    """1344 as "1,344"."""
    return f"{n:,}"


def counted(n: int, noun: str, plural: str = "") -> str:
    """ "1 case", "94 cases"."""
    return f"{count(n)}{SPACE}{noun if n == 1 else plural or noun + 's'}"


def percent(share: float | None, digits: int = 1) -> str:
    """0.8096 as "81.0 %"."""
    return NOTHING if share is None else f"{_signed(100 * share, digits)}{SPACE}%"


def percent_interval(lo: float | None, hi: float | None) -> str:
    """Ends in percent, "[78.8, 83.1]"; empty where there is no interval."""
    return _interval(lo, hi, 100, 1)


def points(difference: float | None) -> str:
    """A difference of two rates in percentage points, "−13.4 points"."""
    return NOTHING if difference is None else f"{bare_points(difference)}{SPACE}points"


def bare_points(difference: float) -> str:
    """The same where the unit stands elsewhere, "−13.4"."""
    return _signed(100 * difference, 1)


def score(value: float | None) -> str:
    """Three decimals."""
    return NOTHING if value is None else _signed(value, 3)


def score_interval(lo: float | None, hi: float | None) -> str:
    """Ends with three decimals; empty where there is no interval."""
    return _interval(lo, hi, 1, 3)


def ratio(value: float) -> str:
    """A positive ratio: two decimals, more where it is small, none where it is large."""
    if value >= 100:
        return f"{value:,.0f}" if value < 1e6 else f"{value:.0e}"
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def p_value(p: float | None) -> str:
    """ "0.023", "< 0.001"; a dash where there was nothing to test."""
    if p is None:
        return NOTHING
    return f"<{SPACE}{_SMALL_P}" if p < _SMALL_P else f"{p:.3f}"


def p_text(p: float | None) -> str:
    """ "p = 0.023", "p < 0.001"."""
    return f"p{SPACE}{p_value(p)}" if p is not None and p < _SMALL_P else f"p{SPACE}={SPACE}{p_value(p)}"


def listing(words: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def shortened(text: str, length: int) -> str:
    """At most `length` characters, the last an ellipsis where something was cut."""
    return text if len(text) <= length else text[: length - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _interval(lo: float | None, hi: float | None, scale: int, digits: int) -> str:
    if lo is None or hi is None:
        return ""
    return f"[{_signed(scale * lo, digits)},{SPACE}{_signed(scale * hi, digits)}]"


def _signed(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    text = text.lstrip("-") if float(text) == 0 else text
    return text.replace("-", MINUS)
