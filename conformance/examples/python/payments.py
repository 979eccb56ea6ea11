"""Payments and wallets, in memory, and the bank that this example plays itself."""

import json
import secrets
import threading
from dataclasses import dataclass, field
from datetime import datetime, timezone

from problems import Problem, invalid, violation

SESSION_SECONDS = 15 * 60
BANK_SECONDS = 0.02  # Time that the bank takes for each step.


def now():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass
class Payment:
    merchant: str
    request: dict
    id: str = field(default_factory=lambda: f"pay_{secrets.token_hex(12)}")
    status: str = "CREATED"
    created_at: str = field(default_factory=now)
    amount_paid: int = 0
    finalized_at: str = ""
    decline_reason: str = ""
    supplied: dict = field(default_factory=dict)
    creation: dict = field(default_factory=dict)  # The first response, for repeated requests.

    def __post_init__(self):
        self.amount = int(self.request["amount"])
        self.supplied = dict(self.request["customer"])

    def missing(self):
        return [name for name in ("name", "phone") if name not in self.supplied]

    def view(self, *methods):
        """The payment as the status endpoint and webhooks show it; `methods` are the names of the method's field."""
        more = {
            "EXTRA_DATA_NEEDED": {"clarify": self.missing()},
            "PAY_CONFIRMATION_NEEDED": {
                "pay_data": {"receiver_account": "shop@upi", "available_amounts": [self.amount]},
                "confirm": ["amount", "tid"],
            },
            "SUCCESS": {"amount_paid": self.amount_paid, "finalized_at": self.finalized_at},
            "FAILED": {"finalized_at": self.finalized_at, "decline_reason": self.decline_reason},
        }.get(self.status, {})
        if not methods:
            waits = self.status in ("EXTRA_DATA_NEEDED", "PAY_CONFIRMATION_NEEDED")
            methods = ("payment_method_type", "payment_method") if waits else ("payment_method",)
        return {
            "transaction_id": self.id,
            "merchant_order_id": self.request["merchant_order_id"],
            "status": self.status,
            "amount": self.amount,
            "currency": self.request["currency"],
            **{name: self.request["payment_method_type"] for name in methods},
            "created_at": self.created_at,
            **more,
        }


class Payments:
    """All payments and wallets. One lock guards them, so that each change is seen as a whole."""

    def __init__(self, schedule, webhooks):
        self._schedule, self._webhooks, self._lock = schedule, webhooks, threading.RLock()
        self._by_id, self._by_order, self._wallets = {}, {}, {}
        self._started_at = now()

    def create(self, merchant, body):
        with self._lock:
            order = (merchant, body["merchant_order_id"])
            known = self._by_order.get(order)
            if known and known.request == body:
                return known.creation
            if known:
                detail = "Send the first request unchanged."
                raise Problem(409, "order-id-reused", "The merchant_order_id is already in use", detail)
            payment = Payment(merchant, body)
            self._by_id[payment.id] = self._by_order[order] = payment
            payment.creation = payment.view("payment_method_type")
            self._schedule.after(BANK_SECONDS, self._begin, payment)
            self._schedule.after(SESSION_SECONDS, self._expire, payment)
            return payment.creation

    def get(self, merchant, transaction_id):
        payment = self._by_id.get(transaction_id)
        if not payment or payment.merchant != merchant:
            raise Problem(404, "not-found", "Not found", "No payment has this ID.")
        return payment

    def find(self, merchant, order_id):
        payment = self._by_order.get((merchant, order_id))
        return self.get(merchant, payment.id if payment else "")

    def view(self, payment):
        with self._lock:
            return payment.view()

    def clarify(self, merchant, transaction_id, body):
        with self._lock:
            payment = self._waiting(merchant, transaction_id, "EXTRA_DATA_NEEDED")
            self._require(payment.missing(), body, "clarify_data")
            payment.supplied.update(body["clarify_data"])
            self._move(payment, "PAY_CONFIRMATION_NEEDED")
            return payment.view()

    def confirm(self, merchant, transaction_id, body):
        with self._lock:
            payment = self._waiting(merchant, transaction_id, "PAY_CONFIRMATION_NEEDED")
            self._require(["amount", "tid"], body, "confirm_data")
            if body["confirm_data"]["amount"] != str(payment.amount):
                raise invalid(violation("/confirm_data/amount", f"must be one of {payment.amount}"))
            payment.status = "VERIFYING"
            self._schedule.after(BANK_SECONDS, self._settle, payment)
            return {
                "transaction_id": payment.id,
                "merchant_order_id": payment.request["merchant_order_id"],
                "status": payment.status,
                "message": "The transfer reference was validated. Awaiting final settlement confirmation.",
            }

    def balance(self, merchant, merchant_number):
        with self._lock:
            available, changed_at = self._wallets.get(merchant, (0, self._started_at))
        wallet = {"available": available, "pending": 0, "currency": "INR"}
        return {"merchant_id": merchant_number, "balances": [wallet], "last_updated_at": changed_at}

    def _waiting(self, merchant, transaction_id, status):
        payment = self.get(merchant, transaction_id)
        if payment.status != status:
            detail = f"The payment is {payment.status}. Read its status before you act on it."
            raise Problem(409, "wrong-state", "The payment is in the wrong state", detail)
        return payment

    def _require(self, names, body, member):
        missing = [violation(f"/{member}/{name}", "is missing") for name in names if name not in body[member]]
        if missing:
            raise invalid(*missing)

    def _move(self, payment, status, **changes):
        """Changes the status, and notifies the merchant with what the status endpoint shows from now on."""
        payment.status = status
        for name, value in changes.items():
            setattr(payment, name, value)
        event = json.dumps(payment.view()).encode()
        self._webhooks.send(payment.merchant, payment.request["callback_url"], event)

    def _fail(self, payment, reason):
        self._move(payment, "FAILED", decline_reason=reason, finalized_at=now())

    # The bank. `decline-REASON` and `late-decline-REASON` fail at once and after the transfer; `stop-STATUS` stays there.

    def _outcome(self, payment):
        method, currency = payment.request["payment_method_type"], payment.request["currency"]
        if method != "UPI_IN":
            return "decline-METHOD_NOT_SUPPORTED"
        if currency != "INR":
            return "decline-CURRENCY_NOT_SUPPORTED"
        return payment.request["customer"]["id"]

    def _begin(self, payment):
        with self._lock:
            outcome = self._outcome(payment)
            if outcome == "stop-CREATED":
                return
            if outcome.startswith("decline-"):
                self._fail(payment, outcome.removeprefix("decline-"))
            else:
                self._move(payment, "EXTRA_DATA_NEEDED" if payment.missing() else "PAY_CONFIRMATION_NEEDED")

    def _settle(self, payment):
        with self._lock:
            outcome = self._outcome(payment)
            if outcome == "stop-VERIFYING" or payment.status != "VERIFYING":
                return
            if outcome.startswith("late-decline-"):
                self._fail(payment, outcome.removeprefix("late-decline-"))
                return
            self._move(payment, "SUCCESS", amount_paid=payment.amount, finalized_at=now())
            available, _ = self._wallets.get(payment.merchant, (0, ""))
            self._wallets[payment.merchant] = (available + payment.amount_paid, payment.finalized_at)

    def _expire(self, payment):
        with self._lock:
            if payment.status in ("CREATED", "EXTRA_DATA_NEEDED", "PAY_CONFIRMATION_NEEDED"):
                self._fail(payment, "TIMEOUT_EXPIRED")
