/** Defects of webhook endpoints, each with the checks that report it. */
import { byHand, type Endpoint, type Received, readBody } from './servers.ts';

export interface Defect {
  readonly name: string;
  /** Exactly the checks that don't conform; a prefix that ends with `/` stands for all that it begins. */
  readonly foundBy: readonly string[];
  /** Whether no later check conforms. */
  readonly isFatal?: boolean;
  readonly make: () => Endpoint;
  readonly read?: typeof readBody;
}

const ACCEPTS = 'receiver/accepts/';
const REJECTS = 'receiver/rejects/';

const ALL = [ACCEPTS, REJECTS, 'receiver/survives/closed-connection'];

const accepts = (...names: string[]) => names.map((name) => `${ACCEPTS}${name}`);
const rejects = (...names: string[]) => names.map((name) => `${REJECTS}${name}`);

/** Statuses and decline reasons, and undefined, because most events have no reason. */
const KNOWN = new Set<unknown>([
  ...['EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED', 'SUCCESS', 'FAILED'],
  ...['INSUFFICIENT_FUNDS', 'INVALID_ACCOUNT_NUMBER', 'BANK_REJECTED', undefined],
]);

const hasty: typeof readBody = async (request) => {
  const startedAt = Date.now();
  const body = await readBody(request);
  if (Date.now() - startedAt > 200) throw new Error('too slow');
  return body;
};

export const DEFECTS: readonly Defect[] = [
  { name: 'accepts anything', foundBy: [REJECTS], make: () => () => 204 },
  { name: 'rejects everything', foundBy: ALL, make: () => () => 401 },
  {
    name: 'accepts what has no signature',
    foundBy: rejects('missing-signature', 'empty-signature'),
    make: () => byHand({ unsigned: 204 }),
  },
  {
    name: 'ignores the timestamp',
    foundBy: [
      ...rejects('stale', 'stale-by-a-year', 'future', 'timestamp-in-milliseconds', 'timestamp-as-date'),
      ...rejects('timestamp-with-fraction', 'negative-timestamp', 'empty-timestamp'),
    ],
    make: () => byHand({ isTimely: (timestamp) => timestamp !== 'undefined' }),
  },
  {
    name: 'accepts timestamps ahead',
    foundBy: rejects('future', 'timestamp-in-milliseconds'),
    make: () => byHand({ isTimely: (text) => /^\d+$/.test(text) && Date.now() / 1_000 - Number(text) <= 300 }),
  },
  {
    name: 'accepts a signature over the body alone, too',
    foundBy: rejects('body-alone'),
    make: () => {
      const [valid, other] = [byHand(), byHand({ content: ({ body }) => body })];
      return async (received) => ((await valid(received)) === 202 ? 202 : other(received));
    },
  },
  {
    name: 'compares the beginning of the signature',
    foundBy: rejects('version-alone', 'truncated-signature'),
    make: () =>
      byHand({
        isEqual: (expected, given) => given.length > 2 && expected.startsWith(given.replace(/=+$/, '').slice(0, 20)),
      }),
  },
  {
    name: 'reads only the first of several signatures',
    foundBy: accepts('unknown-version-first', 'wrong-signature-first'),
    make: () => byHand({ signatures: (header) => header.split(' ').slice(0, 1) }),
  },
  {
    name: 'takes a signature of any version',
    foundBy: rejects('wrong-version', 'asymmetric-version'),
    make: () => byHand({ signatures: (header) => header.split(' ').map((one) => one.replace(/^v\d+a?,/, 'v1,')) }),
  },
  {
    name: 'verifies what it has parsed and written again',
    foundBy: [
      ...accepts('escaped-characters', 'indented-body'),
      ...rejects('appended-line-break', 'added-whitespace', 'truncated-body', 'empty-body', 'byte-order-mark'),
    ],
    make: () => byHand({ content: rewritten }),
  },
  {
    name: 'fails with 500 on a field, a status or a decline reason that it does not know',
    foundBy: accepts('unknown-field', 'escaped-characters', 'unknown-status', 'unknown-decline-reason'),
    make: () =>
      taking(({ status, decline_reason: reason, ...rest }) =>
        KNOWN.has(status) && KNOWN.has(reason) && !('note' in rest) ? 204 : 500,
      ),
  },
  { name: 'rejects an event that it has', foundBy: accepts('duplicate'), make: onceOnly },
  { name: 'rejects an event after a later one', foundBy: accepts('reordered'), make: inOrder },
  { name: 'gives no response', foundBy: ALL, make: () => () => undefined },
  { name: 'times out on a slow body', foundBy: accepts('slow-body'), make: () => byHand(), read: hasty },
  {
    name: 'refuses all after a connection was closed',
    ...{ foundBy: ['receiver/survives/closed-connection'], isFatal: true },
    make: () => byHand(),
    read: offended(),
  },
];

/** An endpoint that verifies, and takes an event as the function says. */
function taking(take: (body: Readonly<Record<string, unknown>>) => number): Endpoint {
  return byHand({ take: (body) => take(JSON.parse(body)) });
}

function rewritten({ headers, body }: Received): string {
  return `${headers['webhook-id']}.${headers['webhook-timestamp']}.${JSON.stringify(JSON.parse(body))}`;
}

function onceOnly(): Endpoint {
  const seen = new Set<unknown>();
  return byHand({
    take(_body, { 'webhook-id': id }) {
      const isNew = !seen.has(id);
      seen.add(id);
      return isNew ? 204 : 400;
    },
  });
}

function inOrder(): Endpoint {
  const final = new Set<unknown>();
  return taking(({ transaction_id: id, status }) => {
    const isFinal = status === 'SUCCESS' || status === 'FAILED';
    if (!isFinal && final.has(id)) return 409;
    if (isFinal) final.add(id);
    return 204;
  });
}

function offended(): typeof readBody {
  let isOffended = false;
  return async (request) => {
    if (isOffended) throw new Error('an earlier request was broken off');
    isOffended = true;
    const body = await readBody(request);
    isOffended = false;
    return body;
  };
}
