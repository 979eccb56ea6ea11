/** The webhook of a status is written with the change, and says what the status endpoint says at that moment. */
import { expect, it } from 'vitest';
import { webhooksOf } from '../../tools/sender.ts';
import { clarification, confirmation } from '../harness/customer.ts';
import { fund, paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { describeOnEachStoreAndPartitions, startTestGateway, type TestGateway } from '../harness.ts';

interface Written {
  readonly body: string;
  readonly url: string;
  readonly merchantId: number;
}

async function written({ gateway }: TestGateway, id: string): Promise<Written[]> {
  const rows = await gateway.store.read.all(
    'select body, url, merchant_id from events where transaction_id = ? order by created_at, id',
    id,
  );
  return rows.map((row) => ({
    body: String(row['body']),
    url: String(row['url']),
    merchantId: Number(row['merchant_id']),
  }));
}

/** The status, and the body of the newest webhook, after everything that was due has been done. */
async function compare(test: TestGateway, id: string): Promise<{ status: string; told: number }> {
  await test.gateway.idle();
  const { text, body } = await test.call('GET', `/${id.startsWith('out') ? 'payouts' : 'payments'}/${id}`);
  const all = await written(test, id);
  const told = all.map((event) => JSON.parse(event.body).status);
  if (told.includes(body.status)) expect(all.at(-1)?.body).toBe(text);
  return { status: body.status, told: all.length };
}

describeOnEachStoreAndPartitions('the outbox', (open) => {
  it('has one webhook for each status that is reported, equal to what the status endpoint returns', async () => {
    const test = await startTestGateway({ store: await open() });
    const request = paymentRequest({ customer: { id: 'clarify-email' } });
    const { body } = await test.call('POST', '/payments', request);
    const id = body.transaction_id;
    expect(await compare(test, id)).toEqual({ status: 'EXTRA_DATA_NEEDED', told: 1 });
    test.clock.advance(1_000);
    const asked = await test.call('GET', `/payments/${id}`);
    const clarified = await test.call('POST', `/payments/${id}/clarify`, clarification(asked.body));
    expect(await compare(test, id)).toEqual({ status: 'PAY_CONFIRMATION_NEEDED', told: 2 });
    test.clock.advance(1_000);
    await test.call('POST', `/payments/${id}/confirm`, confirmation(clarified.body));
    expect(await compare(test, id)).toEqual({ status: 'SUCCESS', told: 3 });
    test.clock.advance(60_000);
    expect(await compare(test, id)).toEqual({ status: 'SUCCESS', told: 3 });
    const events = await written(test, id);
    // None for CREATED, and none for VERIFYING.
    expect(events.map((event) => JSON.parse(event.body).status)).toEqual([
      'EXTRA_DATA_NEEDED',
      'PAY_CONFIRMATION_NEEDED',
      'SUCCESS',
    ]);
    for (const event of events) {
      expect(event).toMatchObject({ url: request.callback_url, merchantId: test.merchant.id });
    }
  });

  it('has a webhook at once for a payment that is created waiting for data', async () => {
    const test = await startTestGateway({ store: await open() });
    const { customer, ...rest } = paymentRequest();
    const { body } = await test.call('POST', '/payments', { ...rest, customer: { id: customer.id } });
    expect(await compare(test, body.transaction_id)).toEqual({ status: 'EXTRA_DATA_NEEDED', told: 1 });
  });

  it.each([
    ['payments', 'a waiting one', 'stop-CREATED', 'CREATED', 0],
    ['payments', 'a declined one', 'decline-KYC_BLOCKED', 'FAILED', 1],
    ['payouts', 'a successful one', 'succeed', 'SUCCESS', 1],
    ['payouts', 'a declined one', 'decline-BANK_REJECTED', 'FAILED', 1],
    ['payouts', 'one in flight', 'stop-PROCESSING', 'PROCESSING', 0],
  ] as const)('reports %s, %s (%s), in %s %d times', async (path, _what, customer, status, told) => {
    const test = await startTestGateway({ store: await open() });
    await fund(test.gateway.store, test.merchant, 1_000_000);
    const request = path === 'payouts' ? payoutRequest({ amount: 5_000 }) : paymentRequest();
    const { body } = await test.call('POST', `/${path}`, {
      ...request,
      customer: { ...request.customer, id: customer },
    });
    expect(await compare(test, body.transaction_id)).toEqual({ status, told });
    const bodies = (await written(test, body.transaction_id)).map((event) => JSON.parse(event.body));
    const fitting = bodies.flatMap(webhooksOf);
    expect(fitting.every((name) => name.startsWith(path.slice(0, -1)))).toBe(true);
    expect(fitting).toHaveLength(told);
  });

  it('has nothing from a creation that was repeated or refused', async () => {
    const test = await startTestGateway({ store: await open() });
    const { customer, ...rest } = paymentRequest();
    const request = { ...rest, customer: { id: customer.id } };
    await Promise.all([1, 2, 3].map(() => test.call('POST', '/payments', request)));
    await test.call('POST', '/payments', { ...request, amount: 1 });
    await test.gateway.idle();
    expect(await test.gateway.store.read.all('select id from events')).toHaveLength(1);
  });
});
