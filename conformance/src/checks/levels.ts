/** Which levels an operation belongs to. A service that claims none of them doesn't have to have it. */
import type { Operation } from '../../../contract/src/model.ts';
import type { Level } from '../core/settings.ts';
import type { Kind } from '../core/tracked.ts';

/** The levels that have transactions of the kind. */
export const KIND_LEVELS: Readonly<Record<Kind, readonly Level[]>> = {
  payment: ['payments-h2h', 'payments-redirect'],
  payout: ['payouts'],
};

/** Empty for what every service has. */
export function levelsOf({ id, path }: Operation): readonly Level[] {
  if (path.startsWith('/payouts')) return KIND_LEVELS.payout;
  if (id === 'clarifyPayment' || id === 'confirmPayment') return ['payments-h2h'];
  return path.startsWith('/payments') ? KIND_LEVELS.payment : [];
}
