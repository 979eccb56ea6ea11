/**
 * The demo shop's webhook endpoint, so that a first payment shows its webhooks without another program. It does what
 * every receiver has to do: it verifies the signature on the raw body before it believes anything.
 */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Contract } from '../contract/contract.ts';
import { readWireFormat, sign, signingKey } from '../webhooks/signature.ts';

/** Path of the endpoint. */
export const DEMO_RECEIVER = '/demo/webhooks';

/** Adds the endpoint; `tell` gets a line for each webhook. */
export async function addDemoReceiver(
  app: FastifyInstance,
  contract: Contract,
  secret: string,
  tell: (line: string) => void,
): Promise<void> {
  const format = readWireFormat(contract.bundle);
  const keys = [signingKey(secret)];
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post(DEMO_RECEIVER, async (request, reply) => {
      const body = String(request.body);
      const header = (name: string) => String(request.headers[name.toLowerCase()] ?? '');
      const expected = sign({ id: header(format.id), timestamp: Number(header(format.timestamp)), body }, keys);
      const genuine = header(format.signatures[0] ?? '')
        .split(' ')
        .some((given) => equal(given, expected));
      if (!genuine) return reply.code(400).send('the signature does not match');
      const { transaction_id: id, status, decline_reason: reason } = JSON.parse(body) as Record<string, string>;
      tell(`webhook  ${[status, id, reason].filter(Boolean).join('  ')}  (signature verified)`);
      return reply.code(204).send();
    });
  });
}

function equal(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
