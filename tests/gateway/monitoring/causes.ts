/** Causes of alerts, each produced at a separate gateway. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { openSqlite } from '../../../gateway/src/database/sqlite/sqlite-store.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { createApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { createSigningSecret } from '../../../gateway/src/merchants/signing-secrets.ts';
import { operatorForUser } from '../../../gateway/src/operators/operators.ts';
import { type Clock, systemClock } from '../../../gateway/src/platform/clock.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { NO_KEYS } from '../../../gateway/src/platform/key-ring.ts';
import { systemTimers } from '../../../gateway/src/platform/timers.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../../../gateway/src/server.ts';
import { compareTransactions, insertLines, insertStatement } from '../../../gateway/src/transactions/statements.ts';
import { mountSmallDisk } from '../../tools/small-disk.ts';
import { everyChannel, SIMULATOR } from '../harness/channels.ts';
import { addMerchant, addPayment, fund, paymentRequest } from '../harness/fixtures.ts';
import { afterwards, openTestSqlite } from '../harness.ts';
import { hang, startReceiver, status } from '../webhooks/receiver.ts';

export interface Subject {
  readonly url: string;
  readonly gateway: Gateway;
  readonly merchant: Merchant;
  /** Creates a payment. */
  pay(callbackUrl?: string): Promise<unknown>;
}

export interface Cause {
  readonly alerts: readonly string[];
  /** Options of the gateway. Undefined if the cause is impossible on this machine. */
  readonly prepare?: () => Promise<Partial<GatewayOptions> | undefined>;
  /** Whether a second gateway is monitored. */
  readonly isOneOfTwo?: boolean;
  /** Starts once the gateway has been monitored briefly. */
  readonly begin: (subject: Subject) => Promise<unknown>;
}

/** Starts a gateway without a sandbox, with a merchant. */
export async function startSubject(options: Partial<GatewayOptions>): Promise<Subject> {
  const store = options.store ?? (await openTestSqlite());
  const gateway = await createGateway({
    ...{ store, publicUrl: () => '', methods: sandboxMethods, callbackAllow: ['127.0.0.0/8'], clock: systemClock },
    metrics: { cachedMs: 1_000 },
    closeMsMax: 100,
    ...options,
  });
  afterwards(() => gateway.close());
  const merchant = await addMerchant(store);
  await store.unit((db) => createSigningSecret(db, merchant.id, Date.now(), NO_KEYS));
  const { key } = await store.unit((db) => createApiKey(db, merchant.id, Date.now()));
  await gateway.listen({ host: '127.0.0.1', port: 0 });
  const address = gateway.server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return {
    ...{ url, gateway, merchant },
    async pay(callbackUrl) {
      const body = JSON.stringify(paymentRequest(callbackUrl ? { callback_url: callbackUrl } : {}));
      return (await fetch(`${url}/payments`, { method: 'POST', headers, body })).text();
    },
  };
}

/** Repeats it until the test ends. */
function keep(doing: () => Promise<unknown>, everyMs: number): void {
  const timer = setInterval(() => void doing().catch(() => undefined), everyMs);
  afterwards(async () => clearInterval(timer));
}

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const channels = (replaced: Partial<Channel>, channelMsMax: number) => async () => ({
  channels: everyChannel(replaced),
  channelMsMax,
});

/** Webhooks due immediately, to a slow endpoint. */
async function fillOutbox({ gateway, merchant }: Subject): Promise<void> {
  const { store } = gateway;
  const receiver = await startReceiver((response) => void setTimeout(() => response.writeHead(204).end(), 1_000));
  const payment = await addPayment(store, merchant, { dueAt: undefined, status: 'FAILED' });
  await store.unit(async (db) => {
    for (let count = 0; count < 5_000; count++) {
      await db.run(
        `insert into events (id, merchant_id, transaction_id, url, address, body, created_at, attempts, next_at)
         values (?, ?, ?, ?, ?, '{}', ?, 0, ?)`,
        ...[`evt_${count}`, merchant.id, payment.id, `${receiver.address}/hook`, receiver.address],
        ...[Date.now(), Date.now()],
      );
    }
  });
}

/** A clock with a function that makes it jump. */
function jumpingClock(): { clock: Clock; jump: (ms: number) => void } {
  let offset = 0;
  const clock: Clock = {
    now: () => systemClock.now() + offset,
    until: (time, signal) => systemClock.until(time - offset, signal),
  };
  return { clock, jump: (ms) => (offset += ms) };
}

function fullDisk(): Cause {
  let fill = async () => {};
  return {
    alerts: ['GatewayRefusesRequests', 'GatewayDiskFillsUp'],
    async prepare() {
      const folder = await mkdtemp(join(tmpdir(), 'alerts-disk-'));
      afterwards(() => rm(folder, { recursive: true, force: true }));
      const disk = await mountSmallDisk(folder);
      if (!disk) return undefined;
      afterwards(() => disk.remove());
      fill = () => disk.fill();
      const store = openSqlite(join(folder, 'gateway.db'));
      await migrate(store);
      return { store };
    },
    async begin(subject) {
      await fill();
      keep(() => subject.pay(), 500);
    },
  };
}

function jumpedClock(): Cause {
  const { clock, jump } = jumpingClock();
  return {
    alerts: ['GatewayClockJumped', 'GatewayClockWrong'],
    prepare: async () => ({ clock, uptime: systemTimers.elapsed }),
    begin: async () => jump(120_000),
  };
}

/** A gateway with each cause. */
export const CAUSES: Readonly<Record<string, () => Cause>> = {
  'a backlog of webhooks': () => ({ alerts: ['GatewayWebhookBacklog'], begin: fillOutbox }),
  'a hanging endpoint': () => ({
    alerts: ['GatewayEndpointHangs'],
    async begin(subject) {
      const { address } = await startReceiver(hang);
      for (let count = 0; count < 5; count++) await subject.pay(`${address}/hook`);
    },
  }),
  'an endpoint that responds with 500': () => ({
    alerts: ['GatewayEndpointFails'],
    async begin(subject) {
      await subject.pay(`${(await startReceiver(status(500))).address}/hook`);
    },
  }),
  'an endpoint that responds with 410': () => ({
    alerts: ['GatewayEndpointGone'],
    async begin(subject) {
      await subject.pay(`${(await startReceiver(status(410))).address}/hook`);
    },
  }),
  'a gateway that has stopped': () => ({
    alerts: ['GatewayDown', 'GatewayUnreachable'],
    begin: ({ gateway }) => gateway.close(),
  }),
  'one of two gateways that has stopped': () => ({
    alerts: ['GatewayInstanceDown'],
    isOneOfTwo: true,
    begin: ({ gateway }) => gateway.close(),
  }),
  'a gateway that is draining': () => ({
    alerts: ['GatewayNotReady', 'GatewayInstanceDown'],
    async begin({ gateway }) {
      const ended = new AbortController();
      afterwards(async () => ended.abort());
      void gateway.drain(600_000, ended.signal);
    },
  }),
  'a statement with an unknown payout': () => ({
    alerts: ['GatewayStatementsDiffer'],
    async begin({ gateway }) {
      const written = { now: Date.now(), ids: randomIds };
      await gateway.store.unit(async (db) => {
        const { id: operator } = await operatorForUser(db, 'test', written.now);
        const file = { channel: 'bank', hash: '', from: 0, before: 1 };
        const id = (await insertStatement(db, file, operator, written)) ?? '';
        await insertLines(db, { id, channel: 'bank' }, [{ transactionId: 'out_1', amount: 1, currency: 'INR' }], 1);
        await compareTransactions(db, 'bank', ['out_1'], written);
      });
    },
  }),
  'a payment stuck in VERIFYING': () => ({
    alerts: ['GatewayTransactionsStuck', 'GatewayTransactionsOld'],
    begin: ({ gateway, merchant }) =>
      addPayment(gateway.store, merchant, {
        ...{ status: 'VERIFYING', createdAt: Date.now() - 7_200_000, dueAt: undefined },
      }),
  }),
  'a slow channel': () => ({
    alerts: ['GatewayChannelSlow'],
    prepare: channels({ initiate: (...args) => after(3_000).then(() => SIMULATOR.initiate(...args)) }, 10_000),
    begin: async (subject) => keep(() => subject.pay(), 500),
  }),
  'lost responses of a channel': () => ({
    alerts: ['GatewayChannelLosesResponses'],
    prepare: channels({ initiate: () => new Promise(() => undefined) }, 500),
    begin: async (subject) => keep(() => subject.pay(), 500),
  }),
  'a full disk': fullDisk,
  'a wallet changed by hand': () => ({
    alerts: ['GatewayWalletChanged'],
    async begin({ gateway, merchant }) {
      await fund(gateway.store, merchant, 100_000);
      await gateway.store.unit((db) =>
        db.run('update wallets set available = available + 1 where merchant_id = ?', merchant.id),
      );
    },
  }),
  'a clock that jumps': jumpedClock,
};
