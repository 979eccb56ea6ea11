/** The receiver of webhooks as a code sample of the reference. The samples of the operations are in the document. */
import { type Bundle, type JsonObject, operations, webhooks } from '../../contract/src/model.ts';
import { sampleCall } from '../artifacts/samples/call.ts';
import { curlSample } from '../artifacts/samples/curl.ts';
import { fenced } from './pieces.ts';

const PORT = 3000;

/** A receiver that verifies each event before using it. It needs only Node. */
export function receiver(bundle: Bundle): string {
  const [webhook] = webhooks(bundle);
  const signature = webhook?.parameters.find(
    ({ in: place, name }) => place === 'header' && /^x-.*signature$/i.test(name),
  );
  if (!signature) throw new Error('no webhook has a header X-…-Signature');
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
  const matches = String(headers['${signature.name.toLowerCase()}'])
    .split(' ')
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

/** The way to the first webhook: run the receiver, and create a payment that reports to it. */
export function firstWebhook(bundle: Bundle): string {
  const operation = operations(bundle).find(({ id }) => id === 'createPayment');
  if (!operation) throw new Error('the document has no createPayment');
  const { request, ...call } = sampleCall(bundle, operation);
  const url = `http://localhost:${PORT}`;
  const body = { ...(request.body as JsonObject), merchant_order_id: 'webhook-1', callback_url: url };
  return `## Receive a webhook

Save [the receiver](webhooks.md#verify-the-signature) as \`receiver.ts\`, and run it in another shell, with the signing secret that came with your key.
It needs Node 24; if you have an older one, write \`npx node@24\` instead of \`node\`.

${fenced('sh', 'WEBHOOK_SECRET=whsec_your_secret node receiver.ts')}

Then create a payment whose webhooks go to it. A service that isn't on your machine needs a public address instead of \`${url}\`.

${fenced('sh', curlSample({ ...call, request: { ...request, body } }))}

The receiver prints the ID, the transaction and the status of each webhook whose signature is right; the first one comes within seconds.
If it prints \`refused\`, check the secret.
Before you send the payment again, change its \`merchant_order_id\`: the same body returns the same payment, and causes no new webhook.
`;
}
