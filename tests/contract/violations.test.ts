/** Messages about a refused request: words, without patterns or keywords of a schema. */
import { expect, it } from 'vitest';
import { type Bundle, operations, readBundle, resolve, type Schema } from '../../contract/src/model.ts';
import { violations } from '../../contract/src/violations.ts';
import { API_FILES, GATEWAY_APIS } from '../../gateway/src/http/gateway-apis.ts';
import * as sandbox from '../../generated/sandbox/validators.js';
import type { ValidationError, Validator } from '../../generated/validators.js';
import * as contract from '../../generated/validators.js';

const { advanceClock, createMerchant, sendSampleEvents } = sandbox.requestBodies;
const { createPayment } = contract.requestBodies;
const URL_TEXT = 'must begin with http:// or https:// and a host name, whose characters outside ASCII are written';

it.each<[Validator<unknown>, value: object, pointer: string, message: string]>([
  [advanceClock, { by: '2 hours' }, '/by', 'must be a number and a unit: ms, s, m, h or d, such as 30s or 2h'],
  [advanceClock, { by: '2h', to: '2026-12-31T23:59:59.000Z' }, '', 'must have either by or to, not both'],
  [advanceClock, {}, '', 'must have either by or to'],
  [createMerchant, { available: { EUR: 1 } }, '/available/EUR', 'has a name that must be one of INR, EGP, MAD, DZD'],
  [sendSampleEvents, { url: 'https://a.example', events: [] }, '/events', 'must not be empty'],
  [createPayment, { callback_url: 'ftp://example.com' }, '/callback_url', URL_TEXT],
  [createPayment, { customer: { phone: '12' } }, '/customer/phone', 'must be a phone number in international format'],
])('a violation has words: %o, %j', (validator, value, pointer, message) => {
  expect(validator(value)).toBe(false);
  const found = violations(validator.errors ?? [], 'body');
  expect(found).toContainEqual({ in: 'body', pointer, message: expect.stringContaining(message) });
});

/** Keywords that apply other schemas, or don't constrain the value. */
const NO_CHECK = /^(\$ref|title|description|examples?|default|properties|items|allOf|anyOf|deprecated|writeOnly|x-.*)$/;

interface Checked {
  readonly keyword: string;
  readonly node: Schema & Readonly<Record<string, unknown>>;
}

/** All checks of a document's requests. */
function checks(bundle: Bundle): Checked[] {
  const seen = new Set<unknown>();
  const found: Checked[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = resolve(bundle, value as Checked['node']);
    if (seen.has(node)) return;
    seen.add(node);
    for (const keyword of Object.keys(node)) if (!NO_CHECK.test(keyword)) found.push({ keyword, node });
    for (const part of Object.values(node.properties ?? {})) visit(part);
    for (const part of [
      node.items,
      node['additionalProperties'],
      node['propertyNames'],
      ...(node.anyOf ?? []),
      ...(node.allOf ?? []),
    ])
      visit(part);
  };
  for (const { parameters, request } of operations(bundle)) {
    for (const { schema } of parameters.filter((parameter) => parameter.in !== 'header')) visit(schema);
    visit(request?.schema);
  }
  return found;
}

/** In Ajv's format, with the schema's words. */
function createError({ keyword, node }: Checked): ValidationError {
  const words = (node['x-violations'] as Readonly<Record<string, string>> | undefined)?.[keyword];
  const value = node[keyword];
  const params = { limit: value, allowedValues: value, allowedValue: value, i: 1, j: 0, [keyword]: value };
  return { instancePath: '/at', schemaPath: '', keyword, params: words === undefined ? params : { words } };
}

const DOCUMENTS: [string, Bundle][] = [
  ['contract', readBundle()],
  ...GATEWAY_APIS.map((api) => [`${api} API`, readBundle(API_FILES[api])] satisfies [string, Bundle]),
];

it.each(DOCUMENTS)('each check of a request of the %s has its words', (_name, bundle) => {
  const all = checks(bundle);
  expect(all.length).toBeGreaterThan(20);
  const wordless = all
    .map((check) => ({ ...check, message: violations([createError(check)], 'body')[0]?.message ?? '' }))
    .filter(({ message }) => /must match|in the format|must NOT|is not valid|undefined/.test(message))
    .map(({ keyword, message }) => `${keyword}: ${message}`);
  expect(wordless).toEqual([]);
});
