/** Ends every part with a shop: all orders reach a final state, and book, responses and ledger are compared again. */
import { audit, type Environment, inDatabase } from './gateways.ts';
import type { Findings, Torture } from './part.ts';
import type { Shop } from './shop.ts';

export async function bringToEnd(shop: Shop, env: Environment, findings: Findings, say: Torture['say']): Promise<void> {
  say('bringing everything to its end');
  await shop.settle(async () => {
    const row = await inDatabase(env, ({ read }) => read.get('select count(*) as count from transactions'));
    return Number(row?.['count']);
  });
  await shop.verify('all');
  await audit(env, findings);
}
