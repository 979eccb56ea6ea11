/** Number of statements per request of a payment. Each additional one lowers the throughput. */

import { describe, expect, it } from 'vitest';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import type { Call } from '../../../gateway/src/http/context.ts';
import { clarifyPayment, confirmPayment, createPayment } from '../../../gateway/src/payments/payments.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { storeTime } from '../../../gateway/src/platform/merchant-time.ts';
import { advanceTransaction } from '../../../gateway/src/transactions/advance.ts';
import { transactionById } from '../../../gateway/src/transactions/rows.ts';
import type { Services } from '../../../gateway/src/transactions/services.ts';
import type { CreatePaymentRequest } from '../../../generated/types.ts';
import { counting } from '../../tools/counting.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { clarification, confirmation } from '../harness/customer.ts';
import { addMerchant, paymentRequest, REDIRECT, START } from '../harness/fixtures.ts';
import { createTestChannels, openTestSqlite } from '../harness.ts';

describe('the statements', () => {
  async function startCounting() {
    const store = counting(await openTestSqlite());
    const merchant = await addMerchant(store);
    const services: Services = {
      store,
      clock: new ManualClock(START),
      time: storeTime(new ManualClock(START)),
      ids: randomIds,
      methods: sandboxMethods,
      channels: createTestChannels(),
      checkoutUrl: String,
      report: () => undefined,
    };
    /** Runs the operation. Returns its result and the number of statements. */
    const run = async (
      // biome-ignore lint/suspicious/noExplicitAny: each operation narrows its call.
      operation: (services: Services, call: Call<any, any>) => Promise<unknown>,
      body: object,
      id?: string,
    ) => {
      const before = store.statements();
      const parameters = { transaction_id: id };
      // biome-ignore lint/suspicious/noExplicitAny: these tests read members of many kinds of results.
      const answer = (await operation(services, { merchant, parameters, body })) as any;
      return { answer, statements: store.statements() - before };
    };
    return { services, merchant, run };
  }

  const { name: _, phone: __, ...anonymous } = paymentRequest().customer;

  it.each<[string, number, CreatePaymentRequest]>([
    // The transaction, and the search key of the phone.
    ['host-to-host', 2, paymentRequest()],
    ['redirect', 2, paymentRequest({}, REDIRECT)],
    // Counts the amount to collect, and writes the webhook.
    ['data that it lacks', 3, { ...paymentRequest(), customer: anonymous }],
  ])('of a creation with %s are %i', async (_what, expected, request) => {
    const { run } = await startCounting();
    expect((await run(createPayment, request)).statements).toBe(expected);
  });

  it('cover two steps of a clarification: accepting the data, and the channel’s result', async () => {
    const { run } = await startCounting();
    const { answer } = await run(createPayment, { ...paymentRequest(), customer: anonymous });
    const clarified = await run(clarifyPayment, clarification(answer), answer.transaction_id);
    expect(clarified).toMatchObject({ statements: 6, answer: { status: 'PAY_CONFIRMATION_NEEDED' } });
    const confirmed = await run(confirmPayment, confirmation(clarified.answer), answer.transaction_id);
    expect(confirmed).toMatchObject({ statements: 3, answer: { status: 'VERIFYING' } });
  });

  it('cover two steps of a payment whose worker calls the channel', async () => {
    const { services, merchant, run } = await startCounting();
    const { answer } = await run(createPayment, paymentRequest());
    const payment = await transactionById(services.store.read, merchant.id, 'payment', answer.transaction_id);
    const moved = await run(async () => payment && advanceTransaction(services, payment), {});
    // It counts the requested amount, then the larger offer.
    expect(moved).toMatchObject({ statements: 5, answer: { status: 'PAY_CONFIRMATION_NEEDED' } });
  });
});
