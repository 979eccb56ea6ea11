/** What a validator found, in words for the caller: where it is, and what is allowed there. */

import type { Violation } from '../../generated/types.ts';
import type { ValidationError } from '../../generated/validators.js';
import { pointerOf } from './pointer.ts';

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
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minProperties: ({ limit }) => `must have at least ${limit} member${limit === 1 ? '' : 's'}`,
  maxProperties: ({ limit }) => `must have at most ${limit} members`,
  format: ({ format }) => FORMATS[String(format)] ?? `must be in the format ${format}`,
  pattern: ({ pattern }) => PATTERNS[String(pattern)] ?? `must match ${pattern}`,
};

const FORMATS: Record<string, string> = {
  uri: 'must be a complete URL',
  email: 'must be an e-mail address',
  int64: 'must be an integer, without decimals',
};

const PATTERNS: Record<string, string> = {
  '^https?://': 'must begin with http:// or https://',
  '^\\+[1-9][0-9]{6,14}$': 'must be a phone number in international format, with its leading +',
};

/** The violations of a validator's errors, one for each place and message. */
export function violations(errors: readonly ValidationError[], part: Violation['in']): Violation[] {
  const found = errors.flatMap(({ instancePath, keyword, params, message }): Violation[] => {
    const describe = MESSAGES[keyword];
    const member = params['missingProperty'] ?? params['additionalProperty'];
    const pointer = instancePath + (typeof member === 'string' ? pointerOf(member) : '');
    return [{ in: part, pointer, message: describe ? describe(params) : (message ?? 'is not valid') }];
  });
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
  return { string: 'a string', object: 'an object', array: 'an array', boolean: 'a boolean' }[type] ?? type;
}
