/** The recipe for webhooks that were missed. */
import { describe, expect, it } from 'vitest';
import { reconcile } from '../../client/recipes/reconcile.ts';
import type { Payment, Payout } from '../../client/src/index.ts';
import { responseExamples } from '../../generated/examples.ts';
import { disconnected, json, problem, type Reply, serve } from './service.ts';

const PAYMENT = responseExamples.findPayment[200]['by-merchant-order-id'];
const PAYOUT = responseExamples.getPayout[200].succeeded;

async function reconciled(reply: Reply) {
  const { client, requests } = serve([reply], { retry: { attempts: 1 } });
  const applied: (Payment | Payout)[] = [];
  const missing: unknown[] = [];
  const open = [
    { kind: 'payment', merchant_order_id: 'order/1' },
    { kind: 'payout', payout_id: 'out_1' },
  ] as const;
  const failed = await reconcile({
    ...{ client, open },
    apply: async (transaction) => void applied.push(transaction),
    unknown: async (order) => void missing.push(order),
  });
  const paths = requests.map(({ url }) => url.replace('http://service.test', ''));
  return { applied, missing, failed, paths, open };
}

describe('the recipe `reconcile`', () => {
  it('applies what each open order shows', async () => {
    const { applied, missing, failed, paths } = await reconciled((request) =>
      json(request.url.includes('/payouts') ? PAYOUT : PAYMENT)(request),
    );
    expect(paths).toEqual(['/payments?merchant_order_id=order%2F1', '/payouts/out_1']);
    expect(applied).toEqual([PAYMENT, PAYOUT]);
    expect({ missing, failed }).toEqual({ missing: [], failed: [] });
  });

  it('reports orders that the service does not know, and applies nothing', async () => {
    const { applied, missing, failed, open } = await reconciled(problem(404));
    expect({ applied, missing, failed }).toEqual({ applied: [], missing: open, failed: [] });
  });

  it.each([
    ['refuses', problem(503), { status: 503 }],
    ["doesn't respond", disconnected, { code: 'NETWORK' }],
  ])('keeps orders open while the service %s', async (_how, reply, error) => {
    const { applied, missing, failed, open } = await reconciled(reply);
    expect({ applied, missing }).toEqual({ applied: [], missing: [] });
    expect(failed).toMatchObject(open.map((order) => ({ order, error })));
  });
});
