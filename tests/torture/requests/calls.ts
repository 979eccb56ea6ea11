/** Bad calls: odd methods and paths, ids of others, missing or odd credentials, wrong states, and malformed HTTP. */

import { BODY_LENGTHS, HEADS, insertKey, TARGETS } from '../../gateway/api/hostile-requests.ts';
import type { Random } from '../../tools/random.ts';
import { type Bad, createHeaders, creation, get, type Maker, noise, post, type World } from './case.ts';

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
  'odd method': (random, world) => get(world, random.of(PATHS), random.of(METHODS)),
  'odd path': (random, world) => {
    const [target, status] = random.of(ODD_TARGETS);
    return random.chance(0.7) ? { ...get(world, target), status } : post(world, target, '{}');
  },
  'long path': (random, world) => get(world, `/payments/${'a%20'.repeat(random.whole(100, 2_500))}`),
  'another merchant': (random, world) => random.of(strangers(world)),
  credentials: (random, world) => {
    const { wire } = random.chance(0.5) ? get(world, '/merchant/balance') : valid(random, world);
    const headers = wire.headers.filter(([name]) => name !== 'Authorization');
    const given: [string, string][] = random.chance(0.2) ? [] : [['Authorization', random.of(CREDENTIALS)]];
    return { wire: { ...wire, headers: [...headers, ...given] } };
  },
  'wrong state': (random, world) => random.of(mistimed(world)),
  'oversized headers': (random, world) => {
    const { wire } = get(world, '/merchant/balance');
    const size = random.whole(HEADER_BYTES_MAX, 3 * HEADER_BYTES_MAX);
    const many = Array.from({ length: Math.ceil(size / 8) }, (_, index): [string, string] => [`a${index}`, 'b']);
    const extra: [string, string][] = random.chance(0.5) ? [['Cookie', 'a'.repeat(size)]] : many;
    return {
      raw: Buffer.from([`${wire.method} ${wire.target} HTTP/1.1`, ...lines([...wire.headers, ...extra])].join('\r\n')),
    };
  },
  'hardly HTTP': (random, world) => {
    const [, [status], bytes] = random.of(ODD_HEADS);
    return { raw: insertKey(world.key, bytes), ...(status && { status }) };
  },
  'changed bytes': (random, world) => {
    // Not GET: a path that begins with a question mark requests the first page.
    const text = Buffer.from(`POST /nothing/that/exists HTTP/1.1\r\n${lines(createHeaders(world)).join('\r\n')}`);
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

function valid(random: Random, world: World) {
  const { path, body } = creation(random, world);
  return post(world, path, JSON.stringify(body));
}

/** Calls on another merchant's transactions. */
function strangers(world: World): Bad[] {
  const { payment } = world.others;
  const { id: waiting, request } = world.others.waiting;
  const { id: payout } = world.others.payout;
  const confirmation = JSON.stringify({ confirm_data: { amount: '1', tid: '1' } });
  return [
    get(world, `/payments/${payment}`),
    get(world, `/payments?transaction_id=${waiting}`),
    get(world, `/payments?merchant_order_id=${request['merchant_order_id']}`),
    get(world, `/payouts/${payout}`),
    get(world, `/payouts/${payment}`),
    post(world, `/payments/${waiting}/confirm`, confirmation),
    post(world, `/payments/${waiting}/clarify`, JSON.stringify({ clarify_data: { name: 'A' } })),
    post(world, `/payments/${payout}/confirm`, confirmation),
  ];
}

/** Calls on the merchant's own transactions at the wrong time, or with changed data. */
function mistimed(world: World): Bad[] {
  const { waiting, payment, payout } = world;
  const data = { confirm_data: { amount: '1', tid: '1' } };
  return [
    post(world, `/payments/${waiting.id}/confirm`, JSON.stringify(data)),
    post(world, `/payments/${waiting.id}/clarify`, JSON.stringify({ clarify_data: { name: 'A' } })),
    post(world, `/payments/${payment}/confirm`, JSON.stringify(data)),
    post(world, `/payments/${payout.id}/confirm`, JSON.stringify(data)),
    get(world, `/payouts/${payment}`),
    get(world, `/payments/${payout.id}`),
    post(world, '/payments', JSON.stringify({ ...waiting.request, amount: 1 })),
    post(world, '/payouts', JSON.stringify({ ...payout.request, amount: 1 })),
  ];
}
