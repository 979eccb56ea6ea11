/** Choices about requests and errors that the source leaves open, decided differently. */
import type { JsonObject } from '../../../../contract/src/model.ts';
import { type Outgoing, rewrite, toObject } from '../alteration.ts';
import type { Variation } from '../trial.ts';
import { ANY, responding, variation } from './build.ts';

const problem = (response: Outgoing, body: JsonObject, type = 'application/problem+json'): void => {
  response.body = body;
  delete response.text;
  response.headers['content-type'] = type;
};

const errors: readonly Variation[] = [
  responding('errors/only-a-type', (response) => {
    const { violations } = toObject(response.body);
    if (response.status >= 400) problem(response, { type: 'about:blank', ...(violations && { violations }) });
  }),
  responding('errors/more-members', (response) => {
    if (response.status >= 400)
      problem(response, { ...toObject(response.body), instance: '/e/1', errors: [1], code: 7 });
  }),
  responding(
    'errors/plain-json',
    (response) => {
      if (response.status >= 400) problem(response, { error: 'failed', code: response.status }, 'application/json');
    },
    ANY,
  ),
  responding(
    'errors/plain-text',
    (response) => {
      if (response.status < 400) return;
      response.headers['content-type'] = 'text/plain';
      response.text = 'Error';
    },
    ANY,
  ),
  responding(
    'errors/422',
    (response) => {
      if (response.status === 400)
        Object.assign(response, { status: 422, body: { title: 'Unprocessable', status: 422 } });
    },
    ANY,
  ),
  responding(
    'errors/403',
    (response) => {
      if (response.status === 401) Object.assign(response, { status: 403, body: { title: 'Forbidden', status: 403 } });
    },
    ANY,
  ),
  responding(
    'errors/wrong-state-is-400',
    (response) => {
      if (response.status === 409)
        Object.assign(response, { status: 400, body: { title: 'Bad request', status: 400 } });
    },
    ANY,
  ),
];

const limits: readonly Variation[] = [
  variation(
    'requests/unknown-fields',
    () => ({
      request(request) {
        const { field_unknown_to_the_contract: unknown, ...rest } = toObject(request.body);
        if (unknown !== undefined) rewrite(request, rest);
      },
    }),
    { differs: ['bad-input', 'bad-request'] },
  ),
  variation(
    'requests/any-media-type',
    () => ({
      request(request) {
        if (request.bytes.length > 0) request.headers['content-type'] = 'application/json';
      },
    }),
    { differs: ['bad-request'] },
  ),
  variation(
    'requests/unknown-parameters',
    () => ({
      request(request) {
        request.query = request.query.replace(/[?&]parameter_unknown_to_the_contract=x/, '');
      },
    }),
    { differs: ['bad-request'] },
  ),
  variation('requests/tid-only', () => ({
    transaction(one) {
      if ('confirm' in one) one['confirm'] = ['tid'];
    },
    async request(request, backend) {
      const given = toObject(request.body)['confirm_data'];
      const { tid, ...others } = toObject(given);
      if (request.operation !== 'confirmPayment' || typeof tid !== 'string') return;
      const path = request.path.replace(/\/confirm$/, '');
      const headers = { authorization: String(request.headers['authorization']) };
      const { body } = await backend.send({ method: 'GET', path, headers });
      if (toObject(body)['status'] !== 'PAY_CONFIRMATION_NEEDED') return;
      const items = Object.keys(others).length > 0 ? others : { tid, amount: String(toObject(body)['amount']) };
      rewrite(request, { ...toObject(request.body), confirm_data: items });
    },
  })),
  variation('requests/references', () => ({
    async request(request, backend) {
      const { tid } = toObject(toObject(request.body)['confirm_data']);
      if (request.operation !== 'confirmPayment' || typeof tid !== 'string') return undefined;
      const { path, headers } = request;
      const known = { ...toObject(request.body), confirm_data: {} };
      // The gateway lists the violations.
      if (/^[A-Za-z0-9]+$/.test(tid)) return undefined;
      const refused = await backend.send({ method: 'POST', path, headers, bytes: Buffer.from(JSON.stringify(known)) });
      if (refused.status !== 400) return undefined;
      const violations = [{ in: 'body', pointer: '/confirm_data/tid', message: 'There is no such transfer.' }];
      return { ...refused, body: { ...toObject(refused.body), violations } };
    },
  })),
  variation(
    'requests/repeats-refused',
    () => {
      const seen = new Set<string>();
      return {
        request(request, backend) {
          const order = toObject(request.body)['merchant_order_id'];
          const key = `${request.operation} ${request.headers['authorization'] === `Bearer ${backend.key}`} ${String(order)}`;
          if (!request.operation.startsWith('create') || typeof order !== 'string') return undefined;
          if (seen.has(key))
            return {
              status: 409,
              headers: { 'content-type': 'application/problem+json' },
              body: { title: 'Conflict', status: 409 },
            };
          seen.add(key);
          return undefined;
        },
      };
    },
    { differs: ['repeat', 'response', 'bad-input', 'bad-request'] },
  ),
];

export const requests: readonly Variation[] = [...errors, ...limits];
