/** Defects in the rules of the state machines and of money: too late, too early, repeated, or left out. */
import { randomUUID } from 'node:crypto';
import { loadContract } from '../../../../conformance/src/document/contract.ts';
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import {
  listMovements,
  type Movement,
  readMachines,
  type TransactionKind,
} from '../../../../contract/src/reference-model.ts';
import { type Alteration, type Backend, type Place, toObject, type Webhook } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { defect, delivering } from './build.ts';

const contract = loadContract();
const MACHINES = readMachines(contract.bundle);
const KINDS = ['payment', 'payout'] as const;

/** Longer than the kit waits for anything by default. */
const LATE_MS = 30_000;
/** Delay of reads behind earlier responses and webhooks. */
const LAG_MS = 2_000;

/** What the service has shown of a transaction. */
interface History {
  readonly kind: TransactionKind;
  /** Statuses, each with the time of its first observation, in milliseconds since 1970. */
  readonly seen: Map<string, number>;
  /** Reads that showed each status. */
  readonly reads: Map<string, number>;
  /** The last value of each field. */
  readonly fields: JsonObject;
}

/** A response or webhook with a transaction. */
interface Observation {
  readonly kind: TransactionKind;
  readonly status: string;
  readonly isRead: boolean;
  readonly history: History;
}

/** Shows transactions in another status, if there is one. */
function showing(id: string, found: string, findStatus: (one: Observation) => string | false | undefined): Defect {
  return defect(id, found, () => {
    let altered = false;
    const histories = new Map<string, History>();
    return {
      tookEffect: () => altered,
      transaction(transaction, place) {
        const { kind, status } = place;
        const isRead = /^(get|find)/.test(place.on);
        const history = record(histories, transaction, place, isRead);
        const instead = findStatus({ kind, status, isRead, history });
        if (!instead) return;
        showInStatus(transaction, place, instead, history);
        altered = true;
      },
    };
  });
}

function record(
  histories: Map<string, History>,
  transaction: JsonObject,
  { kind, status }: Place,
  isRead: boolean,
): History {
  const id = String(transaction['transaction_id']);
  const history = histories.get(id) ?? { kind, seen: new Map(), reads: new Map(), fields: {} };
  histories.set(id, history);
  if (!history.seen.has(status)) history.seen.set(status, Date.now());
  if (isRead) history.reads.set(status, (history.reads.get(status) ?? 0) + 1);
  Object.assign(history.fields, structuredClone(transaction));
  return history;
}

/** Takes unknown fields from the document's example. */
function showInStatus(transaction: JsonObject, { on, kind }: Place, status: string, { fields }: History): void {
  // The response to a confirmation has few fields.
  if (on === 'confirmPayment') return;
  const { responses } = contract.operation(kind === 'payment' ? 'getPayment' : 'getPayout');
  const examples = responses.flatMap(({ body }) => body?.examples ?? []).map(({ value }) => toObject(value));
  const template = examples.find((one) => one['status'] === status) ?? {};
  for (const name of Object.keys(transaction)) if (!(name in template)) delete transaction[name];
  for (const [name, value] of Object.entries(template)) transaction[name] = fields[name] ?? value;
  transaction['status'] = status;
}

/** The status before this one in the history. */
function statusBefore({ seen }: History, status: string): string | undefined {
  const statuses = [...seen.keys()];
  return statuses[statuses.indexOf(status) - 1];
}

function listMoves(kind: TransactionKind) {
  return contract.machines[kind].transitions.filter(({ from, to, tolerated }) => from !== to && !tolerated);
}

const isRecent = ({ seen }: History, status: string) => Date.now() - (seen.get(status) ?? 0) < LAG_MS;

const moves = KINDS.flatMap((kind) =>
  listMoves(kind).flatMap(({ from, to, by }): Defect[] => {
    // The reference service creates payments in these statuses.
    const isCreatedThere = contract.machines[kind].transitions.some((move) => move.from === null && move.to === to);
    if (from === null || (from === 'CREATED' && isCreatedThere)) return [];
    const isOwn = (one: Observation) =>
      one.isRead && one.kind === kind && one.status === to && statusBefore(one.history, to) === from;
    const id = `move/${kind}/${from}/${to}`;
    const late = showing(`${id}/late`, '', (one) => isOwn(one) && isRecent(one.history, to) && from);
    const back = showing(`${id}/back`, '', (one) => isOwn(one) && one.history.reads.get(to) === 2 && from);
    // Only reads show a move of the customer, so a late one is later.
    return by === 'customer' ? [back] : [late, back];
  }),
);

/** The status that comes last before this one. */
function lastBefore(kind: TransactionKind, status: string): string | undefined {
  return listMoves(kind).findLast(({ from, to }) => from !== null && to === status)?.from ?? undefined;
}

const finals = KINDS.flatMap((kind) => {
  const all = Object.keys(contract.machines[kind].states).filter((status) => MACHINES.isFinal(kind, status));
  return all.flatMap((status) => {
    const other = all.find((one) => one !== status) ?? status;
    const countReads = ({ history }: Observation) => history.reads.get(status) ?? 0;
    const isRead = (one: Observation, told: string) => one.isRead && one.kind === kind && one.status === told;
    const id = `final/${kind}/${status}`;
    return [
      showing(`${id}/first-read`, '', (one) => isRead(one, status) && countReads(one) === 1 && other),
      showing(
        `${id}/changed`,
        `consistency/${kind}/final`,
        (one) => isRead(one, status) && countReads(one) > 1 && other,
      ),
      showing(`${id}/early`, '', (one) => isRead(one, lastBefore(kind, status) ?? '') && status),
    ];
  });
});

function findEvent(kind: TransactionKind, status: string): string {
  const ofKind = contract.webhooks.filter(({ id }) => id.startsWith(kind));
  const found = ofKind.find(({ request }) =>
    request?.examples.some(({ value }) => toObject(value)['status'] === status),
  );
  return found?.id ?? '';
}

const notified = KINDS.flatMap((kind) =>
  Object.keys(contract.machines[kind].states)
    .filter((status) => MACHINES.isNotified(kind, status))
    .flatMap((status) => {
      const id = `notified/${kind}/${status}`;
      const send = (webhook: Webhook) => [webhook, { ...webhook, id: `msg_${randomUUID()}` }];
      const event = findEvent(kind, status);
      return [
        delivering(`${id}/twice`, '', send, { kind, status }),
        delivering(`${id}/missing`, `webhook/arrives/${event}`, () => [], { kind, status }),
        showing(`${id}/early`, `webhook/on-arrival/${event}`, (one) => {
          if (!one.isRead || one.kind !== kind || one.status !== status || !isRecent(one.history, status)) return;
          return statusBefore(one.history, status) ?? lastBefore(kind, status);
        }),
      ];
    }),
);

type Route = Pick<Movement, 'from' | 'to'> & { readonly kind: TransactionKind };

/** An amount of one currency, in minor units. */
interface Sum {
  readonly currency: string;
  readonly amount: number;
}

const SHOWN = ['available', 'pending'] as const;
const FIRST_MERCHANT = '(select merchant_id from signing_secrets where secret = ?1)';

const ROUTES: readonly Route[] = KINDS.flatMap((kind) => {
  const all = Object.keys(contract.machines[kind].states).flatMap((status) =>
    listMovements({ kind, status, amount: 1, settled: true }).map(({ from, to }) => ({ kind, from, to })),
  );
  const visible = all.filter(({ from, to }) => SHOWN.some((account) => account === from || account === to));
  return [...new Map(visible.map((route) => [`${route.from} ${route.to}`, route])).values()];
});

/** Shows the first merchant balances to which the sums of the movement are added. */
function moving(
  { from, to }: Route,
  sign: 1 | -1,
  readSums: (backend: Backend) => Promise<readonly Sum[]>,
): Alteration {
  return {
    async response({ status, body }, { operation, headers }, backend) {
      if (operation !== 'getBalance' || status !== 200 || headers['authorization'] !== `Bearer ${backend.key}`) return;
      const entries = toObject(body)['balances'] as JsonObject[];
      for (const { currency, amount } of await readSums(backend)) {
        const entry = entries.find((one) => one['currency'] === currency);
        for (const account of SHOWN) {
          const change = sign * amount * (Number(to === account) - Number(from === account));
          if (entry) entry[account] = Number(entry[account]) + change;
        }
      }
    },
  };
}

async function readSums(
  { store, secret }: Backend,
  sql: string,
  ...values: readonly (string | number)[]
): Promise<Sum[]> {
  const rows = await store.unit((db) => db.all(sql, secret, ...values));
  return rows.map((row) => ({ currency: String(row['currency']), amount: Number(row['amount']) }));
}

/** Sums of the movement, in the time after `since`. Money in `pending` becomes available by time, without an entry. */
function readMoved(backend: Backend, { kind, from, to }: Route, since = 0): Promise<Sum[]> {
  const settles = from === 'pending';
  const time = settles ? 'e.available_at' : 'e.created_at';
  const accounts = settles ? ['channel', 'pending'] : [from, to];
  return readSums(
    backend,
    `select e.currency, sum(e.amount) as amount from ledger_entries e join transactions t on t.id = e.transaction_id
     where e.merchant_id = ${FIRST_MERCHANT} and t.kind = ?2 and e.from_account = ?3 and e.to_account = ?4
     and ${time} > ?5 and ${time} <= ?6 group by e.currency`,
    ...[kind, ...accounts, since, Date.now()],
  );
}

/** Amounts of the transactions in progress, to which the movement may apply next. */
function readOpen(backend: Backend, { kind }: Route): Promise<Sum[]> {
  return readSums(
    backend,
    `select t.currency, sum(t.amount) as amount from transactions t where t.merchant_id = ${FIRST_MERCHANT}
     and t.kind = ?2 and t.status not in ('SUCCESS', 'FAILED') group by t.currency`,
    kind,
  );
}

const movements = ROUTES.flatMap((route): Defect[] => {
  const row = (fault: string, alter: () => Alteration) =>
    defect(`movement/${route.kind}/${route.from}-${route.to}/${fault}`, '', alter);
  return [
    row('off', () => moving(route, -1, (backend) => readMoved(backend, route))),
    row('twice', () => moving(route, 1, (backend) => readMoved(backend, route))),
    row('late', () => moving(route, -1, (backend) => readMoved(backend, route, Date.now() - LATE_MS))),
    row('early', () => moving(route, 1, (backend) => readOpen(backend, route))),
  ];
});

const UNCOVERED = 'INSUFFICIENT_BALANCE';

const overdrawn = defect('cover/at-once', '', () => {
  const creating = new Set<string>();
  const together = new Set<string>();
  const readOrder = (body: Json | undefined) => String(toObject(body)['merchant_order_id']);
  return {
    request({ operation, body }) {
      if (operation !== 'createPayout') return;
      creating.add(readOrder(body));
      if (creating.size > 1) for (const order of creating) together.add(order);
    },
    response(_response, { body }) {
      creating.delete(readOrder(body));
    },
    transaction(payout) {
      if (payout['decline_reason'] !== UNCOVERED || !together.has(readOrder(payout))) return;
      delete payout['decline_reason'];
      payout['status'] = 'SUCCESS';
    },
  };
});

export const rules: readonly Defect[] = [...moves, ...finals, ...notified, ...movements, overdrawn];
