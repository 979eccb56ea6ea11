import { describe, expect, test } from 'vitest';
import { formatReport } from '../../conformance/src/report.ts';
import type { Json, JsonObject } from '../../contract/src/model.ts';
import { pointerOf } from '../../contract/src/pointer.ts';
import { type Answer, contract, documentedAnswer, type Request } from './http.ts';
import { type StatefulDefect, startStateful } from './stateful.ts';
import { type Defect, startStateless } from './stateless.ts';
import { verify } from './verify.ts';

/** What a defective service has to be convicted of. */
interface Verdict {
  operation: string;
  title: string;
  at: string;
}

type Alter = (answer: Answer, request: Request) => Answer;

/** Applies a change to the answers of one operation with one status. */
function on(operation: string, status: number, alter: Alter): { alter: Alter } {
  return {
    alter: (answer, request) =>
      request.operation.id === operation && answer.status === status ? alter(answer, request) : answer,
  };
}

function withBody(change: (body: JsonObject) => Json): Alter {
  return (answer) => ({ ...answer, body: change(answer.body as JsonObject) });
}

function withHeaders(headers: Record<string, string>): Alter {
  return (answer) => ({ ...answer, headers: { ...answer.headers, ...headers } });
}

function set(name: string, value: Json): Alter {
  return withBody((body) => ({ ...body, [name]: value }));
}

function without(name: string): Alter {
  return withBody(({ [name]: _, ...rest }) => rest);
}

const withoutHeaders: Alter = ({ headers, ...answer }) => ({
  ...answer,
  headers: { 'content-type': headers['content-type'] ?? '' },
});

const STATELESS: Record<string, Defect & Verdict> = {
  'another status': {
    ...on('createPayment', 200, (answer) => ({ ...answer, status: 201 })),
    ...verdict('createPayment', '200 h2h-upi', 'status'),
  },
  'another media type': {
    ...on('getPayment', 200, withHeaders({ 'content-type': 'text/json' })),
    ...verdict('getPayment', '200 succeeded', 'header content-type'),
  },
  'errors as plain JSON': {
    ...on('getBalance', 503, withHeaders({ 'content-type': 'application/json' })),
    ...verdict('getBalance', '503 overloaded', 'header content-type'),
  },
  'a field that is missing': {
    ...on('createPayout', 201, without('created_at')),
    ...verdict('createPayout', '201 wallet-mad', 'body /created_at'),
  },
  'an amount as a string': {
    ...on('getPayment', 200, set('amount', '49900')),
    ...verdict('getPayment', '200 created', 'body /amount'),
  },
  'an amount with decimals': {
    ...on('createPayment', 200, set('amount', 499.5)),
    ...verdict('createPayment', '200 redirect-dzd', 'body /amount'),
  },
  'a currency that the contract does not have': {
    ...on('findPayment', 200, set('currency', 'EUR')),
    ...verdict('findPayment', '200 by-merchant-order-id', 'body /currency'),
  },
  'a status that the contract does not have': {
    ...on('getPayment', 200, set('status', 'PAID')),
    ...verdict('getPayment', '200 redirect-expired', 'body /status'),
  },
  'a time without its zone': {
    ...on('getPayout', 200, set('created_at', '2026-03-03T10:00:00')),
    ...verdict('getPayout', '200 processing', 'body /created_at'),
  },
  'the order id of another payment': {
    ...on('createPayment', 200, set('merchant_order_id', 'order-9999')),
    ...verdict('createPayment', '200 h2h-upi', 'body /merchant_order_id'),
  },
  'the transaction id of another payment': {
    ...on('confirmPayment', 200, set('transaction_id', 'pay_other')),
    ...verdict('confirmPayment', '200 tid', 'body /transaction_id'),
  },
  'another example than the one that is asked for': {
    ...on('getPayout', 200, ({ status }, { operation }) => documentedAnswer(operation, String(status))),
    ...verdict('getPayout', '200 succeeded-egp', 'body /transaction_id'),
  },
  'a problem that names another status': {
    ...on('clarifyPayment', 409, set('status', 400)),
    ...verdict('clarifyPayment', '409 wrong-state', 'body /status'),
  },
  'a Retry-After header that is no number': {
    ...on('createPayout', 503, withHeaders({ 'retry-after': 'soon' })),
    ...verdict('createPayout', '503 overloaded', 'header Retry-After'),
  },
  'taking calls without a key': {
    acceptsAnyKey: true,
    ...verdict('getPayment', 'without a key', 'status'),
  },
  'taking a body with a required field missing': {
    acceptsAnyBody: true,
    ...verdict('createPayment', 'without /customer/id', 'status'),
  },
  'taking an amount as a string': {
    acceptsAnyBody: true,
    ...verdict('createPayout', '/amount as a string', 'status'),
  },
  'taking an unknown field': {
    acceptsAnyBody: true,
    ...verdict('confirmPayment', 'with the unknown field /field_unknown_to_the_contract', 'status'),
  },
};

const STATEFUL: Record<string, StatefulDefect & Verdict> = {
  'creating another transaction for the same request': {
    forgetsOrders: true,
    ...verdict('createPayment', 'the same again, redirect-egp', 'body /transaction_id'),
  },
  'creating another payout for the same request': {
    forgetsOrders: true,
    ...verdict('createPayout', 'the same again, imps-inr', 'body /transaction_id'),
  },
  'taking a known order id with another body': {
    acceptsReusedOrders: true,
    ...verdict('createPayment', '409 order-id-reused', 'status'),
  },
  'confirming a payment that does not wait for it': {
    actsInAnyState: true,
    ...verdict('confirmPayment', '409 wrong-state', 'status'),
  },
  'showing another amount than was created': {
    ...on('getPayment', 200, set('amount', 1)),
    ...verdict('getPayment', '200 created', 'body /amount'),
  },
  'showing another method than was created': {
    ...on('getPayment', 200, set('payment_method', 'OTHER')),
    ...verdict('getPayment', '200 created', 'body /payment_method'),
  },
  'finding another payment than was asked for': {
    ...on('findPayment', 200, set('merchant_order_id', 'order-9999')),
    ...verdict('findPayment', '200 by-merchant-order-id', 'body /merchant_order_id'),
  },
  'answering a confirmation without its message': {
    ...on('confirmPayment', 200, without('message')),
    ...verdict('confirmPayment', '200 tid', 'body /message'),
  },
  'answering a clarification in the old state': {
    ...on('clarifyPayment', 200, without('confirm')),
    ...verdict('clarifyPayment', '200 account-and-email', 'body /confirm'),
  },
  'answering an unknown id with another problem': {
    ...on('getPayout', 404, set('type', 'about:blank')),
    ...verdict('getPayout', '404 payout-not-found', 'body /type'),
  },
  'answering an unknown key as if it were known': {
    ...on('getBalance', 401, (answer, { operation, headers }) =>
      headers['authorization'] ? documentedAnswer(operation, '200') : answer,
    ),
    ...verdict('getBalance', '401 unknown-key', 'status'),
  },
};

function verdict(operation: string, title: string, at: string): Verdict {
  return { operation, title: `${operation} ${title}`, at };
}

describe('a service that follows Prefer is convicted of', () => {
  test.each(Object.entries(STATELESS))('%s', async (_, { operation, title, at, ...defect }) => {
    await convict(verify(startStateless(defect), { only: operation }), { operation, title, at });
  });
});

describe('a service with its own state is convicted of', () => {
  test.each(Object.entries(STATEFUL))('%s', async (_, { operation, title, at, ...defect }) => {
    await convict(verify(startStateful(defect), { only: operation }), { operation, title, at });
  });
});

async function convict(verifying: ReturnType<typeof verify>, { operation, title, at }: Verdict): Promise<void> {
  const report = await verifying;
  expect(report.ok).toBe(false);
  const failure = report.results.find((result) => result.title === title);
  expect(failure?.state).toBe('failed');
  expect(failure?.problems.map((problem) => problem.at)).toContain(at);

  const { path = '', method = '' } = contract.operations.find(({ id }) => id === operation) ?? {};
  expect(failure?.pointer.startsWith(`${pointerOf('paths', path, method)}/responses/`)).toBe(true);
  const [, section = ''] = formatReport(report).split(`FAILED ${title}\n`);
  const lines = section.split('\n').map((line) => line.trim());
  expect(lines[0]).toBe(`operation ${operation}, example ${failure?.example}`);
  expect(lines[1]).toBe(`contract ${failure?.pointer}`);
  expect(lines.slice(2).some((line) => line.startsWith(`${at}: expected `))).toBe(true);
}

describe('one defect convicts', () => {
  test('only the operation that has it', async () => {
    const report = await verify(startStateless(on('getPayout', 200, without('created_at'))));
    expect(report.operations.filter(({ failed }) => failed > 0).map((row) => row.operation)).toEqual(['getPayout']);
  });
});

describe('a service is acquitted that', () => {
  test.each([
    ['sends no WWW-Authenticate header, which the source does not ask for', on('getBalance', 401, withoutHeaders)],
    ['sends no Retry-After header, which the source does not ask for', on('createPayout', 429, withoutHeaders)],
    [
      'sends Retry-After as a date',
      on('createPayout', 503, withHeaders({ 'retry-after': 'Mon, 02 Mar 2026 09:00:00 GMT' })),
    ],
    ['sends fields of a later version', on('getPayout', 200, set('settled_by', 'bank'))],
  ])('%s', async (_, variation) => {
    const report = await verify(startStateless(variation));
    expect(report.results.filter(({ state }) => state === 'failed')).toEqual([]);
  });
});
