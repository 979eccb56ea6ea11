/**
 * A live day of business: a gateway, the example's provider, and a shop with customers. Gateway and provider are
 * separate processes and killed while they work. Everything is retried until it succeeds.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { requestExamples } from '../../../generated/examples.ts';
import type { Ran } from '../../../scripts/tools/process.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { freePort } from '../../tools/port.ts';
import { seeded } from '../../tools/random.ts';
import { GATEWAY, type Server, startServer } from '../../tools/server.ts';
import { pause } from '../../tools/wait.ts';
import { createRunner, toEnvironment } from '../commands/run-command.ts';
import { afterwards, type TestDatabase, temporaryFolder } from '../harness.ts';
import { startReceiver, status } from '../webhooks/receiver.ts';

const PROVIDER = join(ROOT, 'gateway/examples/http-channel/provider.ts');
const CONFIG = join(ROOT, 'tests/gateway/http-channel/live.config.ts');
const FUNDS = 100_000_000;
const PROVIDER_KEY = 'key-of-the-provider';
/** Delay between retries, and between polls. */
const PAUSE_MS = 50;
const FAULTS = 0.1;
const AT_ONCE = 8;
/** Steps between two kills. */
const STEPS = { min: 20, max: 200 };

interface Business {
  /** Runs a command of the gateway. Returns its exit code and output. */
  readonly run: (...args: string[]) => Promise<Pick<Ran, 'code' | 'stdout'>>;
  /** Sets the provider's share of faults. */
  setFaults(share: number): Promise<void>;
  /** The number of each fault so far. */
  readonly faults: Readonly<Record<string, number>>;
  /** Runs a payment and a payout for each of these numbers, `atOnce` concurrently. Returns when all are final. */
  work(first: number, count: number, atOnce: number): Promise<void>;
  /** Repeatedly kills and restarts one of the two processes, after some progress each time. */
  killWhileWorking(kills: number, work: Promise<void>): Promise<void>;
  /** Final statuses with their numbers. */
  readonly ended: Readonly<Record<string, number>>;
  /** The provider's statement. */
  statement(): Promise<string>;
}

/** Starts all processes on an empty database, without faults. */
async function openBusiness(database: TestDatabase, seed: number): Promise<Business> {
  let faults = 0;
  const folder = await temporaryFolder();
  const [gatewayPort, providerPort] = [await freePort(), await freePort()];
  const urls = { gateway: `http://127.0.0.1:${gatewayPort}`, provider: `http://127.0.0.1:${providerPort}` };
  const secrets = {
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PROVIDER_KEY,
    PROVIDER_SECRET: 'secret-of-the-provider',
  };
  const env = {
    ...toEnvironment(database),
    ...secrets,
    ...{ LIVE: 'true', CONFIG, PROVIDER_URL: urls.provider, PORT: String(gatewayPort), LOG_LEVEL: 'silent' },
    ...{ CALLBACK_ALLOW: '127.0.0.0/8', DRAIN_MS: '0' },
  };
  const prepare = createRunner(env);
  await prepare('migrate', '--mode', 'live');
  const created = await prepare('merchant', 'create', 'Chai House', 'INR');
  const key = /sk_live_\S+/.exec(created.stdout)?.[0] ?? '';
  await prepare('fund', '10001', String(FUNDS), 'INR');
  const receiver = await startReceiver(status(204));

  const begin = {
    gateway: () => startServer([GATEWAY, 'start'], { env }),
    provider: () =>
      startServer([PROVIDER], {
        env: {
          ...secrets,
          ...{ PROVIDER_PORT: String(providerPort), STORE: join(folder, 'provider.jsonl'), FAULTS: String(faults) },
          NOTIFY: `${urls.gateway}/channels/bank/notifications`,
        },
      }),
  };
  const servers: Record<keyof typeof begin, Server> = {
    provider: await begin.provider(),
    gateway: await begin.gateway(),
  };
  afterwards(() => Promise.all(Object.values(servers).map((server) => server.end())));

  /** Sends a request until a process that is neither stopped nor overloaded responds. */
  async function call(where: keyof typeof urls, method: string, path: string, body?: object) {
    const authorization = `Bearer ${where === 'gateway' ? key : PROVIDER_KEY}`;
    for (;;) {
      const response = await fetch(urls[where] + path, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
        .then(async (one) => ({ status: one.status, text: await one.text() }))
        .catch(() => undefined);
      if (response && response.status < 500 && response.status !== 429) return response;
      await pause(PAUSE_MS);
    }
  }

  const happened: Record<string, number> = {};
  /** The provider counts from its start or from the previous call. */
  async function setFaults(share: number): Promise<void> {
    faults = share;
    const counts: Record<string, number> = JSON.parse(
      (await call('provider', 'POST', '/faults', { amount: share })).text,
    );
    for (const [fault, count] of Object.entries(counts)) happened[fault] = (happened[fault] ?? 0) + count;
  }

  const callbackUrl = `${receiver.address}/webhooks`;
  const shop = new Shop(call, callbackUrl);
  return {
    run: (...args) => run(process.execPath, [GATEWAY, ...args], { env, allowFailure: true }),
    ended: shop.ended,
    async work(first, count, atOnce) {
      const numbers = Array.from({ length: count }, (_, index) => first + index);
      const hand = async () => {
        for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) {
          await shop.order(number);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, hand));
    },
    async killWhileWorking(kills, work) {
      const random = seeded(seed);
      let working = true;
      work.finally(() => (working = false)).catch(() => undefined);
      for (let kill = 0; kill < kills; kill++) {
        const before = shop.steps;
        const steps = random.whole(STEPS.min, STEPS.max);
        while (working && shop.steps < before + steps) await pause(PAUSE_MS);
        const name = random.of(['gateway', 'provider'] as const);
        if (name === 'provider') await setFaults(faults);
        await servers[name].end('SIGKILL');
        servers[name] = await begin[name]();
      }
      await work;
    },
    setFaults,
    faults: happened,
    statement: async () => (await call('provider', 'GET', '/statement')).text,
  };
}

export interface Day {
  readonly seed: number;
  readonly orders: number;
  readonly kills: number;
}

/** A day on an empty database, which ends with equal books of the ledger and the provider. */
export async function expectBooksToAgree(database: TestDatabase, { seed, orders, kills }: Day) {
  const business = await openBusiness(database, seed);
  // Transactions before the first fault can't be declined for one, so that some succeed.
  await business.work(0, 1, 1);
  expect(business.ended).toHaveProperty([`payout to ${ACCOUNTS[0]}: SUCCESS`]);
  await business.setFaults(FAULTS);
  await business.killWhileWorking(kills, business.work(1, orders, AT_ONCE));
  await business.setFaults(0);
  const statement = join(await temporaryFolder(), 'statement.csv');
  await writeFile(statement, await business.statement());
  expect((await business.run('audit')).stdout).toContain(' 0 differences');
  const { code, stdout } = await business.run('reconcile', 'bank', statement);
  expect(stdout).toMatch(/^[1-9]\d* entries of the channel bank, 0 differences\n$/);
  expect(code).toBe(0);
  return { ended: business.ended, faults: business.faults };
}

type Call = (
  where: 'gateway' | 'provider',
  method: string,
  path: string,
  body?: object,
) => Promise<{ status: number; text: string }>;

/** Customers may pay the requested amount, another amount, or not at all, and may not confirm. */
const CUSTOMERS = ['pays', 'pays', 'pays more', 'pays and forgets', 'never pays'] as const;
/** The last one is unknown to the provider. The first one, and the customers, have a meaning in a sandbox. */
const ACCOUNTS = ['999000000001', '123456789012', '123456780000'];
const IDS = ['decline-BANK_REJECTED', 'manual', 'stop-VERIFYING', 'customer-1'];

function inTurn<T>(items: readonly T[], number: number): T {
  return items[number % items.length] as T;
}

class Shop {
  readonly ended: Record<string, number> = {};
  /** Steps so far, which determine the kills. */
  steps = 0;
  readonly #call: Call;
  readonly #callbackUrl: string;

  constructor(call: Call, callbackUrl: string) {
    this.#call = call;
    this.#callbackUrl = callbackUrl;
  }

  async order(number: number): Promise<void> {
    await Promise.all([this.#pay(number), this.#payOut(number)]);
  }

  async #pay(number: number): Promise<void> {
    const { body } = requestExamples.createPayment['h2h-upi'];
    const customer = { ...body.customer, id: inTurn(IDS, number) };
    const id = await this.#create('/payments', { ...body, merchant_order_id: `order-${number}`, customer });
    const behavior = inTurn(CUSTOMERS, number);
    const asked = await this.#until(`/payments/${id}`, (one) => one.status !== 'CREATED');
    if (asked.status === 'PAY_CONFIRMATION_NEEDED' && behavior !== 'never pays') {
      const amount = behavior === 'pays more' ? body.amount + 100 : body.amount;
      await this.#do('provider', 'POST', `/app/${id}/pay`, { amount });
      if (behavior !== 'pays and forgets') {
        await this.#do('gateway', 'POST', `/payments/${id}/confirm`, { confirm_data: { tid: String(number) } });
      }
    }
    await this.#untilFinal(`/payments/${id}`, `payment of a customer who ${behavior}`);
  }

  async #payOut(number: number): Promise<void> {
    const { body } = requestExamples.createPayout['imps-inr'];
    const account = inTurn(ACCOUNTS, number);
    const customer = { ...body.customer, id: inTurn(IDS, number), account_number: account };
    const id = await this.#create('/payouts', { ...body, merchant_order_id: `payout-${number}`, customer });
    await this.#untilFinal(`/payouts/${id}`, `payout to ${account}`);
  }

  async #create(path: string, body: object): Promise<string> {
    const { text } = await this.#do('gateway', 'POST', path, { ...body, callback_url: this.#callbackUrl });
    const { transaction_id: id } = JSON.parse(text) as { transaction_id?: string };
    if (id === undefined) throw new Error(`the gateway responded to ${path} with ${text}`);
    return id;
  }

  async #do(...request: Parameters<Call>) {
    const response = await this.#call(...request);
    this.steps++;
    return response;
  }

  async #untilFinal(path: string, what: string): Promise<void> {
    const { status: final } = await this.#until(path, (one) => one.status === 'SUCCESS' || one.status === 'FAILED');
    const name = `${what}: ${final}`;
    this.ended[name] = (this.ended[name] ?? 0) + 1;
  }

  async #until(path: string, holds: (shown: { status: string }) => boolean): Promise<{ status: string }> {
    for (;;) {
      const shown = JSON.parse((await this.#do('gateway', 'GET', path)).text) as { status: string };
      if (holds(shown)) return shown;
      await pause(PAUSE_MS);
    }
  }
}
