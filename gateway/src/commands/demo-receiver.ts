/**
 * The demo shop's webhook endpoint, so that a first payment shows its webhooks without another program. It does what
 * every receiver has to do: it verifies the raw body before it uses anything in it.
 */
import { printable } from '../../../contract/src/printable.ts';
import { NO_CONTENT } from '../http/plain.ts';
import type { Route } from '../http/router.ts';
import { findForgery } from '../webhooks/forgery.ts';
import { readWireFormat } from '../webhooks/signature.ts';
import type { WireContract } from '../wire/contract.ts';

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

/** The route of the endpoint. */
export function demoReceiver({ contract, secret, bodyBytesMax, tell, now }: DemoReceiver): Route {
  const format = readWireFormat(contract.bundle);
  return {
    method: 'POST',
    path: DEMO_RECEIVER,
    async respond({ plain, headers }) {
      const header = (name = '') => headers[name.toLowerCase()] ?? '';
      const body = new TextDecoder().decode(await plain.readBody(bodyBytesMax));
      const received = {
        id: header(format.id),
        timestamp: header(format.timestamp),
        signature: header(format.signatures[0]),
        body,
      };
      const forgery = await findForgery(received, secret, now());
      if (forgery !== undefined) {
        return { status: 400, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: forgery };
      }
      const { transaction_id: id, status, decline_reason: reason } = JSON.parse(body) as Record<string, string>;
      tell(printable(`webhook  ${[status, id, reason].filter(Boolean).join('  ')}  (signature verified)`));
      return NO_CONTENT;
    },
  };
}
