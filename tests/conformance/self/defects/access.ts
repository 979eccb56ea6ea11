/** Services that respond to strangers and other merchants. */
import { toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { defect } from './build.ts';

/** Without a valid key. */
const KEYED = ['getBalance', 'createPayment', 'getPayment', 'createPayout'];

const strangers = KEYED.flatMap((operation) =>
  (['no-key', 'unknown-key', 'other-scheme'] as const).map(
    (kind): Defect =>
      defect(
        {
          id: `validation/access/${operation}-${kind}`,
          title: `${operation} is served with ${kind.replace('-', ' ')}`,
          foundBy: `access/${operation}/${kind}`,
          verdict: 'differs',
        },
        () => ({
          request(request, backend) {
            const given = request.headers['authorization'];
            const isStranger = {
              'no-key': given === undefined,
              'unknown-key': given?.includes('unknown') === true,
              'other-scheme': given?.startsWith('Basic') === true,
            }[kind];
            if (request.operation === operation && isStranger)
              request.headers['authorization'] = `Bearer ${backend.key}`;
            return undefined;
          },
        }),
      ),
  ),
);

/** Serves another merchant's transactions. */
const FOREIGN = ['getPayment', 'findPayment', 'clarifyPayment', 'confirmPayment', 'getPayout'];

const foreign = FOREIGN.map(
  (operation): Defect =>
    defect(
      {
        id: `validation/isolation/${operation}`,
        title: `${operation} serves another merchant's transaction`,
        foundBy: `isolation/${operation}`,
      },
      () => ({
        request(request, backend) {
          if (request.operation === operation && request.headers['authorization'] === `Bearer ${backend.secondKey}`) {
            request.headers['authorization'] = `Bearer ${backend.key}`;
          }
          return undefined;
        },
      }),
    ),
);

const shared: readonly Defect[] = [
  defect(
    {
      id: 'validation/isolation/order-ids',
      title: 'an order id of one merchant is taken for all',
      foundBy: 'isolation/merchant_order_id',
      verdict: 'differs',
    },
    () => {
      const taken = new Set<string>();
      return {
        request(request, backend) {
          if (request.operation !== 'createPayment') return undefined;
          const id = String(toObject(request.body)['merchant_order_id']);
          const isFirst = request.headers['authorization'] === `Bearer ${backend.key}`;
          if (isFirst) taken.add(id);
          else if (taken.has(id))
            return {
              status: 409,
              headers: { 'content-type': 'application/problem+json' },
              body: { title: 'Order ID reused', status: 409 },
            };
          return undefined;
        },
      };
    },
  ),
];

export const access: readonly Defect[] = [...strangers, ...foreign, ...shared];
