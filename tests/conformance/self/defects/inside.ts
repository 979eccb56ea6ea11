/** Defects inside the gateway: channels that fail their part, and books that something else writes to. */

import type { Channel } from '../../../../gateway/src/channels/channel.ts';
import { simulatedChannels } from '../../../../gateway/src/channels/simulator.ts';
import { sandboxMethods } from '../../../../gateway/src/domain/methods.ts';
import { type Backend, type Incoming, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { defect } from './build.ts';

const NEVER = 6_000;

/** Every channel, with some of its calls replaced. */
function channels(change: (valid: Channel) => Partial<Channel>): readonly Channel[] {
  return simulatedChannels(sandboxMethods).map((channel) => ({ ...channel, ...change(channel) }));
}

const declined = async () => ({ event: { type: 'declined', reason: 'INTERNAL_ERROR' } }) as const;
const silent = async () => ({ askAgainAt: undefined });

type Row = Pick<Defect, 'id' | 'title' | 'foundBy'> & Partial<Pick<Defect, 'verdict'>>;

function channel(row: Row, change: (valid: Channel) => Partial<Channel>): Defect {
  return defect({ ...row, options: { timeoutMs: NEVER } }, () => ({ channels: channels(change) }));
}

const UNREACHED = { verdict: 'not reached' } as const;

const carried: readonly Defect[] = [
  channel(
    {
      id: 'inside/channel/never-initiates',
      title: 'the channel takes payments without effect',
      foundBy: 'state/payment/h2h/SUCCESS',
      ...UNREACHED,
    },
    () => ({ initiate: silent }),
  ),
  channel(
    {
      id: 'inside/channel/never-verifies',
      title: 'the channel never says whether a payment was paid',
      foundBy: 'state/payment/h2h/SUCCESS',
      ...UNREACHED,
    },
    () => ({ verify: silent }),
  ),
  channel(
    {
      id: 'inside/channel/declines-all',
      title: 'the channel declines every payment',
      foundBy: 'state/payment/h2h/SUCCESS',
      ...UNREACHED,
    },
    () => ({ verify: declined, initiate: declined }),
  ),
  channel(
    {
      id: 'inside/channel/never-pays-out',
      title: 'the channel never pays out',
      foundBy: 'state/payout/SUCCESS',
      ...UNREACHED,
    },
    () => ({ payOut: silent }),
  ),
  channel(
    {
      id: 'inside/channel/never-declines',
      title: 'the channel declines no payout',
      foundBy: 'state/payout/FAILED',
      ...UNREACHED,
    },
    () => ({
      testData: { plan: () => ({}), decliner: () => undefined, mistake: () => undefined },
      payOut: async () => ({ event: { type: 'succeeded' } }),
    }),
  ),
  channel(
    {
      id: 'inside/channel/forgets-clarified',
      title: 'the channel declines clarified payments',
      foundBy: 'state/payment/h2h/SUCCESS-after-clarify',
      ...UNREACHED,
    },
    () => ({ clarify: declined }),
  ),
  channel(
    {
      id: 'inside/channel/throws',
      title: 'the channel fails with every payment',
      foundBy: 'state/payment/h2h/PAY_CONFIRMATION_NEEDED',
      ...UNREACHED,
    },
    () => ({
      initiate: async () => {
        throw new Error('planted');
      },
    }),
  ),
];

/** Writes to the store before some requests. */
function writing(
  row: Row,
  operation: string,
  write: (backend: Backend, request: Incoming) => Promise<unknown>,
): Defect {
  return defect(row, () => {
    return {
      async request(request, backend) {
        if (request.operation !== operation || request.headers['authorization'] !== `Bearer ${backend.key}`)
          return undefined;
        await write(backend, request);
        return undefined;
      },
    };
  });
}

const mine = 'merchant_id = (select merchant_id from signing_secrets where secret = ?)';
const readId = ({ path }: Incoming) => path.split('/')[2] ?? '';

const written: readonly Defect[] = [
  writing(
    { id: 'inside/store/money-from-nowhere', title: 'money comes from nowhere', foundBy: 'money/payout/returned' },
    'getBalance',
    ({ store, secret }) =>
      store.unit((db) =>
        db.run(`update wallets set available = available + 5000 where currency = 'INR' and ${mine}`, secret),
      ),
  ),
  writing(
    {
      id: 'inside/store/money-vanishes',
      title: 'the wallet is emptied now and then',
      foundBy: 'money/payout/withdrawn',
    },
    'createPayout',
    ({ store, secret }) =>
      store.unit((db) =>
        db.run(`update wallets set available = available - 3000 where available >= 40000 and ${mine}`, secret),
      ),
  ),
  writing(
    {
      id: 'inside/store/amount-rewritten',
      title: 'the amount of a stored payout changes',
      foundBy: 'consistency/payout/echo',
    },
    'getPayout',
    ({ store }, request) =>
      store.unit((db) =>
        db.run(
          `update transactions set amount = amount + 1, state = replace(state, '"amount":1500', '"amount":1501') where id = ?`,
          readId(request),
        ),
      ),
  ),
  defect(
    {
      id: 'inside/store/reason-rewritten',
      title: 'the reason of a declined payment changes after it was read',
      foundBy: 'consistency/payment/final',
    },
    () => {
      const read = new Set<string>();
      return {
        async request(request, { store }) {
          if (!read.has(request.path)) return undefined;
          const sql = `update transactions set state = replace(state, 'BANK_REJECTED', 'KYC_BLOCKED') where id = ?`;
          await store.unit((db) => db.run(sql, readId(request)));
          return undefined;
        },
        response(response, { operation, path }) {
          if (operation === 'getPayment' && toObject(response.body)['status'] === 'FAILED') read.add(path);
        },
      };
    },
  ),
];

export const inside: readonly Defect[] = [...carried, ...written];
