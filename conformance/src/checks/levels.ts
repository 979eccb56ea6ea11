/** Which levels an operation belongs to. A service that claims none of them doesn't have to have it. */
import type { Operation } from '../../../contract/src/model.ts';
import type { Level } from '../core/settings.ts';

/** Empty for what every service has. */
export function levelsOf({ id, path }: Operation): readonly Level[] {
  if (path.startsWith('/payouts')) return ['payouts'];
  if (id === 'clarifyPayment' || id === 'confirmPayment') return ['payments-h2h'];
  return path.startsWith('/payments') ? ['payments-h2h', 'payments-redirect'] : [];
}
