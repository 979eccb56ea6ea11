/** Validates request bodies. A rule returns a value's violations, each with its pointer. */
import { invalid } from './problem.js';

const rule = (message, accepts) => (value, pointer) => (accepts(value) ? [] : [{ in: 'body', pointer, message }]);

/** Applies rules in order, up to the first violation. */
const inOrder =
  (...rules) =>
  (value, pointer) => {
    for (const each of rules) {
      const violations = each(value, pointer);
      if (violations.length > 0) return violations;
    }
    return [];
  };

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
export const escapePointer = (name) => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Object whose fields follow `rules`. Without `other`, a rule for all other fields, these are refused. */
const object = (rules, { required = [], other = rule('is not a known field', () => false) } = {}) =>
  inOrder(rule('must be an object', isObject), (value, pointer) => [
    ...required
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => ({ in: 'body', pointer: `${pointer}/${name}`, message: 'is missing' })),
    ...Object.entries(value).flatMap(([name, field]) =>
      (Object.hasOwn(rules, name) ? rules[name] : other)(field, `${pointer}/${escapePointer(name)}`),
    ),
  ]);

/** Length in code points, as JSON Schema counts. */
const length = (text) => [...text].length;
const isString = rule('must be a string', (value) => typeof value === 'string');
const atMost = (limit) => rule(`must have at most ${limit} characters`, (text) => length(text) <= limit);

const text = inOrder(
  isString,
  rule('must not be empty', (value) => value !== ''),
  rule('must not contain U+0000', (value) => !value.includes('\0')),
  atMost(255),
);

const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;
const PHONE = /^\+[1-9]([ ().-]*[0-9]){6,14}$/;
/** RFC 3986 allows some ASCII characters only; `URL` alone would accept and convert the rest. */
const URI = /^https?:\/\/(?:[\w!#$&'()*+,\-./:;=?@[\]~]|%[\dA-Fa-f]{2})+$/;
/** `new URL` skips further slashes before the host. */
const HOST = /^https?:\/\/[^/?#]/;

const email = inOrder(
  isString,
  rule('must be an email address, such as asha.rao@example.com', (value) => EMAIL.test(value)),
  atMost(255),
);
const phone = inOrder(
  isString,
  rule('must be a phone number in international format, such as +91 98123 45671', (value) => PHONE.test(value)),
  atMost(32),
);
const url = inOrder(
  isString,
  rule(
    'must be a URL that begins with http:// or https:// and a host',
    (value) => URI.test(value) && HOST.test(value) && URL.canParse(value),
  ),
  atMost(2048),
);
const amount = rule(
  'must be an integer from 1 to 9007199254740991, without decimals',
  (value) => Number.isSafeInteger(value) && value >= 1,
);
const currency = rule('must be one of INR, EGP, MAD, DZD', (value) => ['INR', 'EGP', 'MAD', 'DZD'].includes(value));

const items = (known) =>
  inOrder(
    rule('must be an object', isObject),
    rule('must have 1 to 50 items', (value) => Object.keys(value).length >= 1 && Object.keys(value).length <= 50),
    object(known, { other: text }),
  );

const payer = { id: text, name: text, email, phone, kyc_level: text };
const recipient = { ...payer, account_number: text, bank_code: text, bank_name: text, bank_branch: text };
const transaction = { amount, currency, merchant_order_id: text, payment_method_type: text, callback_url: url };
const creation = (fields) =>
  object({ ...transaction, ...fields }, { required: [...Object.keys(transaction), 'customer'] });

const RULES = {
  createPayment: creation({ customer: object(payer, { required: ['id'] }), return_url: url }),
  createPayout: creation({ customer: object(recipient, { required: ['id'] }) }),
  clarifyPayment: object({ clarify_data: items({ name: text, phone, email }) }, { required: ['clarify_data'] }),
  confirmPayment: object({ confirm_data: items({}) }, { required: ['confirm_data'] }),
};

/** Throws a problem that lists all violations of the body. */
export function validateBody(operation, body) {
  const violations = RULES[operation](body, '');
  if (violations.length > 0) throw invalid(violations);
}
