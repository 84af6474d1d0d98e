"""The published baselines K and M: what Exomiser and LIRICAL are asked, and what their answers mean.

`exomiser.run_exomiser` and `lirical.run_lirical` score candidate lists. The programs themselves are run by
`genoplatform.resources`, which imports `tool` from here: nothing is imported at this level, to keep that light.
"""
