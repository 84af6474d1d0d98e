"""Ways of telling people: the log always, a webhook and e-mail where configured. One that fails stops no other."""

import json
import logging
import os
import smtplib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from email.message import EmailMessage
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import dagster as dg

from genoplatform.errors import GenoplatformError

LOGGER = logging.getLogger("genoplatform.alerts")
_TIMEOUT_S = 10.0


class AlertError(GenoplatformError):
    """No configured way delivered the notice."""


@dataclass(frozen=True)
class Notice:
    """What is told."""

    subject: str
    text: str
    run_id: str = ""
    assets: tuple[str, ...] = ()

    def body(self) -> str:
        """The notice as plain text."""
        lines = [self.text, f"run: {self.run_id}" if self.run_id else "", f"assets: {', '.join(self.assets)}"]
        return "\n".join(line for line in lines if line and line != "assets: ")


class Alerts(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Where notices go. Empty fields are taken from the environment when a notice is sent.

    Attributes:
        webhook: address that takes a JSON object by POST (`GENOPLATFORM_ALERT_WEBHOOK`).
        mail_to: receiver (`GENOPLATFORM_ALERT_MAIL_TO`); with it a mail server is needed.
        mail_server: `host[:port]` (`GENOPLATFORM_ALERT_MAIL_SERVER`); a log-in by `GENOPLATFORM_ALERT_MAIL_USER`
            and `GENOPLATFORM_ALERT_MAIL_PASSWORD`, over STARTTLS.
    """

    webhook: str = ""
    mail_to: str = ""
    mail_server: str = ""

    def send(self, notice: Notice) -> list[str]:
        """Tell it in every configured way; returns the ways that worked.

        Raises:
            AlertError: ways are configured and none of them worked.
        """
        LOGGER.error("%s\n%s", notice.subject, notice.body())
        failed: dict[str, str] = {}
        delivered = ["log"]
        for name, way in self._ways().items():
            try:
                way(notice)
                delivered.append(name)
            except (OSError, ValueError, smtplib.SMTPException) as error:
                failed[name] = str(error)
                LOGGER.error("telling by %s failed: %s", name, error)
        if failed and delivered == ["log"]:
            found = "; ".join(f"{name}: {reason}" for name, reason in failed.items())
            raise AlertError(f"telling of {notice.subject!r}", found, "check GENOPLATFORM_ALERT_*")
        return delivered

    def _ways(self) -> dict[str, Callable[[Notice], None]]:
        ways: dict[str, Callable[[Notice], None]] = {}
        if self.webhook or os.environ.get("GENOPLATFORM_ALERT_WEBHOOK"):
            ways["webhook"] = self._post
        if self.mail_to or os.environ.get("GENOPLATFORM_ALERT_MAIL_TO"):
            ways["mail"] = self._mail
        return ways

    def _post(self, notice: Notice) -> None:
        address = self.webhook or os.environ["GENOPLATFORM_ALERT_WEBHOOK"]
        if urlsplit(address).scheme not in {"https", "http"}:
            raise ValueError("a webhook is an http address")
        content = json.dumps(asdict(notice)).encode()
        request = Request(address, data=content, headers={"Content-Type": "application/json"})  # noqa: S310
        with urlopen(request, timeout=_TIMEOUT_S):  # noqa: S310
            pass

    def _mail(self, notice: Notice) -> None:
        host, _, port = (self.mail_server or os.environ.get("GENOPLATFORM_ALERT_MAIL_SERVER", "")).partition(":")
        if not host:
            raise ValueError("no mail server is configured")
        receiver = self.mail_to or os.environ["GENOPLATFORM_ALERT_MAIL_TO"]
        message = EmailMessage()
        message["Subject"], message["To"], message["From"] = notice.subject, receiver, f"genoplatform <{receiver}>"
        message.set_content(notice.body())
        user = os.environ.get("GENOPLATFORM_ALERT_MAIL_USER")
        with smtplib.SMTP(host, int(port or 25), timeout=_TIMEOUT_S) as server:
            if user:
                server.starttls()
                server.login(user, os.environ.get("GENOPLATFORM_ALERT_MAIL_PASSWORD", ""))
            server.send_message(message)
