/**
 * Repeats a fault of gateways or their database under load. After each fault, all acknowledged data is read again and
 * the ledger is audited. At the end all orders reach a final status, and all data is compared again.
 */
import type { Store } from '../../gateway/src/database/store.ts';
import { auditStore } from '../../gateway/src/management/audit.ts';
import { addMerchant, connect, type DatabaseSettings } from '../load/merchants.ts';
import { ReplicatedPostgres } from '../tools/replicated-postgres.ts';
import { type Server, startGatewayProcess } from '../tools/server.ts';
import { pause, until } from '../tools/wait.ts';
import { Shop } from './shop.ts';

export interface Torture {
  readonly database: DatabaseSettings;
  readonly gateways: Server[];
  readonly shop: Shop;
}

type Fault = (torture: Torture, round: number) => Promise<void>;

interface Plan {
  readonly database: DatabaseSettings;
  /** Number of gateways on the database. */
  readonly processes: number;
  readonly rounds: number;
  readonly fault: Fault;
}

const COMMITS_WITHIN_MS = 20_000;
/** Milliseconds for which the gateways are connected to a standby. */
const ON_STANDBY_MS = 200;

/** Runs the fault under load, and returns the shop with its findings. */
export async function torture({ database, processes, rounds, fault }: Plan): Promise<Shop> {
  const { key } = await addMerchant(database);
  const gateways = await Promise.all(Array.from({ length: processes }, () => startGateway(database)));
  const shop = await Shop.open(key, () => gateways.filter((gateway) => gateway.alive()).map(({ url }) => url));
  const { findings } = shop;
  try {
    for (let round = 1; round <= rounds && findings.length === 0; round++) {
      await shop.workDuring(() => fault({ database, gateways, shop }, round));
      await shop.verify();
      findings.push(...(await inDatabase(database, auditStore)).differences);
    }
    // A lost order never completes, and waiting for it reveals no more.
    if (findings.length > 0) return shop;
    await shop.settle();
    await shop.verify();
    findings.push(...(await inDatabase(database, auditStore)).differences);
    const stored = await inDatabase(database, ({ read }) => read.all('select id from transactions'));
    shop.expect(stored.length === shop.ordered, () => `${shop.ordered} orders have ${stored.length} transactions`);
    return shop;
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.end()));
    await shop.close();
  }
}

/** Kills a gateway with `kill -9` at a random time, and starts a replacement. */
export const killGateway: Fault = async ({ database, gateways, shop }) => {
  await pause(shop.random.whole(30, 400));
  const killed = shop.random.whole(0, gateways.length - 1);
  await gateways[killed]?.end();
  gateways[killed] = await startGateway(database);
};

/** A fault during which requests are refused. `end` ends it, and orders are accepted again. */
export function outage(begin: () => Promise<void>, end: () => Promise<void>): Fault {
  return async ({ shop }) => {
    await shop.untilOrdered();
    await begin();
    await shop.untilRefused();
    await end();
    await shop.untilOrdered();
  };
}

/**
 * Kills the primary with `kill -9` and promotes its standby, which has all acknowledged commits if it is synchronous.
 * In even rounds, the standby is cut off before, so that commits wait for it during the kill. In odd rounds, the
 * gateways' address leads to the standby before it is promoted. Each standby becomes the next primary.
 */
export async function failOver(rounds: number, synchronous = true): Promise<Shop> {
  const postgres = await ReplicatedPostgres.start({ synchronous });
  const fault: Fault = async ({ shop }, round) => {
    await shop.untilOrdered();
    await pause(shop.random.whole(100, 500));
    if (round % 2 === 0) await cutOffStandby(postgres, shop);
    // Lets commits of an asynchronous primary run ahead.
    if (!synchronous) {
      postgres.cutLink();
      await shop.untilOrdered();
    }
    await postgres.killPrimary();
    if (round % 2 === 1) await connectToStandby(postgres);
    await postgres.promote();
    postgres.moveAddress();
    await shop.untilOrdered(30_000);
    // Orders continue while the next standby is copied.
    await postgres.attachStandby();
    const acknowledged = await postgres.reviveFormerPrimary();
    shop.expect(!acknowledged, () => 'a primary that came back acknowledged a write');
  };
  const database = { DATABASE_URL: postgres.url };
  return torture({ database, processes: 2, rounds, fault }).finally(() => postgres.close());
}

/** Waits until a commit waits for the isolated standby. It must not be acknowledged. */
async function cutOffStandby(postgres: ReplicatedPostgres, shop: Shop): Promise<void> {
  postgres.cutLink();
  const waited = await until(async () => (await postgres.waitingCommits()) > 0, COMMITS_WITHIN_MS);
  shop.expect(waited !== undefined, () => 'no commit waited for the standby that was cut off');
}

async function connectToStandby(postgres: ReplicatedPostgres): Promise<void> {
  // Reads from a standby can lag behind acknowledged commits.
  await postgres.untilReplayed();
  postgres.moveAddress();
  await pause(ON_STANDBY_MS);
}

function startGateway(database: DatabaseSettings): Promise<Server> {
  return startGatewayProcess({
    ...{ DATABASE_URL: '', HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'fatal' },
    ...{ REQUESTS_PER_SECOND: '1000000', CALLBACK_ALLOW: '127.0.0.0/8' },
    ...database,
    ...('DATABASE_URL' in database && { SANDBOX: 'false' }),
  });
}

/**
 * Runs the work with a temporary connection to the gateways' database. An open connection to the SQLite file would
 * spare the next gateway the recovery after a kill.
 */
async function inDatabase<T>(database: DatabaseSettings, work: (store: Store) => Promise<T>): Promise<T> {
  const store = connect({ ...database });
  return work(store).finally(() => store.close());
}
