"""Coding of age and gender cells, and how well a characteristics key names either. Which row is taken: `rows`."""

from __future__ import annotations

import re

from genoplatform.expression.curation.text import fold, is_missing

_GENDER_KEY = re.compile(r"\b(sex|gender|sexe|geschlecht)\b|^(?:is )?(?:female|male)$")
_GENDER_FLAG = re.compile(r"^\W*(?:is[\W_]+)?(female|male)\W*$", re.IGNORECASE)
_FLAGS = {"1": True, "yes": True, "y": True, "true": True, "0": False, "no": False, "n": False, "false": False}
_FEMALE = frozenset(
    {"female", "f", "woman", "w", "girl", "fem", "feminine", "women", "k", "kobieta", "frau", "femme", "weiblich"}
)
_MALE = frozenset({"male", "m", "man", "boy", "masculine", "men", "mezczyzna", "mann", "homme", "mannlich"})
_WORDS_ONLY = frozenset({"female", "woman", "girl", "male", "man", "boy", "women", "men"})
_LEGEND = re.compile(r"(?:(\d)\s*[=:]\s*(female|male|f|m)\b|\b(female|male|f|m)\s*[=:]\s*(\d))", re.IGNORECASE)

_YEAR_DAYS = 365.25
_UNITS = {"y": 1.0, "m": 1 / 12, "w": 7 / _YEAR_DAYS, "d": 1 / _YEAR_DAYS}
_UNIT = r"((?i:years?|yrs?|yo|y/o|y|months?|mos?|mths?|weeks?|wks?|w|days?|d)|m)"  # a capital M is the sex
_AMOUNT = re.compile(rf"(?<![A-Za-z\d.])(\d+(?:[.,]\d+)?)\s*-?\s*{_UNIT}?(?![a-z0-9])")
_RANGE = re.compile(rf"(?<![A-Za-z\d.])(\d+(?:\.\d+)?)\s*(?:-|–|to)\s*(\d+(?:\.\d+)?)\s*{_UNIT}?(?![a-z0-9])")
_DATE = re.compile(r"\b((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})\b|\b(\d{1,2})[-/.](\d{1,2})[-/.]((?:19|20)\d\d)\b")
_YEAR = re.compile(r"^\s*((?:19|20)\d\d)\s*$")
_BIRTH = re.compile(r"\b(birth|dob|born)\b")
_OLDEST = 120.0
_YOUNG_BOUND = 2.0
REFERENCE_YEAR = 2015

_NOT_AGE = re.compile(
    r"gestation|passage|stage|bandage|percentage|dosage|image|average|lineage|adjusted|bone age|ga\b|culture|tissue age"
    r"|package|macrophage|smok|menarche|menopause|father|mother|maternal|paternal|parent|matched|matching|storage|drainage"
)
_AGE_KEYS = (  # tried in this order; the rank is the goodness of the key
    r"^age$",
    r"^age (y|yr|yrs|year|years|yo|in year)\b"
    r"|^age at (collection|sampling|sample|draw|blood|visit|biopsy|enrol|exam|baseline|time)",
    r"^(donor|patient|subject|participant|sample|individual|host|person|current|chronological|recipient)s? age\b"
    r"|\bage of (donor|patient|subject)|demographic age",
    r"^age .*(surgery|resection|excision|operation|death|diagnosis|dx|study|admission|transplant|entry)"
    r"|\bage at\b(?!.*onset)",
    r"\bage\b(?!.*(group|onset|range|class|categor|cat\b|bin|level|status|binary))|^age[a-z]{0,5}$|_age$|age_",
    r"\b(date of birth|dob|birth date|year of birth|birth year|birthdate|yob)\b",
    r"\bage.*(range|bin|categor|class|interval)|\bage group\b|^agegroup$",
    r"\bage.*onset|onset age",
)


def gender_key(key: str) -> bool:
    """Whether the key says gender or sex."""
    return bool(_GENDER_KEY.search(re.sub(r"[_.:/()\[\]-]+", " ", key.lower()).strip()))


def gender_code(key: str, value: str) -> float | None:
    """0 for female, 1 for male, None where the value does not say.

    Bare digits are coded only by a legend in the key ("sex (female=1, male=0)") or under a flag ("female: 1"); letters
    only under a gender key.
    """
    if is_missing(value):
        return None
    flagged = _GENDER_FLAG.match(key)
    if flagged and (flag := _FLAGS.get(value.strip().lower().removesuffix(".0"))) is not None:
        return float(flag == (flagged.group(1).lower() == "male"))
    digit = re.fullmatch(r"\s*(\d)(?:\.0)?\s*", value)
    if digit:
        return _legend(key).get(digit.group(1))
    tokens = fold(value.replace("/", " ")).split()
    allowed = set(tokens) if gender_key(key) else set(tokens) & _WORDS_ONLY
    female, male = bool(allowed & _FEMALE), bool(allowed & _MALE)
    if female == male or "mix" in tokens or "mixed" in tokens or "pool" in tokens:
        return None
    return 0.0 if female else 1.0


def iso_gender_code(value: str) -> float | None:
    """Code by ISO/IEC 5218 and the usual pedigree format: 1 is male, 2 is female; for keys without a legend."""
    return {"1": 1.0, "2": 0.0}.get(value.strip().removesuffix(".0"))


def _legend(key: str) -> dict[str, float]:
    legend: dict[str, float] = {}
    for digit, word, word_first, digit_after in _LEGEND.findall(key):
        legend[digit or digit_after] = 0.0 if (word or word_first).lower().startswith("f") else 1.0
    return legend


def age_key_rank(key: str) -> int | None:
    """How well the key names the age of the person: 0 is best, None for keys that are no age ("gestational age")."""
    plain = re.sub(r"[\s_.:/()\[\]-]+", " ", key.lower()).strip()
    if _NOT_AGE.search(plain):
        return None
    return next((rank for rank, pattern in enumerate(_AGE_KEYS) if re.search(pattern, plain)), None)


def age_unit(key: str) -> str:
    """Unit letter that the key gives to bare numbers: y (default), m, w or d."""
    plain = re.sub(r"[\s_.:/()\[\]-]+", " ", key.lower())
    match = re.search(r"\b(months?|mos?|mths?|weeks?|wks?|days?)\b", plain)
    return match.group(1)[0] if match and not re.search(r"\b(years?|yrs?|y)\b", plain) else "y"


def age_code(key: str, value: str, reference_year: int | None = None) -> float | None:
    """Age in years, or None.

    Units follow the number ("57y 11m", "8 months") or stand in the key; a range gives its middle, an upper bound
    (">89", "90+") the bound, "< 1 year" half of it; a date or year of birth gives the age at mid `reference_year`.
    """
    if is_missing(value):
        return None
    if _BIRTH.search(key.lower().replace("_", " ")) or _DATE.search(value):
        return _age_from_birth(key, value, reference_year or REFERENCE_YEAR)
    text, unit = value.strip(), age_unit(key)
    span = _RANGE.search(text)
    if span:
        low, high = float(span.group(1)), float(span.group(2))
        return _plausible((low + high) / 2 * _factor(span.group(3), unit)) if high > low else None
    if text.startswith("-"):
        return None
    amounts = _AMOUNT.findall(text)
    if not amounts:
        return None
    return _bounded(text, _sum_of_units(amounts, unit))


def _factor(unit_word: str | None, default: str) -> float:
    letter = (unit_word or default)[0].lower()
    return _UNITS[letter]


def _sum_of_units(amounts: list[tuple[str, str]], unit: str) -> float:
    """First amount, and smaller units that follow it ("57y 11m"); a second number without unit is not age."""
    total, last = 0.0, float("inf")
    for amount, unit_word in amounts:
        factor = _factor(unit_word or None, unit)
        if last != float("inf") and (not unit_word or factor >= last):
            break
        total, last = total + float(amount.replace(",", ".")) * factor, factor
    return total


def _bounded(text: str, years: float) -> float | None:
    if re.match(r"^\s*(<|≤|under|below|less than|up to)", text, re.IGNORECASE):
        return years / 2 if years <= _YOUNG_BOUND else None
    return _plausible(years)


def _plausible(years: float) -> float | None:
    return years if 0 <= years <= _OLDEST else None


def _age_from_birth(key: str, value: str, reference_year: int) -> float | None:
    if not _BIRTH.search(key.lower().replace("_", " ")):
        return None
    year = _YEAR.match(value)
    if year:
        return _plausible(reference_year - float(year.group(1)))
    date = _DATE.search(value)
    if not date:
        return None
    born = float(date.group(1) or date.group(6))
    month = float(date.group(2) or date.group(5))
    month = month if month <= 12 else float(date.group(3) or date.group(4))  # day and month swapped
    return _plausible(round(reference_year + 0.5 - born - (month - 0.5) / 12, 2))
