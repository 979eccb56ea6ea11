/** What must be true when everything that was begun has come to its end. */
import { demand } from './broken-rule.ts';
import { readMachines } from './machines.ts';
import type { World } from './world.ts';

const MACHINES = readMachines();

export function checkEnd(world: World): void {
  checkTransactions(world);
  checkMoney(world);
  checkUsage(world);
  world.deliveries.checkAll();
}

/** Gateway and provider agree in both directions about what was paid. */
function checkTransactions({ model, provider }: World): void {
  for (const { id, kind, statuses, settled } of model.transactions.values()) {
    const status = statuses.at(-1) ?? '';
    demand(MACHINES.isFinal(kind, status), 'a transaction never ends', () => `${id} in ${status}`);
    if (status === 'SUCCESS' && kind === 'payment') demand(settled, 'collected money never settles', () => id);
    const state = (provider.collections.get(id) ?? provider.disbursements.get(id))?.state ?? 'new';
    const agrees = status === 'SUCCESS' ? state === 'paid' : state !== 'paid' && state !== 'awaiting';
    demand(agrees, 'the provider ends otherwise than the gateway', () => `${id} is ${status}, there it is ${state}`);
  }
}

/** What merchants have is what they had, and what customers paid, without what payees got. */
function checkMoney({ model, provider, disk, funds }: World): void {
  const collected = [...provider.collections.values()].reduce((sum, { paid }) => sum + paid, 0);
  const paidOut = [...provider.disbursements]
    .filter(([, { state }]) => state === 'paid')
    .reduce((sum, [id]) => sum + (model.transactions.get(id)?.amount ?? 0), 0);
  const [row] = disk.rows('select sum(available) as available, sum(pending + reserved) as held from wallets');
  const expected = funds + collected - paidOut;
  demand(Number(row?.['held']) === 0, 'money is held for nothing', () => JSON.stringify(row));
  const same = Number(row?.['available']) === expected;
  demand(same, 'money was created or lost', () => `${row?.['available']} is not ${expected}`);
}

/** What counts against limits is what was collected and paid out, and nothing else. */
function checkUsage({ model, disk }: World): void {
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
