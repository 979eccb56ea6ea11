/** Defects that only another form of a valid request brings out, or another repeat than the usual one. */
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import { type Incoming, type Outgoing, rewrite, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, defect, json } from './build.ts';

const CREATIONS = ['createPayment', 'createPayout'] as const;
const ASSUMED = { verdict: 'differs' } as const;

/** Refuses creations in which the test finds something. */
function refusing(form: string, title: string, status: number, found: (request: Incoming) => boolean): Defect[] {
  return CREATIONS.map((operation) =>
    asking(
      {
        id: `customers/form/${operation}-${form}`,
        title: `${operation} refuses ${title}`,
        foundBy: `form/${operation}/${form}`,
        ...ASSUMED,
      },
      operation,
      (request) =>
        found(request) ? json(status, { title: 'Bad request', status, request_id: 'req_trial' }) : undefined,
    ),
  );
}

const written = (pattern: RegExp) => (request: Incoming) => pattern.test(request.bytes.toString());
const readMethod = ({ body }: Incoming) => String(toObject(body)['payment_method_type']);

const refusals: readonly Defect[] = [
  ...refusing('amount-with-zeros', 'amounts with a fraction of zero', 400, written(/"amount":\d+\.0/)),
  ...refusing('amount-with-exponent', 'amounts with an exponent', 400, written(/"amount":\d+e/)),
  ...refusing('charset', 'a media type with a parameter', 415, ({ headers }) =>
    (headers['content-type'] ?? '').includes(';'),
  ),
  ...refusing('scheme', 'the scheme in lower case', 401, ({ headers }) =>
    (headers['authorization'] ?? '').startsWith('bearer'),
  ),
  ...refusing('contact', 'email addresses with a plus sign', 400, written(/"email":"[^"]*\+/)),
  ...refusing(
    'method-constructor',
    'methods named after members of every object',
    500,
    (request) => readMethod(request) in {},
  ),
];

/** A request in place of one whose order ID was used before. `first` is the body that used it. */
type Repeat = (request: Incoming, first: JsonObject) => Promise<void> | void;

function repeating(row: Parameters<typeof defect>[0], repeat: Repeat, response?: (outgoing: Outgoing) => void): Defect {
  return defect(row, () => {
    const used = new Map<string, JsonObject>();
    return {
      async request(request) {
        if (request.operation !== 'createPayment') return undefined;
        const body = toObject(request.body);
        const order = String(body['merchant_order_id']);
        const first = used.get(order);
        if (first) await repeat(request, first);
        else used.set(order, body);
        return undefined;
      },
      ...(response && { response: (outgoing) => response(outgoing) }),
    };
  });
}

const AGAIN = '-again';

/** Replaces a value in the body of a response. */
function show(outgoing: Outgoing, name: string, change: (value: string) => Json): void {
  const body = toObject(outgoing.body);
  if (typeof body[name] === 'string') body[name] = change(body[name]);
}

const repeats: readonly Defect[] = [
  repeating(
    {
      id: 'customers/repeat/other-callback',
      title: 'a repeated creation with another callback URL is taken for the same',
      foundBy: 'repeat/payment/other-callback',
      ...ASSUMED,
    },
    (request, first) => rewrite(request, { ...toObject(request.body), callback_url: first['callback_url'] ?? null }),
  ),
  repeating(
    {
      id: 'customers/repeat/forgotten',
      title: 'a repeated creation is another payment',
      foundBy: 'repeat/payment/after-failed',
      ...ASSUMED,
    },
    (request, first) => rewrite(request, { ...first, merchant_order_id: `${first['merchant_order_id']}${AGAIN}` }),
    (outgoing) => show(outgoing, 'merchant_order_id', (order) => order.replace(AGAIN, '')),
  ),
  defect(
    {
      id: 'customers/repeat/other-page',
      title: 'a repeated creation returns another payment page',
      foundBy: 'repeat/payment/redirect',
      ...ASSUMED,
    },
    () => {
      let pages = 0;
      return {
        response(outgoing, { operation }) {
          pages += 1;
          if (operation === 'createPayment') show(outgoing, 'redirect_url', (url) => `${url}?page=${pages}`);
        },
      };
    },
  ),
];

const keys: readonly Defect[] = [
  defect(
    {
      id: 'customers/key/beginning',
      title: 'an API key is known by its beginning',
      foundBy: 'access/getBalance/longer-key',
      ...ASSUMED,
    },
    () => ({
      request({ headers }, { key }) {
        if (headers['authorization']?.startsWith(`Bearer ${key}`)) headers['authorization'] = `Bearer ${key}`;
        return undefined;
      },
    }),
  ),
];

export const forms: readonly Defect[] = [...refusals, ...repeats, ...keys];
