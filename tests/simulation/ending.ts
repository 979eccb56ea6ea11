/** Rules for the end of a run, when all work has completed. */
import { readBundle } from '../../contract/src/model.ts';
import { readMachines } from '../../contract/src/reference-model.ts';
import { auditStore } from '../../gateway/src/management/audit.ts';
import { listTransactions, type TransactionFilter } from '../../gateway/src/transactions/merchant-transactions.ts';
import { demand } from './broken-rule.ts';
import type { Tracked } from './model.ts';
import type { SimulatedSystem } from './simulated-system.ts';

const MACHINES = readMachines(readBundle());
/** Small, so that lists have several pages. */
const PAGE_ROWS = 7;

export async function checkEnd(system: SimulatedSystem): Promise<void> {
  checkTransactions(system);
  checkMoney(system);
  checkUsage(system);
  system.deliveries.checkAll();
  await checkLists(system);
  await checkAudit(system);
}

/** Gateway and provider agree about paid amounts in both directions. */
function checkTransactions({ model, provider }: SimulatedSystem): void {
  for (const one of model.transactions.values()) {
    const { id, kind, statuses, exceptions } = one;
    const status = statuses.at(-1) ?? '';
    demand(MACHINES.isFinal(kind, status), 'a transaction never ends', () => `${id} in ${status}`);
    const state = (provider.collections.get(id) ?? provider.disbursements.get(id))?.state ?? 'new';
    const agrees = status === 'SUCCESS' ? state === 'paid' : state !== 'paid' && state !== 'awaiting';
    demand(agrees, 'the provider ends otherwise than the gateway', () => `${id} is ${status}, there it is ${state}`);
    const decided = model.decidedAmount(one);
    const said = provider.contradictions(id).at(-1) ?? decided;
    const isKnown = said === decided || exceptions.includes(said);
    demand(isKnown, 'a later result of the channel is lost', () => `${id}: ${said} is not in ${exceptions}`);
  }
}

/** A merchant's final balance is its initial balance plus paid payments minus payouts. */
function checkMoney({ model, provider, disk, funds }: SimulatedSystem): void {
  const collected = [...provider.collections.values()].reduce((sum, { paid }) => sum + paid, 0);
  const paidOut = [...provider.disbursements]
    .filter(([, { state }]) => state === 'paid')
    .reduce((sum, [id]) => sum + (model.transactions.get(id)?.amount ?? 0), 0);
  const [row] = disk.rows('select sum(available + pending) as total, sum(reserved) as held from wallets');
  const expected = funds + collected - paidOut;
  demand(Number(row?.['held']) === 0, 'money is held for nothing', () => JSON.stringify(row));
  const same = Number(row?.['total']) === expected;
  demand(same, 'money was created or lost', () => `${row?.['total']} is not ${expected}`);
}

/** Usage counted against limits equals the collected and paid-out amounts. */
function checkUsage({ model, disk }: SimulatedSystem): void {
  const expected = model.usage();
  for (const row of disk.rows('select * from customer_usage')) {
    const { merchant_id: merchant, kind, customer_id: customer, currency, period, amount } = row;
    const key = `${merchant} ${kind} ${customer} ${currency} ${period}`;
    const sum = expected.get(key) ?? 0;
    demand(Number(amount) === sum, 'usage is not what was collected', () => `${key}: ${amount} is not ${sum}`);
    expected.delete(key);
  }
  for (const [key, sum] of expected) demand(sum === 0, 'usage is not counted', () => `${key}: ${sum}`);
}

/** Every sandbox list matches the model, newest first, page by page. */
async function checkLists({ model, merchants, disk }: SimulatedSystem): Promise<void> {
  const all = [...model.transactions.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
  const db = disk.quietStore().read;
  for (const { id: merchantId } of merchants) {
    for (const kind of ['payment', 'payout'] as const) {
      const own = all.filter((one) => one.merchantId === merchantId && one.kind === kind);
      for (const filter of createFilters(own)) {
        const expected = own.filter((one) => fits(one, filter)).map(({ id }) => id);
        const listed: string[] = [];
        let from: string | undefined;
        do {
          const page = await listTransactions(db, merchantId, kind, filter, { from, limit: PAGE_ROWS });
          listed.push(...page.transactions.map(({ id }) => id));
          from = page.next;
        } while (from !== undefined);
        const same = listed.join() === expected.join();
        demand(same, 'a list is not what there is', () => `${JSON.stringify(filter)}: ${listed} is not ${expected}`);
      }
    }
  }
}

/** No filter, each value of each filter, and two filters. */
function createFilters(own: readonly Tracked[]): TransactionFilter[] {
  const statuses = [...new Set(own.map(({ statuses }) => statuses.at(-1)))];
  const customers = [...new Set(own.map(({ customerId }) => customerId))];
  return [
    {},
    ...statuses.map((status) => ({ status })),
    ...customers.map((customerId) => ({ customerId })),
    ...own.slice(0, 1).map(({ orderId }) => ({ orderId })),
    ...own.slice(0, 1).map(({ method, customerId }) => ({ method, customerId })),
  ];
}

function fits(one: Tracked, { status, method, orderId, customerId }: TransactionFilter): boolean {
  return (
    (status ?? one.statuses.at(-1)) === one.statuses.at(-1) &&
    (method ?? one.method) === one.method &&
    (orderId ?? one.orderId) === one.orderId &&
    (customerId ?? one.customerId) === one.customerId
  );
}

/** The gateway's own audit finds no difference. */
async function checkAudit({ disk }: SimulatedSystem): Promise<void> {
  const { differences } = await auditStore(disk.quietStore());
  demand(differences.length === 0, 'the audit finds a difference', () => differences.join('; '));
}
