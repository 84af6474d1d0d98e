"""Sensors, schedules, automation and alerts: what starts work, or says what happened. No science is decided here."""
