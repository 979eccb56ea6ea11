/** Rules for the end of a run, when all work has completed. */
import { readBundle } from '../../contract/src/model.ts';
import { readMachines } from '../../contract/src/reference-model.ts';
import { auditStore } from '../../gateway/src/management/audit.ts';
import { demand } from './broken-rule.ts';
import type { SimulatedSystem } from './simulated-system.ts';

const MACHINES = readMachines(readBundle());

export async function checkEnd(system: SimulatedSystem): Promise<void> {
  checkTransactions(system);
  checkMoney(system);
  checkUsage(system);
  system.deliveries.checkAll();
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

/** The gateway's own audit finds no difference. */
async function checkAudit({ disk }: SimulatedSystem): Promise<void> {
  const { differences } = await auditStore(disk.quietStore());
  demand(differences.length === 0, 'the audit finds a difference', () => differences.join('; '));
}
