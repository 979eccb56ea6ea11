/**
 * The demo shop's webhook endpoint, so that a first payment shows its webhooks without another program. Like every
 * receiver, it verifies the raw body before using it.
 */
import type { Hono } from 'hono';
import { printable } from '../../../contract/src/printable.ts';
import { readBytes } from '../http/body.ts';
import type { HttpEnv } from '../http/context.ts';
import type { WireContract } from '../http/contract.ts';
import { respond } from '../http/responses.ts';
import { findForgery } from '../webhooks/forgery.ts';
import { readWireFormat } from '../webhooks/signature.ts';

/** Path of the endpoint. */
export const DEMO_RECEIVER = '/demo/webhooks';

/** Services of the endpoint. */
export interface DemoReceiver {
  readonly contract: WireContract;
  readonly secret: string;
  readonly bodyBytesMax: number;
  /** Gets a line for each webhook. */
  readonly tell: (line: string) => void;
  /** The merchant's time in milliseconds since 1970. */
  readonly now: () => number;
}

/** Adds the route of the endpoint. */
export function addDemoReceiver(app: Hono<HttpEnv>, { contract, secret, bodyBytesMax, tell, now }: DemoReceiver): void {
  const format = readWireFormat(contract.bundle);
  app.post(DEMO_RECEIVER, async (c) => {
    const header = (name = '') => c.req.header(name) ?? '';
    const body = new TextDecoder().decode(await readBytes(c, bodyBytesMax));
    const received = {
      id: header(format.id),
      timestamp: header(format.timestamp),
      signature: header(format.signatures[0]),
      body,
    };
    const forgery = await findForgery(received, secret, now());
    if (forgery !== undefined) return respond(c, 400, forgery, { 'content-type': 'text/plain; charset=utf-8' });
    const { transaction_id: id, status, decline_reason: reason } = JSON.parse(body) as Record<string, string>;
    tell(printable(`webhook  ${[status, id, reason].filter(Boolean).join('  ')}  (signature verified)`));
    return respond(c, 204, null);
  });
}
