/** Refused requests: messages and internals, which the conformance kit doesn't judge. Amounts are read exactly. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Operation, operations, readBundle } from '../../../contract/src/model.ts';
import { StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { parseExactly } from '../../../gateway/src/http/body.ts';
import { readContract } from '../../../gateway/src/http/contract.ts';
import { RAISED } from '../../../gateway/src/http/problems.ts';
import { checkResponse } from '../../tools/sender.ts';
import { watching } from '../../tools/watching.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { type Answer, inject, openTestSqlite, startTestGateway, type TestGateway } from '../harness.ts';

const AMOUNT_MAX = 2n ** 53n - 1n;
const NOT_AN_INTEGER = 'must be an integer, without decimals';
/** A method that works only by redirect. */
const WALLET = { payment_method_type: 'WALLET_EG', currency: 'EGP' } as const;
const UNKNOWN = 'is not a query parameter of this operation, which has';

/** The example's payment as JSON, with the literal in place of a member's value. */
function withLiteral(member: string, literal: string): string {
  return JSON.stringify(paymentRequest({ [member]: 'REPLACED' })).replace('"REPLACED"', literal);
}

let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway();
});

describe('a refusal', () => {
  it.each([
    ['a decimal amount', withLiteral('amount', '9007199254740990.9'), '/amount', NOT_AN_INTEGER],
    ['a huge amount', withLiteral('amount', '1e400'), '/amount', 'must be at most 9007199254740991'],
    ['a negative zero', withLiteral('amount', '-0'), '/amount', 'must be at least 1'],
    ['a missing return URL', JSON.stringify(paymentRequest(WALLET)), '/return_url', 'is required, since the method'],
    ['half an object', '{"amount":', '', 'is not valid JSON'],
    ['an unknown field', withLiteral('curency', '1'), '/curency', 'is not a known field'],
    ['a URL without host', withLiteral('callback_url', '"https://"'), '/callback_url', 'a host name'],
    ['a repeated name', withLiteral('amount', '1,"currency":"INR","\\u0061mount":2'), '/amount', 'is given twice'],
    ['a repeated name in an array', '[[],{"a":{},"b":[{"c":1,"c":1}]}]', '/1/b/0/c', 'is given twice'],
    ['a NUL', withLiteral('merchant_order_id', '"\\\\\\u0000"'), '/merchant_order_id', 'U+0000'],
    ['a NUL in a name', withLiteral('device', '{"\\u0000":1}'), '/device', 'U+0000'],
    ['a lone surrogate', withLiteral('device', '{"id":"\\ud800"}'), '/device/id', 'a lone surrogate'],
    ['a port above 65535', withLiteral('return_url', '"https://a.example:99999/"'), '/return_url', ''],
    ['a host in Unicode', withLiteral('callback_url', '"https://m\u00fcller.example/"'), '/callback_url', 'punycode'],
    ['a path in Unicode', withLiteral('callback_url', '"https://a.example/\u00e9"'), '/callback_url', 'percent-enc'],
  ])('explains %s', async (_what, body, pointer, message) => {
    const { status, body: problem } = await test.call('POST', '/payments', body);
    expect(status).toBe(400);
    expect(problem.violations).toContainEqual({ in: 'body', pointer, message: expect.stringContaining(message) });
  });

  it.each([
    ['/payments?locale=en', '/locale', `${UNKNOWN} transaction_id and merchant_order_id`],
    ['/payments?merchant_order_id=a&merchant_order_id=b', '/merchant_order_id', 'must be given once'],
    ['/merchant/balance?a%2Fb=1', '/a~1b', `${UNKNOWN} none`],
    ['/payments?merchant_order_id=%00', '/merchant_order_id', 'must not contain the character U+0000'],
    ['/management/payments?limit=-1', '/limit', 'must be at least 1'],
    ['/payments?merchant_order_id=%ff', '', 'must be valid percent-encoding of UTF-8'],
    ['/merchant/balance?__proto__=2', '/__proto__', `${UNKNOWN} none`],
  ])('names the parameter of %s', async (path, pointer, message) => {
    const { status, body } = await test.call('GET', path);
    expect(status).toBe(400);
    expect(body.violations).toEqual([{ in: 'query', pointer, message }]);
  });

  it('names no parameters without a valid key', async () => {
    const { status } = await test.call('GET', '/merchant/balance?locale=en', undefined, { authorization: undefined });
    expect(status).toBe(401);
  });

  it('names the limit of a body, before the rest is read', async () => {
    const { status, body } = await test.call('POST', '/payments', ' '.repeat(65_537));
    expect([status, body.detail]).toEqual([413, 'Send at most 65536 bytes.']);
    let isCancelled = false;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(60_000)),
      cancel: () => {
        isCancelled = true;
      },
    });
    const headers = { authorization: `Bearer ${test.key}`, 'content-type': 'application/json' };
    const init = { method: 'POST', body: endless, duplex: 'half', headers } as RequestInit;
    const refused = await test.gateway.fetch(new Request('http://localhost/payments', init));
    expect([refused.status, isCancelled]).toEqual([413, true]);
  });

  it('asks for an uncompressed body', async () => {
    const body = JSON.stringify(paymentRequest());
    const refused = await test.call('POST', '/payments', body, { 'content-encoding': 'gzip' });
    expect(refused).toMatchObject({ status: 415, headers: { 'accept-encoding': 'identity' } });
    expect(refused.body.detail).toBe('Send the body without compression: remove `Content-Encoding: gzip`.');
    expect((await test.call('POST', '/payments', body, { 'content-encoding': 'identity' })).status).toBe(200);
  });

  it('asks for UTF-8', async () => {
    const headers = { authorization: `Bearer ${test.key}`, 'content-type': 'application/json' };
    const payload = Buffer.from('{"a":"\xff"}', 'latin1');
    const refused = await inject(test.gateway, { method: 'POST', url: '/payments', headers, payload });
    expect(refused.json().violations).toEqual([{ in: 'body', pointer: '', message: 'is not UTF-8' }]);
  });

  it('mentions a slash at the end of a path', async () => {
    const { status, body } = await test.call('GET', '/payments/?merchant_order_id=x');
    expect(status).toBe(404);
    expect(body.detail).toBe('Route not found: GET /payments/. Remove the slash at the end of the path.');
  });
});

const NAME = String.raw`"A\u0073ha \\\": \"name\":\u00e9 \ud83d\ude00"`;

it.each([
  ['a byte order mark', `\ufeff${JSON.stringify(paymentRequest())}`],
  ['text that resembles a NUL', withLiteral('merchant_order_id', '"order-\\\\u0000"')],
  ['a surrogate pair', withLiteral('merchant_order_id', '"order-\\ud83d\\ude00"')],
  ['escapes, quotation marks and colons', JSON.stringify(paymentRequest()).replace('"Asha Rao"', () => NAME)],
])('a body can contain %s', async (_what, body) => {
  const { status, body: answer } = await test.call('POST', '/payments', body);
  expect([status, answer.violations]).toEqual([200, undefined]);
});

/** A gateway whose store fails after the merchant is added. Keys are still found. */
async function startFailing(error: Error): Promise<TestGateway> {
  let failing = false;
  const store = watching(await openTestSqlite(), (sql) => {
    if (failing && !sql.includes('api_keys')) throw error;
  });
  const test = await startTestGateway({ store });
  failing = true;
  return test;
}

/** Causes of the statuses that the conformance kit only simulates. */
it.each([
  ['429', () => startTestGateway({ limits: { requestsPerSecond: 1 } })],
  ['500', () => startFailing(new Error('password is hunter2'))],
  ['503', () => startFailing(new StoreUnavailable('the disk is full'))],
] as const)('a failure with %s is a problem of the contract in each operation', async (status, start) => {
  const { call } = await start();
  for (const operation of operations(readBundle())) {
    const { id, responses } = operation;
    const answer = await sendUntil(Number(status), call, operation);
    expect(answer.headers['content-type'], id).toBe('application/problem+json; charset=utf-8');
    checkResponse(id, status, answer.body);
    const documented = responses.find((response) => response.status === status);
    const kinds = documented?.body?.examples.map(({ value }) => value);
    const { type, title } = answer.body;
    expect(kinds, id).toContainEqual(expect.objectContaining({ type, title }));
    for (const header of documented?.headers ?? []) expect(answer.headers, id).toHaveProperty(header.toLowerCase());
    expect(answer.text, id).not.toMatch(/hunter2|disk|sqlite|at .*\.ts/);
  }
});

/** Sends a request of the operation with unknown ids, until it gets the status: a rate limit allows some first. */
async function sendUntil(expected: number, call: TestGateway['call'], operation: Operation): Promise<Answer> {
  const { id, path, method, request } = operation;
  const url = path.replace(/\{\w+\}/, 'pay_none') + (id === 'findPayment' ? '?merchant_order_id=none' : '');
  for (let left = 5; ; left--) {
    const answer = await call(method.toUpperCase() as 'GET' | 'POST', url, request?.examples[0]?.value);
    if (answer.status !== expected && left > 0) continue;
    expect(answer.status, id).toBe(expected);
    return answer;
  }
}

/** Around the integer limit, around powers of ten, and anything else. */
const wholes = fc.oneof(
  fc.bigInt({ min: AMOUNT_MAX - 3n, max: AMOUNT_MAX + 3n }),
  fc.nat(20).map((zeros) => 10n ** BigInt(zeros)),
  fc.bigInt({ min: 0n, max: 10n ** 25n }),
);
const fractions = fc.stringMatching(/^(|\.0{0,20}[0-9]|\.[0-9]{1,25}|\.9{1,25})$/);
const exponents = fc.stringMatching(/^(|[eE][+-]?[0-9]|[eE][+-]?[12][0-9]|[eE][+-]?[0-9]{3})$/);
const literals = fc.tuple(fc.constantFrom('', '-'), wholes, fractions, exponents).map((parts) => parts.join(''));

/** The literal's exact value, or undefined if it isn't an integer. */
function exactInteger(literal: string): bigint | undefined {
  const [, whole, fraction = '', exponent] = /^(-?\d+)(?:\.(\d+))?(?:e(.+))?$/i.exec(literal) ?? [];
  const digits = BigInt(`${whole}${fraction}`);
  const scale = Number(exponent ?? 0) - fraction.length;
  if (scale >= 0) return digits * 10n ** BigInt(scale);
  const divisor = 10n ** BigInt(-scale);
  return digits % divisor === 0n ? digits / divisor : undefined;
}

describe('parsing', () => {
  it('agrees with exact decimal arithmetic on integers from 1 to the limit', () => {
    fc.assert(
      fc.property(literals, (literal) => {
        const { amount } = parseExactly(`{"amount":${literal}}`) as { amount: number };
        const exact = exactInteger(literal);
        const allowed = exact !== undefined && exact >= 1n && exact <= AMOUNT_MAX;
        expect(Number.isFinite(amount)).toBe(true);
        expect(Number.isInteger(amount) && amount >= 1 && amount <= Number(AMOUNT_MAX)).toBe(allowed);
        if (allowed) expect(BigInt(amount)).toBe(exact);
      }),
      { numRuns: 2_000 },
    );
  });

  it('agrees with JSON.parse without rounded numbers', () => {
    const jsonWithoutLongFractions = fc.json().filter((text) => !/\d{16}/.test(text));
    fc.assert(
      fc.property(jsonWithoutLongFractions, (text) => {
        expect(parseExactly(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('leaves strings that look like numbers unchanged', () => {
    const value = { name: 'costs 100.00000000000000001, or 1e400' };
    expect(parseExactly(JSON.stringify(value))).toEqual(value);
  });

  it('parses a literal of a million digits quickly', () => {
    const literal = `1.${'0'.repeat(1_000_000)}1`;
    expect(Number.isInteger(parseExactly(literal))).toBe(false);
  });
});

it('the problems of the gateway are the problems of the contract and of its reference', () => {
  const { problems, bundle } = readContract();
  expect([...RAISED].sort()).toEqual([...problems.keys()].sort());
  const rows = bundle.info.description.matchAll(/^\| (\d{3}) \| `(https:\/\/[\w.-]+\/problems\/[\w-]+)` \| (.+) \|$/gm);
  const shown = [...rows].map(([, status, type, title]) => `${status} ${type} ${title}`);
  expect(shown.sort()).toEqual([...problems.values()].map((one) => `${one.status} ${one.type} ${one.title}`).sort());
});
