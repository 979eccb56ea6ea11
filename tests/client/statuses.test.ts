/** Status constants of the client, against the contract. */
import { describe, expect, it } from 'vitest';
import { readBundle, webhooks } from '../../contract/src/model.ts';
import { senderForm } from '../../contract/src/sender.ts';
import { statusRanks } from '../../generated/statuses.ts';
import type { WebhookPayload } from '../../generated/types.ts';
import { dispatchWebhook, isPayment, isPayout, kindOf, webhookName, webhookNames } from '../../generated/webhooks.ts';

const bundle = senderForm(readBundle());
const MACHINES = Object.entries(bundle['x-state-machines']) as [keyof typeof statusRanks, never][];
const MOVES = MACHINES.flatMap(([kind]) =>
  (bundle['x-state-machines'][kind]?.transitions ?? []).map(({ from, to }) => ({ kind, from, to })),
);

describe('ranks', () => {
  it.each(MOVES)('rise from $from to $to of a $kind', ({ kind, from, to }) => {
    const ranks: Record<string, number> = statusRanks[kind];
    expect(ranks[to]).toBeGreaterThan(from === null ? -1 : (ranks[from] ?? Number.NaN));
  });
});

describe('webhooks', () => {
  it('combine the kind of transaction and its status', () => {
    const names = Object.values(webhookNames).flatMap((byStatus) => Object.values(byStatus));
    expect(names).toEqual(webhooks(bundle).map(({ id }) => id));
    expect(webhookNames.payout).toEqual({ SUCCESS: 'payoutSucceeded', FAILED: 'payoutFailed' });
  });

  it.each(webhooks(bundle).flatMap(({ id, request }) => (request?.examples ?? []).map(({ value }) => ({ id, value }))))(
    'are identified by their bodies: $id',
    ({ id, value }) => {
      const body = value as unknown as WebhookPayload;
      expect(webhookName(body)).toBe(id);
      expect(kindOf(body)).toBe(id.startsWith('payout') ? 'payout' : 'payment');
      expect([isPayment(body), isPayout(body)]).toEqual([id.startsWith('payment'), id.startsWith('payout')]);
      const called: string[] = [];
      const handlers = Object.fromEntries(webhooks(bundle).map((one) => [one.id, () => called.push(one.id)]));
      dispatchWebhook(body, handlers);
      expect(called).toEqual([id]);
    },
  );

  it.each([{ status: 'REFUNDED' }, { status: 'toString' }, { status: 'VERIFYING', payment_method: 'UPI_IN' }, {}])(
    "don't exist for %j",
    (body) => {
      expect(webhookName(body)).toBeUndefined();
      expect(dispatchWebhook(body as never, {})).toBeUndefined();
    },
  );
});
