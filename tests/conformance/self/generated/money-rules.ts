/** Defects in the rules of money: each movement, and the funds of a payout. */
import type { JsonObject } from '../../../../contract/src/model.ts';
import { listMovements, type Movement, type TransactionKind } from '../../../../contract/src/reference-model.ts';
import type { Row } from '../../../../gateway/src/database/store.ts';
import { type Backend, type Incoming, rewrite, toObject } from '../alteration.ts';
import type { Mutant, Note } from './mutant.ts';
import { BUNDLE } from './places.ts';
import { type Hooks, LAG_MS, LATE_MS, ruleMutant, showAs, type Telling } from './rules.ts';
import { MACHINES } from './story.ts';

type Route = Pick<Movement, 'from' | 'to'> & { readonly kind: TransactionKind };

/** An amount of one currency, in minor units. */
interface Sum {
  readonly currency: string;
  readonly amount: number;
}

const SHOWN = ['available', 'pending'] as const;
const FIRST_MERCHANT = '(select merchant_id from signing_secrets where secret = ?1)';
const UNCOVERED = 'INSUFFICIENT_BALANCE';

/** The movements of the model, by running it through every status. */
const ROUTES: readonly Route[] = distinct(
  (Object.entries(BUNDLE['x-state-machines']) as [TransactionKind, { states: object }][]).flatMap(
    ([kind, { states }]) =>
      Object.keys(states).flatMap((status) =>
        listMovements({ kind, status, amount: 1, settled: true }).map(({ from, to }) => ({ kind, from, to })),
      ),
  ),
);

export const MONEY_RULES: readonly Mutant[] = [...ROUTES.flatMap(movementMutants), ...coverMutants()];

function movementMutants(route: Route): Mutant[] {
  const rule = `movement ${route.kind} ${route.from}-${route.to}`;
  return [
    ruleMutant(rule, 'off', (note) => balances(route, -1, (backend) => moved(backend, route), note)),
    ruleMutant(rule, 'twice', (note) => balances(route, 1, (backend) => moved(backend, route), note)),
    ruleMutant(rule, 'late', (note) =>
      balances(route, -1, (backend) => moved(backend, route, Date.now() - LATE_MS), note),
    ),
    ruleMutant(rule, 'before', (note) => {
      const refused: Sum[] = [];
      const hooks = balances(route, 1, async (backend) => [...refused, ...(await movedNext(backend, route))], note);
      // Money that the creation moves is moved before the creation is accepted, or refused.
      return isOfCreation(route) ? { ...hooks, ...alsoRefused(route, refused, hooks) } : hooks;
    }),
  ];
}

/** Adds the sums to the movement in every balance that the first merchant is shown. */
function balances(
  { from, to }: Route,
  sign: 1 | -1,
  sums: (backend: Backend) => Promise<readonly Sum[]>,
  note: Note,
): Hooks {
  return {
    async response(response, request, backend) {
      if (!isBalance(request, backend) || response.status !== 200) return;
      const entries = toObject(response.body)['balances'] as JsonObject[];
      for (const { currency, amount } of await sums(backend)) {
        const entry = entries.find((one) => one['currency'] === currency);
        for (const account of SHOWN) {
          const change = sign * amount * ((to === account ? 1 : 0) - (from === account ? 1 : 0));
          if (!entry || change === 0) continue;
          entry[account] = Number(entry[account]) + change;
          note();
        }
      }
    },
  };
}

function isBalance({ operation, headers }: Incoming, { key }: Backend): boolean {
  return operation === 'getBalance' && headers['authorization'] === `Bearer ${key}`;
}

/** Sums of the movement, in the time after `since`. */
async function moved({ store, secret }: Backend, { kind, from, to }: Route, since = 0): Promise<Sum[]> {
  const rows = await store.unit((db) =>
    db.all(
      `select e.currency, sum(e.amount) as amount from ledger_entries e join transactions t on t.id = e.transaction_id
       where e.merchant_id = ${FIRST_MERCHANT} and t.kind = ?2 and e.from_account = ?3 and e.to_account = ?4
       and e.created_at > ?5 group by e.currency`,
      ...[secret, kind, from, to, since],
    ),
  );
  return rows.map(addAmounts);
}

/** Totals of the transactions that the movement applies to next: in progress, or after another movement of the kind. */
async function movedNext({ store, secret }: Backend, { kind, from, to }: Route): Promise<Sum[]> {
  const before = ROUTES.find((one) => one.kind === kind && one.to === from);
  const finals = Object.keys(BUNDLE['x-state-machines'][kind]?.states ?? {}).filter((one) =>
    MACHINES.isFinal(kind, one),
  );
  const underWay = `t.status not in (${finals.map((status) => `'${status}'`).join(', ')})`;
  const entered = (condition: string) =>
    `exists (select 1 from ledger_entries e where e.transaction_id = t.id and ${condition})`;
  const isNext = before
    ? `${entered(`e.from_account = '${before.from}' and e.to_account = '${before.to}'`)}
       and not ${entered(`e.from_account = '${from}'`)}`
    : underWay;
  const rows = await store.unit((db) =>
    db.all(
      `select t.currency, sum(t.amount) as amount from transactions t
       where t.merchant_id = ${FIRST_MERCHANT} and t.kind = ?2 and ${isNext} and not ${entered('e.to_account = ?3')}
       group by t.currency`,
      ...[secret, kind, to],
    ),
  );
  return rows.map(addAmounts);
}

function addAmounts(row: Row): Sum {
  return { currency: String(row['currency']), amount: Number(row['amount']) };
}

/** A creation itself moves the money. */
function isOfCreation({ kind, from }: Route): boolean {
  return ROUTES.find((one) => one.kind === kind)?.from === from && SHOWN.some((account) => account === from);
}

function alsoRefused({ kind }: Route, refused: Sum[], { response: shown }: Hooks): Hooks {
  const creation = BUNDLE['x-state-machines'][kind]?.transitions.find(({ from }) => from === null)?.by;
  return {
    response(response, request, backend) {
      const { amount, currency } = toObject(request.body);
      const isRefused = request.operation === creation && response.status >= 400;
      if (isRefused && Number.isSafeInteger(amount))
        refused.push({ currency: String(currency), amount: Number(amount) });
      return shown?.(response, request, backend);
    },
  };
}

/** The balance has to cover a payout, at the moment in which it is created. */
function coverMutants(): Mutant[] {
  const isUncovered = ({ body }: Telling) => body['decline_reason'] === UNCOVERED;
  const paid = (isOwn: (telling: Telling) => boolean, note: Note): Hooks => ({
    told: (telling) => isOwn(telling) && showAs('SUCCESS', telling, note),
    webhook(webhook, telling) {
      if (isOwn(telling)) replaceByPaid(webhook.body, note);
      return undefined;
    },
  });
  return [
    ruleMutant('cover', 'off', (note) => paid(isUncovered, note)),
    ruleMutant('cover', 'twice', (note) => declining(note, (amount, now) => amount * 2 > now)),
    ruleMutant('cover', 'late', (note) => declining(note, (amount, _now, earlier) => amount > earlier)),
    ruleMutant('cover', 'before', (note) => {
      const creating = new Set<string>();
      const together = new Set<string>();
      const readOrder = (request: Incoming) => String(toObject(request.body)['merchant_order_id']);
      const hooks = paid(
        (telling) => isUncovered(telling) && together.has(String(telling.body['merchant_order_id'])),
        note,
      );
      return {
        ...hooks,
        request(request) {
          if (request.operation !== 'createPayout') return undefined;
          creating.add(readOrder(request));
          if (creating.size > 1) for (const order of creating) together.add(order);
          return undefined;
        },
        response(_response, request) {
          creating.delete(readOrder(request));
        },
      };
    }),
  ];
}

function replaceByPaid(body: JsonObject, note: Note): void {
  delete body['decline_reason'];
  body['status'] = 'SUCCESS';
  note();
}

/** Declines payouts that the balance covers, if the test says so, by asking the gateway for more than there is. */
function declining(note: Note, isDeclined: (amount: number, now: number, earlier: number) => boolean): Hooks {
  const amounts = new Map<string, number>();
  const samples: { readonly at: number; readonly available: number; readonly currency: string }[] = [];
  const restore = (body: JsonObject) => {
    const amount = amounts.get(String(body['merchant_order_id']));
    if (amount !== undefined && 'amount' in body) body['amount'] = amount;
  };
  return {
    async request(request, backend) {
      const wallets = await readAvailable(backend);
      const at = Date.now();
      samples.push(...wallets.map((wallet) => ({ at, currency: wallet.currency, available: wallet.amount })));
      const { amount, currency, merchant_order_id: order } = toObject(request.body);
      const wallet = wallets.find((one) => one.currency === currency);
      if (request.operation !== 'createPayout' || !wallet || Number(amount) > wallet.amount) return undefined;
      const earlier = samples.findLast((one) => one.currency === currency && one.at < at - LAG_MS)?.available ?? 0;
      if (!isDeclined(Number(amount), wallet.amount, earlier)) return undefined;
      amounts.set(String(order), Number(amount));
      rewrite(request, { ...toObject(request.body), amount: wallet.amount + 1 });
      note();
      return undefined;
    },
    told: ({ body }) => restore(body),
    webhook({ body }) {
      restore(body);
      return undefined;
    },
  };
}

async function readAvailable({ store, secret }: Backend): Promise<Sum[]> {
  const sql = `select currency, available as amount from wallets where merchant_id = ${FIRST_MERCHANT}`;
  return (await store.unit((db) => db.all(sql, secret))).map(addAmounts);
}

function distinct(routes: readonly Route[]): Route[] {
  return [...new Map(routes.map((route) => [JSON.stringify(route), route])).values()];
}
