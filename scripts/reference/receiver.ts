/** The receiver of webhooks as a code sample of the reference. The samples of the operations are in the document. */
import { type Bundle, webhooks } from '../../contract/src/model.ts';

/** A receiver that verifies an event before it uses anything of it; nothing beyond Node is needed. */
export function receiver(bundle: Bundle): string {
  const [webhook] = webhooks(bundle);
  const signature = webhook?.parameters.find(
    ({ in: place, name }) => place === 'header' && /^x-.*signature$/i.test(name),
  );
  if (!signature) throw new Error('no webhook has a header X-…-Signature');
  return `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

const secret = Buffer.from((process.env['SIGNING_SECRET'] ?? '').replace('whsec_', ''), 'base64');
if (secret.length === 0) throw new Error('SIGNING_SECRET is not set');
const toleranceSeconds = 5 * 60;

function isGenuine(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!id || !timestamp || !(age <= toleranceSeconds)) return false;
  const hmac = createHmac('sha256', secret).update(\`\${id}.\${timestamp}.\`).update(body);
  const expected = Buffer.from(\`v1,\${hmac.digest('base64')}\`);
  return String(headers['${signature.name.toLowerCase()}'])
    .split(' ')
    .map((value) => Buffer.from(value))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isGenuine(request.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  response.writeHead(204).end();
  const event: { transaction_id: string; status: string } = JSON.parse(body.toString());
  console.log(request.headers['webhook-id'], event.transaction_id, event.status);
}).listen(Number(process.env['PORT'] ?? 3000));
`;
}
