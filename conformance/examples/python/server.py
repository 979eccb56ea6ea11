#!/usr/bin/env python3
"""A payment service by host to host (H2H), written with nothing but Python's standard library.

It keeps everything in memory and plays the bank itself: the customer's ID selects the outcome, see payments.py.
Usage: python3 server.py [PORT]. API_KEY, SECOND_API_KEY, WEBHOOK_SECRET and SECOND_WEBHOOK_SECRET in the environment
replace the defaults.
"""

import json
import os
import re
import secrets
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote

from payments import Payments
from problems import Problem, invalid, violation
from rules import BODIES, parse
from webhooks import Schedule, Webhooks

BODY_BYTES_MAX = 100_000
ID_LENGTH_MAX = 255

ROUTES = [
    ("POST", re.compile(r"/payments"), "create"),
    ("GET", re.compile(r"/payments"), "find"),
    ("GET", re.compile(r"/payments/([^/]+)"), "get"),
    ("POST", re.compile(r"/payments/([^/]+)/clarify"), "clarify"),
    ("POST", re.compile(r"/payments/([^/]+)/confirm"), "confirm"),
    ("GET", re.compile(r"/merchant/balance"), "balance"),
]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # Head and body leave in one packet.
    payments: Payments
    merchants: dict

    def handle_request(self):
        try:
            self.raw = self.read_raw()
            status, body, headers = 200, self.dispatch(), {}
        except Problem as problem:
            status, body, headers = problem.status, problem.body, problem.headers
        except Exception as error:  # A defect must not end the connection without a response.
            self.log_error("%r", error)
            problem = Problem(500, "internal-error", "Internal error", "Send the request again later.")
            status, body, headers = 500, problem.body, {}
        self.respond(status, body, headers)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_request

    def read_raw(self):
        """The body, up to one byte more than the limit. The rest is dropped, so that the client reads the response."""
        length = self.headers.get("content-length", "0")
        if "transfer-encoding" in self.headers or not length.isdecimal():
            self.close_connection = True
            raise invalid(violation("", "must have a Content-Length", "header"))
        kept = self.rfile.read(min(int(length), BODY_BYTES_MAX + 1))
        rest = int(length) - len(kept)
        while rest > 0 and (dropped := self.rfile.read(min(rest, BODY_BYTES_MAX))):
            rest -= len(dropped)
        return kept

    def dispatch(self):
        path, _, query = self.path.partition("?")
        for method, pattern, name in ROUTES:
            match = pattern.fullmatch(path)
            if match and method == self.command:
                merchant = self.authenticate()
                ids = [self.check_id(unquote(text)) for text in match.groups()]
                parameters = self.read_query(query, ["transaction_id", "merchant_order_id"] if name == "find" else [])
                return self.call(name, merchant, ids, parameters)
        raise Problem(404, "not-found", "Not found", f"Route not found: {self.command} {path}.")

    def call(self, name, merchant, ids, parameters):
        payments = self.payments
        if name == "balance":
            return payments.balance(merchant, self.merchants[merchant])
        if name == "get":
            return payments.view(payments.get(merchant, *ids))
        if name == "find":
            if len(parameters) != 1:
                message = "must have exactly one of transaction_id and merchant_order_id"
                raise invalid(violation("", message, "query"))
            [(parameter, value)] = parameters.items()
            find = payments.get if parameter == "transaction_id" else payments.find
            return payments.view(find(merchant, value))
        return getattr(payments, name)(merchant, *ids, self.read_body(name))

    def authenticate(self):
        scheme, _, key = self.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and key.strip() in self.merchants:
            return key.strip()
        detail = "Send `Authorization: Bearer <key>` with a valid key."
        title = "The API key is missing or unknown"
        raise Problem(401, "unauthorized", title, detail, headers={"www-authenticate": "Bearer"})

    def check_id(self, text):
        if len(text) > ID_LENGTH_MAX:
            raise invalid(violation("/transaction_id", f"must have at most {ID_LENGTH_MAX} characters", "path"))
        return text

    def read_query(self, query, known):
        pairs = parse_qsl(query, keep_blank_values=True)
        names = [name for name, _ in pairs]
        unknown = [name for name in names if name not in known]
        wrong = [violation(f"/{name}", "is not a query parameter of this operation", "query") for name in unknown]
        wrong += [violation(f"/{name}", "is given twice", "query") for name in set(names) if names.count(name) > 1]
        if wrong:
            raise invalid(*wrong)
        return dict(pairs)

    def read_body(self, name):
        if len(self.raw) > BODY_BYTES_MAX:
            raise Problem(413, "body-too-large", "The body is too large", "Send a smaller body.")
        if self.headers.get_content_type() != "application/json":
            detail = "Send the body as JSON, with `Content-Type: application/json`."
            raise Problem(415, "unsupported-media-type", "Unsupported media type", detail)
        body = parse(self.raw)
        violations = list(BODIES[name](body, ""))
        if violations:
            raise invalid(*violations)
        return body

    def respond(self, status, body, headers):
        request_id = f"req_{secrets.token_hex(12)}"
        if status >= 400:
            body = {**body, "request_id": request_id}
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", f"application/{'problem+' if status >= 400 else ''}json")
        self.send_header("content-length", str(len(content)))
        self.send_header("x-request-id", request_id)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_request(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def main():
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8000
    keys = [os.environ.get("API_KEY", "sk_test_one"), os.environ.get("SECOND_API_KEY", "sk_test_two")]
    # Each has threads of its own, so that endpoints that hang don't hold up payments.
    signing_secrets = [
        os.environ.get("WEBHOOK_SECRET", "whsec_c2VjcmV0IG9mIHRoZSBleGFtcGxl"),
        os.environ.get("SECOND_WEBHOOK_SECRET", "whsec_c2VjcmV0IG9mIGFub3RoZXIgbWVyY2hhbnQ="),
    ]
    webhooks = Webhooks(Schedule(), dict(zip(keys, signing_secrets)))
    Handler.merchants = {key: number for number, key in enumerate(keys, start=1)}
    Handler.payments = Payments(Schedule(), webhooks)
    server = Server(("127.0.0.1", port), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
