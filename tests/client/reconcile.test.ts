/** The recipe for missed webhooks. */
import { describe, expect, it } from 'vitest';
import { reconcile } from '../../client/recipes/reconcile.ts';
import type { TransactionState } from '../../client/src/webhooks.ts';
import { requestExamples, responseExamples } from '../../generated/examples.ts';
import { disconnected, json, problem, type Reply, serve } from './service.ts';

const PAYMENT = responseExamples.findPayment[200].redirect;
const REQUEST = requestExamples.createPayout['imps-inr'].body;
const PAYOUT = responseExamples.getPayout[200].succeeded;

async function reconciled(reply: Reply) {
  const { client, requests } = serve([reply], { retry: { attempts: 1 } });
  const applied: TransactionState[] = [];
  const missing: unknown[] = [];
  const open = [
    { kind: 'payment', merchant_order_id: 'order/1' },
    { kind: 'payout', payout_id: 'out_1' },
    { kind: 'payout', request: REQUEST },
  ] as const;
  const failed = await reconcile({
    ...{ client, open },
    apply: (state) => void applied.push(state),
    missing: (order) => void missing.push(order),
  });
  const paths = requests.map(({ method, url }) => `${method} ${url.replace('http://service.test', '')}`);
  return { applied, missing, failed, paths, open };
}

describe('the recipe `reconcile`', () => {
  it('applies the state of each open order, and retries a payout without an ID', async () => {
    const { applied, missing, failed, paths } = await reconciled((request) =>
      json(request.url.includes('/payouts') ? PAYOUT : PAYMENT)(request),
    );
    expect(paths).toEqual(['GET /payments?merchant_order_id=order%2F1', 'GET /payouts/out_1', 'POST /payouts']);
    expect(applied).toEqual([{ data: PAYMENT }, { data: PAYOUT }, { data: PAYOUT }]);
    expect({ missing, failed }).toEqual({ missing: [], failed: [] });
  });

  it('reports unknown payments, and keeps payouts open', async () => {
    const { applied, missing, failed, open } = await reconciled(problem(404));
    expect({ applied, missing }).toEqual({ applied: [], missing: [open[0]] });
    expect(failed.map(({ order }) => order)).toEqual(open.slice(1));
  });

  it.each([
    ['refuses the request', problem(400), { status: 400 }],
    ['is unavailable', problem(503), { status: 503 }],
    ["doesn't respond", disconnected, { code: 'NETWORK' }],
  ])('keeps orders open if the service %s', async (_how, reply, error) => {
    const { applied, missing, failed, open } = await reconciled(reply);
    expect({ applied, missing }).toEqual({ applied: [], missing: [] });
    expect(failed).toMatchObject(open.map((order) => ({ order, error })));
  });
});
