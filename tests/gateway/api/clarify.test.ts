/** Clarifying a payment: one of several requests reaches the channel, and accepted data is never lost. */

import { expect, it } from 'vitest';
import { type Channel, ChannelUnavailable } from '../../../gateway/src/channels/channel.ts';
import { createChannels } from '../../../gateway/src/channels/channels.ts';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { findMethod, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import type { Items } from '../../../gateway/src/domain/transaction.ts';
import { createApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { clarifyPayment } from '../../../gateway/src/payments/payments.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { storeTime } from '../../../gateway/src/platform/merchant-time.ts';
import { problemType } from '../../tools/problems.ts';
import { settled } from '../harness/customer.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { describeOnEachStore, everyChannel, SIMULATOR, startTestGateway, type TestGateway } from '../harness.ts';

const VALIDITY_MS = findMethod(sandboxMethods, 'payment', 'UPI_IN')?.validityMs ?? 0;
/** The lease of a channel call. */
const LEASE_MS = 6_000;

/** A channel whose clarify call waits until released, and records its data. */
function gate() {
  const given: Items[] = [];
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const { promise: open, resolve: letGo } = Promise.withResolvers<void>();
  const clarify: Channel['clarify'] = async (payment, items, now) => {
    given.push(items);
    enter();
    await open;
    return SIMULATOR.clarify(payment, items, now);
  };
  return { given, entered, letGo, channels: everyChannel({ clarify }) };
}

async function unclarified(test: TestGateway): Promise<string> {
  const request = paymentRequest({ customer: { id: 'clarify-email' } });
  const { body } = await test.call('POST', '/payments', request);
  expect(await settled(test, test.call, body.transaction_id)).toMatchObject({ status: 'EXTRA_DATA_NEEDED' });
  return `/payments/${body.transaction_id}/clarify`;
}

const data = (email: string) => ({ clarify_data: { email } });

describeOnEachStore('a clarification', (open, database) => {
  it('reaches the channel once for two requests with different data', async () => {
    const { given, entered, letGo, channels } = gate();
    const test = await startTestGateway({ store: await open(), channels });
    const path = await unclarified(test);
    const first = test.call('POST', path, data('first@example.com'));
    await entered;
    const second = await test.call('POST', path, data('second@example.com'));
    expect(second).toMatchObject({ status: 409, body: { type: problemType('wrong-state') } });
    expect(second.body.detail).toContain('already');
    letGo();
    expect(await first).toMatchObject({ status: 200, body: { status: 'PAY_CONFIRMATION_NEEDED' } });
    expect(given).toEqual([{ email: 'first@example.com' }]);
  });

  it('reaches the channel once for concurrent requests to two gateways on one database', async () => {
    const { given, letGo, channels } = gate();
    letGo();
    const shared = await database();
    const store = shared.connect();
    await migrate(store);
    const test = await startTestGateway({ store, channels });
    const other = await startTestGateway({ store: shared.connect(), clock: test.clock, channels });
    const path = await unclarified(test);
    const { key } = await store.unit((db) => createApiKey(db, test.merchant.id, test.clock.now()));
    const authorization = `Bearer ${key}`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        (index % 2 === 0 ? test : other).call('POST', path, data(`${index}@example.com`), { authorization }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(given).toEqual([{ email: `${winner}@example.com` }]);
  });

  it('is completed with the same data by another gateway when the first one dies during its call', async () => {
    const shared = await database();
    const store = shared.connect();
    await migrate(store);
    const living = gate();
    living.letGo();
    const test = await startTestGateway({ store, channels: living.channels });
    const path = await unclarified(test);
    const id = path.split('/')[2] ?? '';
    // The dying process runs no worker.
    const dying = gate();
    const services = {
      store: shared.connect(),
      clock: test.clock,
      time: storeTime(test.clock),
      ids: randomIds,
      methods: sandboxMethods,
      channels: createChannels(sandboxMethods, dying.channels),
      checkoutUrl: String,
      wake: () => undefined,
      report: () => undefined,
    };
    const body = data('first@example.com');
    const answer = clarifyPayment(services, { merchant: test.merchant, parameters: { transaction_id: id }, body });
    await dying.entered;
    test.clock.advance(LEASE_MS - 1);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'EXTRA_DATA_NEEDED' });
    expect(living.given).toEqual([]);
    test.clock.advance(1);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
    expect(living.given).toEqual([{ email: 'first@example.com' }]);
    const row = await store.read.get('select state from transactions where id = ?', id);
    expect(JSON.parse(String(row?.['state']))).toMatchObject({ supplied: { email: 'first@example.com' } });
    dying.letGo();
    // The process presumed dead reads the current payment without changing it.
    expect(await answer).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
    const events = await store.read.all(`select body from events where body like '%PAY_CONFIRMATION_NEEDED%'`);
    expect(events).toHaveLength(1);
  });

  it('is repeated with the same data until the channel responds, and rejects other data in between', async () => {
    const given: Items[] = [];
    const clarify: Channel['clarify'] = async (payment, items, now) => {
      given.push(items);
      if (given.length === 1) throw new Error('timeout');
      if (given.length === 2) throw new ChannelUnavailable('CHANNEL_DOWN');
      return SIMULATOR.clarify(payment, items, now);
    };
    const test = await startTestGateway({ store: await open(), channels: everyChannel({ clarify }) });
    const path = await unclarified(test);
    const taken = await test.call('POST', path, data('first@example.com'));
    expect(taken).toMatchObject({ status: 200, body: { status: 'EXTRA_DATA_NEEDED' } });
    expect((await test.call('POST', path, data('second@example.com'))).status).toBe(409);
    test.clock.advance(2_000);
    await test.gateway.idle();
    test.clock.advance(4_000);
    const id = path.split('/')[2] ?? '';
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
    expect(given).toEqual([1, 2, 3].map(() => ({ email: 'first@example.com' })));
  });

  it('declines the payment if its channel is unavailable on the first call', async () => {
    const clarify = () => Promise.reject(new ChannelUnavailable('CHANNEL_DOWN'));
    const test = await startTestGateway({ store: await open(), channels: everyChannel({ clarify }) });
    const answer = await test.call('POST', await unclarified(test), data('first@example.com'));
    expect(answer).toMatchObject({ status: 200, body: { status: 'FAILED', decline_reason: 'CHANNEL_DOWN' } });
  });

  it('expires with its session if its data never reached the channel', async () => {
    const clarify = () => Promise.reject(new Error('timeout'));
    const test = await startTestGateway({ store: await open(), channels: everyChannel({ clarify }) });
    const path = await unclarified(test);
    await test.call('POST', path, data('first@example.com'));
    test.clock.advance(VALIDITY_MS);
    const shown = await settled(test, test.call, path.split('/')[2] ?? '');
    expect(shown).toMatchObject({ status: 'FAILED', decline_reason: 'TIMEOUT_EXPIRED' });
  });
});
