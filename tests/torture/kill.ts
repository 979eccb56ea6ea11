/** kill -9 under load, at a random time or during deliveries. */
import { join } from 'node:path';
import { pause, until } from '../tools/wait.ts';
import { type FaultContext, runFaults } from './faults.ts';
import { BASE, startGateway } from './gateways.ts';
import type { Result, Torture } from './part.ts';

export interface KillOptions {
  readonly rounds: number;
  /** Processes on the database, of which one is killed in each round. */
  readonly processes?: number;
  /** PostgreSQL, instead of an SQLite file in the folder. */
  readonly databaseUrl?: string;
  /** Whether some orders are slow, which prolongs the end as well. */
  readonly patient?: boolean;
}

/** One round in this many kills during deliveries. */
const DELIVERY_EVERY = 3;
const HELD_WITHIN_MS = 5_000;
/** The longest and the shortest load before the other kills. */
const LOAD_MS = { min: 30, max: 400 };

/** Kills gateways under load and starts replacements. */
export function torturedByKills(
  torture: Torture,
  { rounds, processes = 1, databaseUrl, patient = false }: KillOptions,
): Promise<Result> {
  const database = databaseUrl ? { DATABASE_URL: databaseUrl } : { DATABASE_FILE: join(torture.folder, 'gateway.db') };
  let killed = 0;
  let duringDelivery = 0;

  async function strike({ gateways, receiver, moments, findings }: FaultContext, round: number): Promise<void> {
    if (round % DELIVERY_EVERY === 0) {
      receiver.hold();
      const held = await until(() => receiver.held > 0, HELD_WITHIN_MS);
      findings.expect(held !== undefined, () => `no webhook came within ${HELD_WITHIN_MS} ms of load`);
      if (held !== undefined) duringDelivery++;
    } else await pause(moments.whole(LOAD_MS.min, LOAD_MS.max));
    killed = moments.whole(0, gateways.length - 1);
    await gateways[killed]?.end();
  }
  async function repair({ env, gateways, receiver }: FaultContext): Promise<void> {
    receiver.release();
    gateways[killed] = await startGateway(env);
  }
  async function check({ shop, findings }: FaultContext): Promise<void> {
    const { writesCut } = shop.counts;
    findings.expect(writesCut >= rounds, () => `only ${writesCut} writes were under way at ${rounds} kills`);
  }
  const counts = ({ shop }: FaultContext) => ({
    'of them during delivery': duringDelivery,
    'writes under way at a kill': shop.counts.writesCut,
  });
  // Only gateways without a sandbox share a database.
  const env = { ...BASE, ...database, ...(processes > 1 && { SANDBOX: 'false' }) };
  return runFaults(
    { name: 'kill', what: 'kills', rounds, env, processes, patient, strike, repair, check, counts },
    torture,
  );
}
