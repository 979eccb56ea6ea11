"""What request bodies must look like. A rule takes a value and its JSON pointer, and yields violations."""

import json
import re
from decimal import Decimal

from problems import invalid, violation

AMOUNT_MAX = 9_007_199_254_740_991


def string(pattern=r"[^\0]*", form="a string without U+0000", longest=255):
    def rule(value, pointer):
        if not isinstance(value, str):
            yield violation(pointer, "must be a string")
        elif not 1 <= len(value) <= longest:
            yield violation(pointer, f"must have 1 to {longest} characters")
        elif not re.fullmatch(pattern, value, re.DOTALL):
            yield violation(pointer, f"must be {form}")

    return rule


def one_of(*values):
    def rule(value, pointer):
        if value not in values:
            yield violation(pointer, f"must be one of {', '.join(values)}")

    return rule


def amount(value, pointer):
    # Numbers are read as Decimal, since a float would round 100.00000000000000001 to 100.
    if not isinstance(value, Decimal):
        yield violation(pointer, "must be an integer")
    elif not 1 <= value <= AMOUNT_MAX or value != value.to_integral_value():
        yield violation(pointer, f"must be an integer from 1 to {AMOUNT_MAX}, in minor units")


def record(fields, required=(), others=None, most=None):
    """An object. `others` is the rule for fields that aren't listed; without it they are violations."""

    def rule(value, pointer):
        if not isinstance(value, dict):
            yield violation(pointer, "must be an object")
            return
        if most is not None and not 1 <= len(value) <= most:
            yield violation(pointer, f"must have 1 to {most} items")
        for name in required:
            if name not in value:
                yield violation(f"{pointer}/{name}", "is missing")
        for name, item in value.items():
            at = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            inner = fields.get(name, others)
            if inner is None:
                yield violation(at, "is not a known field")
            else:
                yield from inner(item, at)

    return rule


TEXT = string()
URL = string(r"https?://[^\s/?#]+\S*", "an http or https URL", longest=2_048)
EMAIL = string(r"[^@\s\0]+@[^@\s\0]+\.[^@\s\0]+", "an e-mail address")
PHONE = string(r"\+[1-9]([ ().-]*[0-9]){6,14}", "a phone number such as +91 98123 45671", longest=32)
PERSON = {"name": TEXT, "email": EMAIL, "phone": PHONE}
CUSTOMER = record({"id": TEXT, "kyc_level": TEXT, **PERSON}, required=["id"])
ITEMS = record({"account_number": TEXT, **PERSON}, others=TEXT, most=50)
CREATION = {
    "amount": amount,
    "currency": one_of("INR", "EGP", "MAD", "DZD"),
    "merchant_order_id": TEXT,
    "customer": CUSTOMER,
    "payment_method_type": TEXT,
    "callback_url": URL,
}
BODIES = {
    "create": record({**CREATION, "return_url": URL}, required=CREATION),
    "clarify": record({"clarify_data": ITEMS}, required=["clarify_data"]),
    "confirm": record({"confirm_data": record({}, others=TEXT, most=50)}, required=["confirm_data"]),
}


def parse(raw):
    """JSON with exact numbers. Refuses what is not UTF-8, NaN, and halves of surrogate pairs."""

    def refuse(constant):
        raise ValueError(constant)

    try:
        body = json.loads(raw.decode("utf-8"), parse_float=Decimal, parse_int=Decimal, parse_constant=refuse)
        json.dumps(body, default=str, ensure_ascii=False).encode("utf-8")
        return body
    except (ValueError, ArithmeticError, RecursionError):
        raise invalid(violation("", "is not valid JSON")) from None
