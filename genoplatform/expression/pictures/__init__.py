"""Pictures of cohorts and answers: what is painted, as functions on an empty figure, and the page that shows them.

Belongs here: what each picture shows, and its sentence for those who cannot see it. Does not belong here: turning a
figure into bytes (report.canvas), which knows style and determinism; nothing here imports matplotlib until it paints.
"""
