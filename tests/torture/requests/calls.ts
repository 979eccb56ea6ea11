/** Bad calls: odd methods and paths, ids of others, missing or odd credentials, wrong states, and malformed HTTP. */

import { BODY_LENGTHS, HEADS, insertKey, TARGETS } from '../../gateway/api/hostile-requests.ts';
import type { Random } from '../../tools/random.ts';
import { type Bad, createHeaders, creation, get, type Maker, noise, post, type RequestFixture } from './case.ts';

const METHODS = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'MKCOL', 'PURGE'];
const PATHS = ['/payments', '/payments/x', '/payments/x/confirm', '/payouts', '/payouts/x', '/merchant/balance', '/'];
/** Calls that are rejected in any state of the database. */
const ODD_TARGETS = TARGETS.filter(([, status]) => isRefusal(status));
const ODD_HEADS = [...BODY_LENGTHS, ...HEADS].filter(
  ([, statuses]) => statuses.length < 2 && statuses.every(isRefusal),
);
const CREDENTIALS = [
  ...['Bearer', 'Bearer ', 'Basic YTpi', 'Bearer sk_test_nobody', 'bearer', 'Bearer a b', 'Digest', 'Bearer null', ''],
  ...[
    'Bearer \u00e9',
    'Bearer sk_live_x',
    "Bearer ' or 1=1 --",
    'Token x',
    `Bearer ${'a'.repeat(255)}`,
    `Bearer ${'a'.repeat(4_000)}`,
  ],
];
const HEADER_BYTES_MAX = 16_384;

const OTHER_PROTOCOLS = [
  Buffer.from('1603010200010001fc0303', 'hex'),
  Buffer.from('SSH-2.0-OpenSSH_9.6\r\n\r\n'),
  Buffer.from('EHLO a.example\r\n\r\n'),
  Buffer.from('*1\r\n$4\r\nPING\r\n'),
];

/** By the name in the counts. */
export const CALLS: Readonly<Record<string, Maker>> = {
  'odd method': (random, fixture) => get(fixture, random.of(PATHS), random.of(METHODS)),
  'odd path': (random, fixture) => {
    const [target, status] = random.of(ODD_TARGETS);
    return random.chance(0.7) ? { ...get(fixture, target), status } : post(fixture, target, '{}');
  },
  'long path': (random, fixture) => get(fixture, `/payments/${'a%20'.repeat(random.whole(100, 2_500))}`),
  'another merchant': (random, fixture) => random.of(strangers(fixture)),
  credentials: (random, fixture) => {
    const { wire } = random.chance(0.5) ? get(fixture, '/merchant/balance') : valid(random, fixture);
    const headers = wire.headers.filter(([name]) => name !== 'Authorization');
    const given: [string, string][] = random.chance(0.2) ? [] : [['Authorization', random.of(CREDENTIALS)]];
    return { wire: { ...wire, headers: [...headers, ...given] } };
  },
  'wrong state': (random, fixture) => random.of(mistimed(fixture)),
  'oversized headers': (random, fixture) => {
    const { wire } = get(fixture, '/merchant/balance');
    const size = random.whole(HEADER_BYTES_MAX, 3 * HEADER_BYTES_MAX);
    const many = Array.from({ length: Math.ceil(size / 8) }, (_, index): [string, string] => [`a${index}`, 'b']);
    const extra: [string, string][] = random.chance(0.5) ? [['Cookie', 'a'.repeat(size)]] : many;
    return {
      raw: Buffer.from([`${wire.method} ${wire.target} HTTP/1.1`, ...lines([...wire.headers, ...extra])].join('\r\n')),
    };
  },
  'hardly HTTP': (random, fixture) => {
    const [, [status], bytes] = random.of(ODD_HEADS);
    return { raw: insertKey(fixture.key, bytes), ...(status && { status }) };
  },
  'changed bytes': (random, fixture) => {
    // Not GET: a path that begins with a question mark requests the first page.
    const text = Buffer.from(`POST /nothing/that/exists HTTP/1.1\r\n${lines(createHeaders(fixture)).join('\r\n')}`);
    for (let count = random.whole(1, 4); count > 0; count--) text[random.whole(0, 40)] = random.whole(0, 255);
    return { raw: Buffer.concat([text, Buffer.from('\r\n\r\n')]) };
  },
  noise: (random) => ({
    raw: Buffer.concat([
      random.chance(0.2) ? random.of(OTHER_PROTOCOLS) : noise(random, random.whole(1, 2_000)),
      Buffer.from('\r\n\r\n'),
    ]),
  }),
};

function isRefusal(status: number): boolean {
  return status >= 400;
}

function lines(headers: readonly (readonly [string, string])[]): string[] {
  return [...headers.map(([name, value]) => `${name}: ${value}`), '', ''];
}

function valid(random: Random, fixture: RequestFixture) {
  const { path, body } = creation(random, fixture);
  return post(fixture, path, JSON.stringify(body));
}

/** Calls on another merchant's transactions. */
function strangers(fixture: RequestFixture): Bad[] {
  const { payment } = fixture.others;
  const { id: waiting, request } = fixture.others.waiting;
  const { id: payout } = fixture.others.payout;
  const confirmation = JSON.stringify({ confirm_data: { amount: '1', tid: '1' } });
  return [
    get(fixture, `/payments/${payment}`),
    get(fixture, `/payments?transaction_id=${waiting}`),
    get(fixture, `/payments?merchant_order_id=${request['merchant_order_id']}`),
    get(fixture, `/payouts/${payout}`),
    get(fixture, `/payouts/${payment}`),
    post(fixture, `/payments/${waiting}/confirm`, confirmation),
    post(fixture, `/payments/${waiting}/clarify`, JSON.stringify({ clarify_data: { name: 'A' } })),
    post(fixture, `/payments/${payout}/confirm`, confirmation),
  ];
}

/** Calls on the merchant's own transactions at the wrong time, or with changed data. */
function mistimed(fixture: RequestFixture): Bad[] {
  const { waiting, payment, payout } = fixture;
  const data = { confirm_data: { amount: '1', tid: '1' } };
  return [
    post(fixture, `/payments/${waiting.id}/confirm`, JSON.stringify(data)),
    post(fixture, `/payments/${waiting.id}/clarify`, JSON.stringify({ clarify_data: { name: 'A' } })),
    post(fixture, `/payments/${payment}/confirm`, JSON.stringify(data)),
    post(fixture, `/payments/${payout.id}/confirm`, JSON.stringify(data)),
    get(fixture, `/payouts/${payment}`),
    get(fixture, `/payments/${payout.id}`),
    post(fixture, '/payments', JSON.stringify({ ...waiting.request, amount: 1 })),
    post(fixture, '/payouts', JSON.stringify({ ...payout.request, amount: 1 })),
  ];
}
