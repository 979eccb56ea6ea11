/**
 * Converts validator errors to messages for the caller: the location and the allowed values. Schemas can provide their
 * own message under `x-violations`, for instance for a pattern.
 */

import type { Violation } from '../../generated/types.ts';
import type { ValidationError } from '../../generated/validators.js';
import { toPointer } from './pointer.ts';

/** The contract's limit on the list. */
export const VIOLATIONS_MAX = 100;

/** No database keeps it in a string, and no field has a use for it. */
export const NO_NUL = 'must not contain the character U+0000';

type Describe = (params: Record<string, unknown>) => string;

const MESSAGES: Record<string, Describe> = {
  required: () => 'is missing',
  additionalProperties: () => 'is not a known field',
  type: ({ type }) =>
    type === 'integer' ? 'must be an integer, without decimals' : `must be ${article(String(type))}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${count(limit, 'character')}`),
  maxLength: ({ limit }) => `must have at most ${count(limit, 'character')}`,
  minItems: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${count(limit, 'item')}`),
  maxItems: ({ limit }) => `must have at most ${count(limit, 'item')}`,
  uniqueItems: ({ i, j }) => `must not repeat an item: items ${i} and ${j} are equal`,
  minProperties: ({ limit }) => `must have at least ${count(limit, 'member')}`,
  maxProperties: ({ limit }) => `must have at most ${count(limit, 'member')}`,
  format: ({ format }) => FORMATS[String(format)] ?? `must be in the format ${format}`,
  pattern: ({ pattern }) => (pattern === WITHOUT_NUL ? NO_NUL : `must match ${pattern}`),
};

const FORMATS: Record<string, string> = {
  uri: 'must be a complete URL, with percent-encoding of characters outside ASCII',
  email: 'must be an e-mail address',
  int64: 'must be an integer, without decimals',
  'date-time': 'must be a time with a time zone, such as 2026-12-31T23:59:59.000Z',
};

/** The pattern of strings in which a character is not allowed. */
const WITHOUT_NUL = '^[^\\u0000]*$';

/** The violations of a validator's errors, one for each place and message. */
export function violations(errors: readonly ValidationError[], part: Violation['in']): Violation[] {
  const found: Violation[] = [];
  for (const { instancePath, keyword, params, message } of errors) {
    if (keyword === 'propertyNames') {
      // Ajv reports the property name first, as if it were the object.
      const said = found.pop()?.message ?? 'is not allowed';
      const pointer = instancePath + toPointer(String(params['propertyName']));
      found.push({ in: part, pointer, message: `has a name that ${said}` });
      continue;
    }
    const member = params['missingProperty'] ?? params['additionalProperty'];
    const pointer = instancePath + (typeof member === 'string' ? toPointer(member) : '');
    const words = params['words'] ?? MESSAGES[keyword]?.(params) ?? message ?? 'is not valid';
    found.push({ in: part, pointer, message: String(words) });
  }
  return [
    ...new Map(found.map((violation) => [`${violation.pointer} ${violation.message}`, violation])).values(),
  ].slice(0, VIOLATIONS_MAX);
}

/** The `detail` of a problem with these violations. */
export function correction(found: readonly unknown[]): string {
  const count = found.length === 1 ? 'the violation' : `the ${found.length} violations`;
  return `Correct ${count} and send the request again.`;
}

function article(type: string): string {
  return `${['array', 'object'].includes(type) ? 'an' : 'a'} ${type}`;
}

function count(limit: unknown, one: string): string {
  return `${limit} ${limit === 1 ? one : `${one}s`}`;
}
