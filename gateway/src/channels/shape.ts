/** Validates objects that come from a config file or from a channel's code. */

export type Member = readonly [allowed: string, isAllowed: (value: unknown) => boolean, optional?: 'optional'];
export type Shape<T> = Readonly<Record<keyof T, Member>>;

/** Strings that are names in code, which a message may quote. Customer data have other characters. */
const QUOTABLE = /^[A-Za-z_]{1,40}$/;

export const OBJECT: Member = ['an object', (value) => typeof value === 'object' && value !== null];

export const optional = ([allowed, isAllowed]: Member): Member => [allowed, isAllowed, 'optional'];

export const isText = (value: unknown) => typeof value === 'string' && value !== '';

export const isListOf = (value: unknown, isItem: (item: unknown) => boolean) =>
  Array.isArray(value) && value.every(isItem);

export const isOneOf = (names: readonly string[]) => (value: unknown) => names.includes(value as string);

/**
 * Lists missing, unknown and wrong members, one line each. `prefix` precedes each member's name. Undefined allows
 * additional members.
 */
export function violations<T>(
  value: unknown,
  shape: Shape<T>,
  path: string,
  prefix: string | undefined = `${path}.`,
): string[] {
  if (!OBJECT[1](value)) return [`${path} must be an object, not ${describeValue(value)}`];
  const given = value as Readonly<Record<string, unknown>>;
  const known = Object.entries<Member>(shape);
  const names = known.map(([name]) => name);
  const unknown = prefix === undefined ? [] : Object.keys(given).filter((name) => !names.includes(name));
  return [
    ...unknown.map((name) => `${prefix}${name} is unknown; the members of ${path} are ${names.join(', ')}`),
    ...known.flatMap(([name, [allowed, isAllowed, isOptional]]) => {
      const member = given[name];
      if (member === undefined && isOptional) return [];
      if (isAllowed(member)) return [];
      const problem = member === undefined ? `is missing; it must be ${allowed}` : `must be ${allowed}`;
      const found = member === undefined ? '' : `, not ${describeValue(member)}`;
      return [`${prefix ?? `${path}.`}${name} ${problem}${found}`];
    }),
  ];
}

/** Describes a value briefly, without personal data. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return QUOTABLE.test(value) ? `'${value}'` : `a string of ${value.length} characters`;
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
