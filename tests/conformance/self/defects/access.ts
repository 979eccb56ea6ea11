/** Services that take the wrong key, or serve a merchant with the data of another. */
import type { Defect } from '../trial.ts';
import { clashing, defect } from './build.ts';

const ALL = ['getBalance', 'createPayment', 'getPayment', 'createPayout'];
const decoded = (header: string) => Buffer.from(header.replace(/^Basic /, ''), 'base64').toString();

/** Invalid keys that are taken for the valid one, by the name in the check's id, and the operations. */
const TAKEN: readonly [kind: string, on: readonly string[], applies: (header: string, key: string) => boolean][] = [
  ['no-key', ALL, (header) => header === ''],
  ['unknown-key', ALL, (header) => header.includes('unknown')],
  ['other-scheme', ALL, (header) => header.startsWith('Basic')],
  ['token-scheme', ['getBalance'], (header, key) => header === `Token ${key}`],
  ['no-scheme', ['getBalance'], (header, key) => header === key],
  ['shorter-key', ['getBalance'], (header, key) => header === `Bearer ${key.slice(0, -1)}`],
  ['longer-key', ['getBalance'], (header, key) => header.startsWith(`Bearer ${key}`)],
  ['other-case-key', ['getBalance'], (header, key) => header.toLowerCase() === `bearer ${key.toLowerCase()}`],
  ['user-name', ['getBalance'], (header, key) => decoded(header).replace(/:$/, '') === key],
];

const taken = TAKEN.flatMap(([kind, on, applies]) =>
  on.map((operation) =>
    defect(`${operation}/${kind}`, `differs access/${operation}/${kind}`, () => ({
      request(request, { key }) {
        const isTaken = request.operation === operation && applies(request.headers['authorization'] ?? '', key);
        if (isTaken) request.headers['authorization'] = `Bearer ${key}`;
      },
    })),
  ),
);

/** Ends of the checks' ids. Each begins with the operation that serves the second merchant as the first. */
const FOREIGN = [
  ...['getPayment', 'findPayment', 'findPayment/by-order-id', 'clarifyPayment', 'confirmPayment'],
  ...['getPayout', 'getBalance'],
];

const foreign = FOREIGN.map((check) =>
  defect(`isolation/${check}`, `isolation/${check}`, () => ({
    request(request, { key, secondKey }) {
      const isForeign = request.headers['authorization'] === `Bearer ${secondKey}`;
      if (request.operation === check.split('/')[0] && isForeign) request.headers['authorization'] = `Bearer ${key}`;
    },
  })),
);

/** An order ID is unique for all merchants. */
const shared = ['merchant_order_id', 'merchant_order_id/payout'].map((check) =>
  clashing(
    `isolation/${check}`,
    `differs isolation/${check}`,
    (first, again) =>
      first.operation === again.operation && first.headers['authorization'] !== again.headers['authorization'],
  ),
);

export const access: readonly Defect[] = [...taken, ...foreign, ...shared];
