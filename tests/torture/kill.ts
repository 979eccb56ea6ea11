/** kill -9 at a random time under load. */
import { join } from 'node:path';
import { startPostgres } from '../tools/postgres.ts';
import { pause } from '../tools/wait.ts';
import { type FaultContext, runFaults } from './faults.ts';
import { BASE, type Result, startGateway, type Torture } from './gateways.ts';

/** The longest and the shortest load before a kill. */
const LOAD_MS = { min: 30, max: 400 };

/** Kills the gateway of an SQLite file, and starts a replacement. */
export function killGateways(torture: Torture, rounds: number): Promise<Result> {
  return killOn({ DATABASE_FILE: join(torture.folder, 'gateway.db') }, 1, torture, rounds);
}

/** Kills one of two gateways on PostgreSQL, and starts a replacement. */
export async function killGatewaysOnPostgres(torture: Torture, rounds: number): Promise<Result> {
  const { url, close } = await startPostgres();
  return killOn({ DATABASE_URL: url, SANDBOX: 'false' }, 2, torture, rounds).finally(close);
}

function killOn(database: Record<string, string>, processes: number, torture: Torture, rounds: number) {
  const strike = async ({ env, gateways, random }: FaultContext) => {
    await pause(random.whole(LOAD_MS.min, LOAD_MS.max));
    const killed = random.whole(0, gateways.length - 1);
    await gateways[killed]?.end();
    gateways[killed] = await startGateway(env);
  };
  const check = async ({ shop, findings }: FaultContext) => {
    const { writesCut } = shop.counts;
    findings.expect(writesCut >= rounds, () => `only ${writesCut} writes were in flight at ${rounds} kills`);
  };
  const counts = ({ shop }: FaultContext) => ({ 'writes in flight at a kill': shop.counts.writesCut });
  const faults = { name: 'kill', plural: 'kills', rounds, env: { ...BASE, ...database }, processes };
  return runFaults({ ...faults, strike, check, counts }, torture);
}
