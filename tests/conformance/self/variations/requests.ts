/** Choices about requests and errors that the source leaves open, decided differently. */
import { combine, rewrite, toObject } from '../alteration.ts';
import { readTarget } from '../defects/build.ts';
import { repeats } from '../defects/repeats.ts';
import type { Variation } from '../trial.ts';
import { ANY, alternate, variation } from './build.ts';

const STATUSES: Readonly<Record<number, number>> = { 400: 422, 401: 403, 409: 400 };

const errors: readonly Variation[] = [
  variation('errors/only-a-type', () => ({
    response(response) {
      const { violations } = toObject(response.body);
      if (response.status >= 400) response.body = { type: 'about:blank', ...(violations && { violations }) };
    },
  })),
  variation(
    'errors/other-statuses-and-bodies',
    () => {
      const nextForm = alternate([
        { type: 'application/json', text: '{"error":"failed"}' },
        { type: 'text/plain', text: 'Error' },
      ]);
      return {
        response(response) {
          if (response.status < 400) return;
          const { type, text } = nextForm();
          response.status = STATUSES[response.status] ?? response.status;
          response.headers['content-type'] = type;
          response.text = text;
        },
      };
    },
    { differs: ANY },
  ),
];

const limits: readonly Variation[] = [
  variation(
    'requests/more-accepted',
    () => ({
      request(request) {
        const { field_unknown_to_the_contract: unknown, ...rest } = toObject(request.body);
        if (unknown !== undefined) rewrite(request, rest);
        if (request.bytes.length > 0) request.headers['content-type'] = 'application/json';
        request.query = request.query.replace(/[?&]parameter_unknown_to_the_contract=x/, '');
      },
    }),
    { differs: ['bad-input', 'bad-request'] },
  ),
  variation('requests/tid-only', () => ({
    transaction(one) {
      if ('confirm' in one) one['confirm'] = ['tid'];
    },
    async request(request, backend) {
      const { tid, ...others } = toObject(toObject(request.body)['confirm_data']);
      if (request.operation !== 'confirmPayment' || typeof tid !== 'string') return;
      const { status, amount } = await readTarget(request, backend);
      if (status !== 'PAY_CONFIRMATION_NEEDED') return;
      const items = Object.keys(others).length > 0 ? others : { tid, amount: String(amount) };
      rewrite(request, { ...toObject(request.body), confirm_data: items });
    },
  })),
  variation('requests/references', () => ({
    async request(request, backend) {
      const { tid } = toObject(toObject(request.body)['confirm_data']);
      // The gateway lists the violations of other confirmations.
      if (request.operation !== 'confirmPayment' || typeof tid !== 'string' || /^[A-Za-z0-9]+$/.test(tid))
        return undefined;
      const { path, headers } = request;
      const known = JSON.stringify({ ...toObject(request.body), confirm_data: {} });
      const refused = await backend.send({ method: 'POST', path, headers, bytes: Buffer.from(known) });
      if (refused.status !== 400) return undefined;
      const violations = [{ in: 'body', pointer: '/confirm_data/tid', message: 'There is no such transfer.' }];
      return { ...refused, body: { ...toObject(refused.body), violations } };
    },
  })),
  variation(
    'requests/repeats-refused',
    () => combine(repeats.filter(({ id }) => id.endsWith('/refused')).map(({ alter }) => alter())),
    { differs: ['repeat', 'response', 'bad-input', 'bad-request'] },
  ),
];

export const requests: readonly Variation[] = [...errors, ...limits];
