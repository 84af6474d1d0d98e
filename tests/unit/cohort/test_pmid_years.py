"""Year anchors: derivation from dates, the shipped file, and its schema."""

import numpy as np
import pytest

from genoplatform.cohort.pmid_years import derive_anchors, parse_year_anchors, read_year_anchors
from genoplatform.errors import SettingsError

HEAD = "source: s\nlicence: l\nmethod: m\nordered_until: 9\nunordered: []\n"


def dates(per_year=365):
    """Publications numbered at a steady 1,000 a day from 2000-01-01, one a month, one of them out of order."""
    days = np.arange("2000-01-01", "2004-01-01", np.timedelta64(30, "D"), dtype="datetime64[D]")
    table = {str(1_000_000 + 1000 * int((d - days[0]).astype(int))): str(d) for d in days}
    return table | {"1900500": "2000-03-01"}  # a back file: an old article with a number of mid 2002


def test_anchors_are_the_numbers_given_out_on_new_year():
    found = derive_anchors(dates(), range(2001, 2004))
    for year, days in ((2001, 366), (2002, 731), (2003, 1096)):
        assert found[year] == pytest.approx(1_000_000 + 1000 * days, abs=40_000)


def test_years_after_the_last_date_carry_on_the_last_slope():
    found = derive_anchors(dates(), range(2004, 2006))
    assert found[2005] - found[2004] == pytest.approx(365_250, rel=0.02)


def test_shipped_anchors_date_well_known_articles():
    """PMID 31978945 (SARS-CoV-2 in NEJM) is of January 2020, PMID 11237011 (human genome, Nature) of February 2001."""
    years = read_year_anchors().years(np.array([31978945, 11237011, 13054692, 8000000]))
    assert years.tolist()[:2] == [2020, 2001]
    assert years.isna().tolist() == [False, False, True, True]  # Watson and Crick sit in the OLDMEDLINE block


@pytest.mark.parametrize(
    "anchors",
    ["first_pmid: {2001: 5, 2000: 3}", "first_pmid: {2000: 3, 2001: 3}", "first_pmid: {}", "first_pmid: {2000: x}"],
)
def test_anchors_that_do_not_grow_are_refused(anchors):
    with pytest.raises(SettingsError):
        parse_year_anchors(HEAD + anchors)
    with pytest.raises(SettingsError):
        parse_year_anchors(HEAD + "first_pmid: {2000: 3}\nextra: 1")
