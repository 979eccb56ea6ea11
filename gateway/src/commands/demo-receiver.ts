/**
 * The demo shop's webhook endpoint, so that a first payment shows its webhooks without another program. It does what
 * every receiver has to do: it verifies the raw body before it uses anything in it.
 */
import type { FastifyInstance } from 'fastify';
import { printable } from '../../../contract/src/printable.ts';
import { findForgery } from '../webhooks/forgery.ts';
import { readWireFormat } from '../webhooks/signature.ts';
import type { Contract } from '../wire/contract.ts';

/** Path of the endpoint. */
export const DEMO_RECEIVER = '/demo/webhooks';

/** Adds the endpoint; `tell` gets a line for each webhook, and `now` returns the merchant's time in milliseconds since 1970. */
export async function addDemoReceiver(
  app: FastifyInstance,
  contract: Contract,
  secret: string,
  tell: (line: string) => void,
  now: () => number,
): Promise<void> {
  const format = readWireFormat(contract.bundle);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post(DEMO_RECEIVER, async (request, reply) => {
      const header = (name = '') => String(request.headers[name.toLowerCase()] ?? '');
      const body = typeof request.body === 'string' ? request.body : '';
      const received = {
        id: header(format.id),
        timestamp: header(format.timestamp),
        signature: header(format.signatures[0]),
        body,
      };
      const forgery = await findForgery(received, secret, now());
      if (forgery !== undefined) return reply.code(400).send(forgery);
      const { transaction_id: id, status, decline_reason: reason } = JSON.parse(body) as Record<string, string>;
      tell(printable(`webhook  ${[status, id, reason].filter(Boolean).join('  ')}  (signature verified)`));
      return reply.code(204).send();
    });
  });
}
