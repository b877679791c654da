"""Client of the Patient Invoice Payment Service: sessions, events, and verified webhooks. Its types are in `.models`."""

from .client import AsyncPaymentClient, PaymentClient
from .problems import PaymentConnectionError, PaymentProblem
from .webhook import SignedWebhook, WebhookVerificationError, event_of, sign_webhook, verify_webhook

__all__ = [
    "AsyncPaymentClient",
    "PaymentClient",
    "PaymentConnectionError",
    "PaymentProblem",
    "SignedWebhook",
    "WebhookVerificationError",
    "event_of",
    "sign_webhook",
    "verify_webhook",
]
