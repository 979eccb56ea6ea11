/**
 * Bad bodies: wrong types, missing and unknown members, invalid amounts, malformed JSON and UTF-8, too deep, too large.
 */
import type { Json, JsonObject } from '../../../contract/src/model.ts';
import type { Random } from '../../tools/random.ts';
import { type Bad, createHeaders, creation, type Maker, noise, post, type RequestFixture } from './case.ts';

/** None is a string, a valid amount, or an object with the required members. */
const WRONG: readonly Json[] = [null, true, false, 0, -1, 1.5, [], {}, [1], ['a'], { a: 1 }, [[]], 1e300];
/** In the form written into the body. */
const AMOUNTS = [
  ...['0', '-0', '-1', '1.5', '0.1', '-9007199254740993', '9007199254740992', '1e16', '1e400', '-1e400', '1e-5'],
  ...['"1"', '""', 'null', 'true', '[]', '{}', '[100]', '"0x10"', '"1e3"', '"१२३"'],
  ...['NaN', 'Infinity', '01', '+1', '1.', '.5', '0x10', '1_000', '1,5', "'1'", '--1', '1e', '1n'],
  `1${'0'.repeat(400)}`,
  `-${'9'.repeat(4_000)}`,
  `0.${'3'.repeat(4_000)}`,
];
const NAMES = [
  'constructor',
  'prototype',
  '__proto__',
  'toString',
  'status',
  'transaction_id',
  'é',
  ' ',
  '',
  'a.b',
  '/',
  '~',
];
/** Each suffix makes valid JSON invalid. */
const BROKEN = [
  '',
  '{',
  '[',
  '"',
  'nul',
  'undefined',
  'NaN',
  "{'a':1}",
  '{"a":1,}',
  '[1,]',
  '{a:1}',
  '{"a" 1}',
  '// {}',
];
const TAILS = ['}', '{}', ',', 'x', '\u0001', '//', 'null', ']'];
const BYTES = ['ff', 'c080', 'eda080', 'f8888080', 'e282', '80', 'f4908080', 'c3'].map((hex) =>
  Buffer.from(hex, 'hex'),
);
/** Well-formed JSON with invalid texts: half a surrogate pair, and a character that databases don't store. */
const ESCAPES = ['\\ud800', '\\udfff', '\\uDBFFx', '\\u0000', 'a\\ud83d', '\\ude00\\ud83d'];
const TYPES = [
  'text/plain',
  'application/xml',
  'application/jsonx',
  'multipart/form-data',
  '*/*',
  'json',
  'a/b/c',
  ';',
];
const BODY_BYTES_MAX = 65_536;

/** By the name in the counts. */
export const BODIES: Readonly<Record<string, Maker>> = {
  'wrong type': (random, fixture) => {
    const { path, body } = creation(random, fixture);
    const [holder, name] = place(random, body);
    holder[name] = random.of(WRONG);
    return post(fixture, path, JSON.stringify(body));
  },
  'missing field': (random, fixture) => {
    const { path, body } = creation(random, fixture);
    if (random.chance(0.2)) body['customer'] = { name: 'A' };
    else delete body[random.of(REQUIRED)];
    return post(fixture, path, JSON.stringify(body));
  },
  'extra field': (random, fixture) => {
    const { path, body } = creation(random, fixture);
    const name = random.chance(0.5) ? random.of(NAMES) : noise(random, 8).toString('hex');
    const value = JSON.stringify(random.of<Json>([...WRONG, 'a']));
    const text = JSON.stringify(random.chance(0.5) ? body : body['customer']);
    const extended = `${text.slice(0, -1)},${JSON.stringify(name)}:${value}}`;
    return post(fixture, path, text === JSON.stringify(body) ? extended : withMember(body, 'customer', extended));
  },
  amount: (random, fixture) => {
    const { path, body } = creation(random, fixture);
    return post(fixture, path, withMember(body, 'amount', random.of(AMOUNTS)));
  },
  'too long': (random, fixture) => {
    const { path, body } = creation(random, fixture);
    const name = random.of(['merchant_order_id', 'payment_method_type', 'callback_url', 'currency']);
    body[name] = `https://a.example/${random.of(['a', 'é', '😀'])}`.padEnd(random.whole(2_049, 8_000), 'x');
    return post(fixture, path, JSON.stringify(body));
  },
  address: (random, fixture) => {
    const { path, body } = creation(random, fixture);
    body['callback_url'] = random.of([
      'ftp://a.example',
      'javascript:alert(1)',
      '//a.example',
      'a',
      '',
      'http//a',
      ' ',
    ]);
    return post(fixture, path, JSON.stringify(body));
  },
  'deep nesting': (random, fixture) => {
    const { path, body } = creation(random, fixture);
    const [open, close] = random.of([
      ['[', ']'],
      ['{"a":', '}'],
    ] as const);
    const depth = random.whole(50, 8_000);
    const deep = `${open.repeat(depth)}1${random.chance(0.8) ? close.repeat(depth) : ''}`;
    return post(fixture, path, random.chance(0.3) ? deep : withMember(body, random.of(REQUIRED), deep));
  },
  'broken JSON': (random, fixture) => {
    const { path, body } = creation(random, fixture);
    const text = JSON.stringify(body);
    const broken = [random.of(BROKEN), text.slice(0, random.whole(0, text.length - 1)), text + random.of(TAILS)];
    return post(fixture, path, random.of(broken));
  },
  'broken text': (random, fixture) => {
    const { path, body } = creation(random, fixture);
    const name = random.of(['merchant_order_id', 'payment_method_type']);
    if (random.chance(0.5)) return post(fixture, path, withMember(body, name, `"a${random.of(ESCAPES)}"`));
    const [before = '', after = ''] = withMember(body, name, '"\n"').split('\n');
    return post(fixture, path, Buffer.concat([Buffer.from(before), random.of(BYTES), Buffer.from(after)]));
  },
  'content type': (random, fixture) => {
    const { path, body } = creation(random, fixture);
    return post(fixture, path, JSON.stringify(body), random.of(TYPES));
  },
  'not JSON at all': (random, fixture) =>
    post(fixture, creation(random, fixture).path, noise(random, random.whole(1, 500))),
  'oversized body': (random, fixture) => oversized(random, fixture),
  'wrong action': (random, fixture) => {
    const data = random.of<Json>([
      ...WRONG,
      '',
      { amount: 1 },
      { amount: '1' },
      { tid: '' },
      { amount: null, tid: 'a' },
    ]);
    const [action, name] = random.of(ACTIONS);
    return post(fixture, `/payments/${fixture.waiting.id}/${action}`, JSON.stringify({ [name]: data }));
  },
};

const ACTIONS = [
  ['confirm', 'confirm_data'],
  ['confirm', 'confirm'],
  ['clarify', 'clarify_data'],
] as const;
const REQUIRED = [
  'amount',
  'currency',
  'merchant_order_id',
  'customer',
  'payment_method_type',
  'callback_url',
] as const;

/** A member of the body or of its customer. */
function place(random: Random, body: JsonObject): [JsonObject, string] {
  const holder = random.chance(0.4) ? (body['customer'] as JsonObject) : body;
  return [holder, random.of(Object.keys(holder))];
}

/** The body as JSON, with a member replaced by the text. */
function withMember(body: JsonObject, name: string, text: string): string {
  const { [name]: _, ...rest } = body;
  return `{${JSON.stringify(name)}:${text},${JSON.stringify(rest).slice(1)}`;
}

/**
 * Incomplete: the rest is not sent once the response has arrived. The size is in the head, or appears while it is sent.
 */
function oversized(random: Random, fixture: RequestFixture): Bad {
  const { path, body } = creation(random, fixture);
  const text = JSON.stringify({ ...body, note: 'x'.repeat(random.whole(BODY_BYTES_MAX, 4 * BODY_BYTES_MAX)) });
  const [length, sent] = random.of([
    [['Content-Length', String(text.length)], '{'],
    [['Transfer-Encoding', 'chunked'], `${text.length.toString(16)}\r\n${text.slice(0, BODY_BYTES_MAX + 1)}`],
  ] as const);
  const headers = [...createHeaders(fixture), ['Content-Type', 'application/json'] as const, length];
  return { wire: { method: 'POST', target: path, headers, body: Buffer.from(sent) }, unfinished: true };
}
