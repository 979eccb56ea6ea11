"""Work that is due later, and the webhooks that are sent so."""

import base64
import hashlib
import heapq
import hmac
import http.client
import itertools
import secrets
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from random import uniform
from urllib.parse import urlsplit

TIMEOUT_SECONDS = 15
RETRIES_SECONDS = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)


class Schedule:
    """Runs functions at their time, several at once."""

    def __init__(self, workers=32):
        self._due, self._numbers, self._changed = [], itertools.count(), threading.Condition()
        self._pool = ThreadPoolExecutor(workers)
        threading.Thread(target=self._run, daemon=True).start()

    def after(self, seconds, function, *arguments):
        with self._changed:
            heapq.heappush(self._due, (time.monotonic() + seconds, next(self._numbers), function, arguments))
            self._changed.notify()

    def _run(self):
        while True:
            with self._changed:
                while not self._due or self._due[0][0] > time.monotonic():
                    self._changed.wait(self._due[0][0] - time.monotonic() if self._due else None)
                _, _, function, arguments = heapq.heappop(self._due)
            self._pool.submit(function, *arguments).add_done_callback(lambda done: done.result())


class Webhooks:
    """Signs events as Standard Webhooks has it, and sends each until it is received."""

    def __init__(self, schedule, signing_secrets):
        """Each merchant has its own signing secret."""
        self._schedule = schedule
        self._gone = set()  # Addresses that responded with 410.
        self._keys = {
            merchant: base64.b64decode(secret.removeprefix("whsec_")) for merchant, secret in signing_secrets.items()
        }

    def send(self, merchant, url, event):
        """Sends the event. All attempts have the same ID, so that the receiver can ignore duplicates."""
        self._schedule.after(0, self._attempt, merchant, url, event, 0, f"evt_{secrets.token_hex(12)}")

    def _attempt(self, merchant, url, event, attempt, event_id):
        if url in self._gone:
            return
        status = self._post(merchant, url, event, event_id)
        if status == 410:
            self._gone.add(url)
        if 200 <= status < 300 or attempt == len(RETRIES_SECONDS):
            return
        pause = RETRIES_SECONDS[attempt] * uniform(0.8, 1.2)
        self._schedule.after(pause, self._attempt, merchant, url, event, attempt + 1, event_id)

    def _post(self, merchant, url, event, event_id):
        """The status of the response; 0 without one. Redirects aren't followed, and count as failures."""
        # A service on the internet also has to refuse private addresses here.
        parts = urlsplit(url)
        secure = parts.scheme == "https"
        connect = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = connect(parts.netloc, timeout=TIMEOUT_SECONDS)
        try:
            path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
            connection.request("POST", path, event, self._headers(merchant, event, event_id))
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0
        finally:
            connection.close()

    def _headers(self, merchant, event, event_id):
        timestamp = str(int(time.time()))
        signed = f"{event_id}.{timestamp}.".encode() + event
        signature = "v1," + base64.b64encode(hmac.digest(self._keys[merchant], signed, hashlib.sha256)).decode()
        return {
            "content-type": "application/json",
            "webhook-id": event_id,
            "webhook-timestamp": timestamp,
            "webhook-signature": signature,
            "X-Gateway-Signature": signature,
        }
