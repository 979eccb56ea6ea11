/** Two gateways on one database in the portable profile, with clients of both, and conflicts. */
import { expect } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import type { Row } from '../../../gateway/src/database/store.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { injectConflicts } from '../harness/conflicts.ts';
import { confirmation } from '../harness/customer.ts';
import { fund, paymentRequest, payoutRequest, START } from '../harness/fixtures.ts';
import { createCaller } from '../harness/gateway.ts';
import { postgresDatabase, startTestGateway } from '../harness.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const DAY_MS = 24 * 60 * 60_000;
const PAYOUT = 1_000;

interface Load {
  readonly seed: string;
  /** Payments, and half as many payouts. */
  readonly payments: number;
  /** The share of transactions with a conflict. */
  readonly share: number;
}

/**
 * Creates each transaction at both gateways concurrently, runs all to a final status, and expects each exactly once.
 * The wallet initially covers half of the payouts.
 */
export async function carryLoad({ seed, payments, share }: Load) {
  const conflicts = injectConflicts(seed, share);
  const database = await postgresDatabase(conflicts.connection);
  const [store, other] = [database.connect(), database.connect()];
  await Promise.all([migrate(store), migrate(other)]);
  const receiver = await startReceiver();
  const options = { clock: new ManualClock(START), callbackAllow: ['127.0.0.0/8'] };
  const one = await startTestGateway({ store, ...options });
  const two = await startTestGateway({ store: other, ...options });
  const calls = [one.call, createCaller(two.gateway, one.key)];
  await fund(store, one.merchant, (payments / 4) * PAYOUT);

  const create = async (path: string, request: object) => {
    const [first, again] = await Promise.all(calls.map((call) => call('POST', path, request)));
    expect(again?.body.transaction_id).toBe(first?.body.transaction_id);
    return String(first?.body.transaction_id);
  };
  // Gateways of other tests may still send webhooks to an earlier endpoint with this port.
  const path = `/webhooks/${randomIds.text(16)}`;
  const callback = { callback_url: receiver.address + path };
  const [made, madePayouts] = await Promise.all([
    Promise.all(Array.from({ length: payments }, () => create('/payments', paymentRequest(callback)))),
    Promise.all(
      Array.from({ length: payments / 2 }, () => create('/payouts', payoutRequest({ amount: PAYOUT, ...callback }))),
    ),
  ]);
  const idle = () => Promise.all([one.gateway.idle(), two.gateway.idle()]);
  await idle();
  await Promise.all(
    made.map(async (id, index) => {
      const { body } = await one.call('GET', `/payments/${id}`);
      await calls[index % 2]?.('POST', `/payments/${id}/confirm`, confirmation(body));
    }),
  );
  for (let day = 0; day < 10; day++) {
    await idle();
    options.clock.advance(DAY_MS);
  }
  await idle();

  const rows = (sql: string) => store.read.all(sql);
  const ids = (found: readonly Row[]) => found.map(({ id }) => String(id));
  expect(ids(await rows('select id from transactions order by id'))).toEqual([...made, ...madePayouts].sort());
  expect(await rows("select id from transactions where status not in ('SUCCESS', 'FAILED')")).toEqual([]);
  expect((await auditStore(store)).differences).toEqual([]);
  const requests = receiver.requests.filter((request) => request.path === path);
  const received = requests.map(({ headers }) => String(headers['webhook-id']));
  expect(received.sort()).toEqual(ids(await rows('select id from events order by id')));
  return {
    conflicts,
    paidOut: (await rows("select id from transactions where kind = 'payout' and status = 'SUCCESS'")).length,
  };
}
