/** How every part with a shop ends: all orders come to theirs, and book, answers and ledger are compared once more. */
import type { Store } from '../../gateway/src/store/store.ts';
import { audit } from './gateways.ts';
import type { Findings, Torture } from './part.ts';
import type { Shop } from './shop.ts';

export async function bringToEnd(shop: Shop, store: Store, findings: Findings, say: Torture['say']): Promise<void> {
  say('bringing everything to its end');
  await shop.settle(async () => {
    const row = await store.read.get('select count(*) as count from transactions');
    return Number(row?.['count']);
  });
  await shop.verify('all');
  await audit(store, findings);
}
