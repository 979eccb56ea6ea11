/** Requests per second on PostgreSQL, with one gateway and with two, compared with the bare flow. */
import { query } from '../tools/postgres.ts';
import {
  createDatabase,
  createPayments,
  createPayouts,
  endAll,
  type Fleet,
  startBareFlow,
  startFleet,
  withPostgres,
} from './gateways.ts';
import { alternate, type Bench, type Contender, createRow, load, type Row } from './measure.ts';
import { createPayment } from './requests.ts';

/** Enough callers to fill a commit. */
const MANY = 128;
const RATIO_MIN = { POST: 0.75, GET: 0.5 };
/** Per second, on one wallet. */
const MOVEMENTS_MIN = 3_000;
const WALLET_CONNECTIONS = 64;

export function measurePostgres(bench: Bench): Promise<Row[]> {
  bench.say('starting PostgreSQL, and gateways on it');
  return withPostgres(async (postgres) => {
    const one = await startFleet(await createDatabase(postgres, 'one'));
    const two = await startFleet(await createDatabase(postgres, 'two'), 2);
    const bare = await startBareFlow(await createDatabase(postgres, 'bare'));
    const wallet = await createDatabase(postgres, 'wallet');
    const owner = await startFleet(wallet);
    const fleets = { one, two, bare };
    try {
      // Before the POSTs of payments, whose background work would compete for the machine.
      const gets = await measureMethod(bench, 'GET', fleets);
      const movements = await alternate(bench, 'movements of one wallet', {
        owner: moveMoney(bench, owner, wallet.DATABASE_URL),
      });
      return [
        ...(await measureMethod(bench, 'POST', fleets)),
        ...gets,
        createRow('Movements of one wallet, PostgreSQL', '/s', movements.owner, ['≥', MOVEMENTS_MIN]),
      ];
    } finally {
      await endAll(one, two, bare, owner);
    }
  });
}

async function measureMethod(bench: Bench, method: 'POST' | 'GET', fleets: Record<'one' | 'two' | 'bare', Fleet>) {
  const contend = (fleet: Fleet, connections?: number): Contender => ({
    servers: fleet.servers,
    measure: async (round) => {
      const path = method === 'POST' ? '/payments' : `/payments/${await createPayment(fleet, `read-${round}`)}`;
      const urls = fleet.servers.map(({ url }) => url + path);
      const body = method === 'POST' ? createPayments(`${connections}-${round}`) : undefined;
      return load(urls, { ...bench, key: fleet.keys[0], ...(connections && { connections }), ...(body && { body }) });
    },
  });
  const rates = await alternate(bench, `${method} on PostgreSQL`, {
    bare: contend(fleets.bare),
    one: contend(fleets.one),
    many: contend(fleets.one, MANY),
    two: contend(fleets.two),
  });
  const peer = { name: 'bare flow', values: rates.bare };
  return [
    createRow(`${method}, PostgreSQL, 1 process`, '/s', rates.one, ['≥', RATIO_MIN[method]], peer),
    createRow(`${method}, PostgreSQL, 1 process, ${MANY} callers`, '/s', rates.many, ['≥', RATIO_MIN[method]], peer),
    createRow(`${method}, PostgreSQL, 2 processes`, '/s', rates.two, ['≥', RATIO_MIN[method]], peer),
  ];
}

/** Payouts of one wallet: each moves its money at creation, and again at its end. */
function moveMoney({ seconds }: Bench, { servers, keys: [key] }: Fleet, database: string): Contender {
  const countMovements = async () => {
    const { rows } = await query(database, 'select count(*) from ledger_entries');
    return Number(rows[0]?.[0]);
  };
  return {
    servers,
    async measure(round) {
      const body = createPayouts(`wallet-${round}`);
      const before = await countMovements();
      const began = performance.now();
      await load([`${servers[0].url}/payouts`], { key, seconds, connections: WALLET_CONNECTIONS, body });
      return ((await countMovements()) - before) / ((performance.now() - began) / 1_000);
    },
  };
}
