/** The receivers of webhooks as code samples of the reference. The samples of the operations are in the document. */
import { readFileSync } from 'node:fs';
import { type Bundle, type JsonObject, operations } from '../../contract/src/model.ts';
import { readHeaderNames } from '../../contract/src/vectors/writer.ts';
import { sampleCall } from '../artifacts/samples/call.ts';
import { curlSample } from '../artifacts/samples/languages.ts';
import { fenced } from './pieces.ts';

const PORT = 3000;

/** Receivers in files, which have `{{signature}}` for the name of a header. */
const FILES = [
  { language: 'php', label: 'PHP', file: 'receiver.php' },
  { language: 'go', label: 'Go', file: 'receiver.go' },
  { language: 'java', label: 'Java', file: 'Receiver.java' },
  { language: 'csharp', label: 'C#', file: 'receiver.cs' },
  { language: 'ruby', label: 'Ruby', file: 'receiver.ru' },
];

/** Receivers that verify each event before using it, by the label of their language. Only the one in Ruby needs a package, Rack. */
export function receivers(bundle: Bundle): readonly { language: string; label: string; code: string }[] {
  const { signatures } = readHeaderNames(bundle);
  const names = signatures.map((name) => name.toLowerCase());
  return [
    { language: 'typescript', label: 'TypeScript', code: typescriptReceiver(names) },
    { language: 'python', label: 'Python', code: pythonReceiver(names) },
    ...FILES.map(({ language, label, file }) => ({ language, label, code: readReceiver(file, names) })),
  ];
}

function readReceiver(file: string, [signature = '', other = '']: readonly string[]): string {
  // Rack has the headers as CGI does.
  const variable = (name: string) => `HTTP_${name.replaceAll('-', '_').toUpperCase()}`;
  return readFileSync(new URL(`receivers/${file}`, import.meta.url), 'utf8')
    .replaceAll('{{signature}}', signature)
    .replaceAll('{{otherSignature}}', other)
    .replaceAll('{{SIGNATURE}}', variable(signature))
    .replaceAll('{{OTHER_SIGNATURE}}', variable(other));
}

function typescriptReceiver(signatures: readonly string[]): string {
  const values = signatures.map((name) => `headers['${name}']`).join(' ?? ');
  return `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

const [prefix, encoded = ''] = (process.env['WEBHOOK_SECRET'] ?? '').split('_');
if (prefix !== 'whsec' || !encoded) throw new Error('Set WEBHOOK_SECRET to the signing secret, whsec_…');
const secret = Buffer.from(encoded, 'base64');
const toleranceSeconds = 5 * 60;
const bodyBytesMax = 1_048_576;

function reasonToRefuse(headers: IncomingHttpHeaders, body: Buffer): string | undefined {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  if (!id) return 'webhook-id is missing';
  if (!/^\\d{1,12}$/.test(String(timestamp))) return 'webhook-timestamp is not an integer';
  const difference = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (difference > toleranceSeconds) return \`the timestamp differs from this clock by \${Math.round(difference)} s\`;
  const hmac = createHmac('sha256', secret).update(\`\${id}.\${timestamp}.\`).update(body);
  const expected = Buffer.from(\`v1,\${hmac.digest('base64')}\`);
  const matches = String(${values})
    .split(/,?\\s+/)
    .map((value) => Buffer.from(value))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
  return matches ? undefined : 'no signature matches the body: check WEBHOOK_SECRET';
}

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > bodyBytesMax) return void response.writeHead(413).end();
      chunks.push(chunk);
    }
  } catch {
    // The sender closed the connection early. It will try again.
    return;
  }
  const body = Buffer.concat(chunks);
  const reason = reasonToRefuse(request.headers, body);
  if (reason) {
    response.writeHead(401).end();
    console.error('refused:', reason);
    return;
  }
  response.writeHead(204).end();
  const event: { transaction_id: string; status: string } = JSON.parse(body.toString());
  console.log(request.headers['webhook-id'], event.transaction_id, event.status);
}).listen(Number(process.env['PORT'] ?? ${PORT}));
`;
}

function pythonReceiver(signatures: readonly string[]): string {
  const values = signatures.map((name) => `headers.get("${name}")`).join(' or ');
  return `import base64
import hmac
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

prefix, _, encoded = os.environ.get("WEBHOOK_SECRET", "").partition("_")
if prefix != "whsec" or not encoded:
    sys.exit("Set WEBHOOK_SECRET to the signing secret, whsec_…")
secret = base64.b64decode(encoded)
tolerance_seconds = 5 * 60
body_bytes_max = 1_048_576


def reason_to_refuse(headers, body):
    event_id, timestamp = headers.get("webhook-id"), headers.get("webhook-timestamp", "")
    if not event_id:
        return "webhook-id is missing"
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        return "webhook-timestamp is not an integer"
    difference = abs(time.time() - int(timestamp))
    if difference > tolerance_seconds:
        return f"the timestamp differs from this clock by {round(difference)} s"
    content = f"{event_id}.{timestamp}.".encode("latin-1") + body
    expected = b"v1," + base64.b64encode(hmac.digest(secret, content, "sha256"))
    given = re.split(r",?\\s+", ${values} or "")
    matches = [hmac.compare_digest(value.encode("latin-1"), expected) for value in given]
    return None if any(matches) else "no signature matches the body: check WEBHOOK_SECRET"


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not re.fullmatch("[0-9]{1,9}", length):
            return self.respond(411)
        if int(length) > body_bytes_max:
            return self.respond(413)
        body = self.rfile.read(int(length))
        reason = reason_to_refuse(self.headers, body)
        if reason:
            self.respond(401)
            print("refused:", reason, file=sys.stderr, flush=True)
            return
        self.respond(204)
        event = json.loads(body)
        print(self.headers["webhook-id"], event["transaction_id"], event["status"], flush=True)

    def respond(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        # A refused body may be unread, so the connection can't be used again.
        self.send_header("connection", "close")
        self.end_headers()

    def log_request(self, code="-", size="-"):
        pass


ThreadingHTTPServer(("", int(os.environ.get("PORT", ${PORT}))), Receiver).serve_forever()
`;
}

/** A command that creates a payment, with changes of the example. */
export function createPaymentCommand(bundle: Bundle, change: (body: JsonObject) => JsonObject): string {
  const operation = operations(bundle).find(({ id }) => id === 'createPayment');
  if (!operation) throw new Error('the document has no createPayment');
  const { request, ...call } = sampleCall(bundle, operation);
  return fenced('sh', curlSample({ ...call, request: { ...request, body: change(request.body as JsonObject) } }));
}

/** The way to the first webhook: run the receiver, and create a payment that reports to it. */
export function firstWebhook(bundle: Bundle): string {
  const url = `http://localhost:${PORT}`;
  return `## Receive a webhook

Save [the receiver](webhooks.md#verify-the-signature) as \`receiver.ts\`, and run it in another shell, with the signing secret that came with your key.
It needs Node 24; if you have an older one, write \`npx node@24\` instead of \`node\`.

${fenced('sh', 'WEBHOOK_SECRET=whsec_your_secret node receiver.ts')}

Then create a payment whose webhooks go to it. A service that isn't on your machine needs a public address instead of \`${url}\`.

${createPaymentCommand(bundle, (body) => ({ ...body, merchant_order_id: 'webhook-1', callback_url: url }))}

The receiver prints the ID, the transaction and the status of each webhook whose signature is right; the first one comes within seconds.
If it prints \`refused\`, check the secret.
Before you send the payment again, change its \`merchant_order_id\`: the same body returns the same payment, and causes no new webhook.
`;
}
