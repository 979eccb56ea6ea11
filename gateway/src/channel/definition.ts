/** The operator's definition: the methods, and the channels that carry them. It comes from a file, so all of it is checked. */
import { currencies } from '../../../generated/currencies.ts';
import type { Method, Methods } from '../domain/methods.ts';
import type { Channel } from './channel.ts';

export interface GatewayDefinition {
  /** Defaults to `contractMethods`, whose channels are named `upi-standard`, `upi-trusted`, `imps-standard` and `imps-trusted`. */
  readonly methods?: Methods | undefined;
  /** Every channel that a method names. */
  readonly channels: readonly Channel[];
}

/** Returns the definition as it is, with its type. The default export of a config file. */
export function defineGateway(definition: GatewayDefinition): GatewayDefinition {
  return definition;
}

/** A definition that no gateway may start with. Each problem is a sentence without its period. */
export class UnusableDefinition extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

type Member = readonly [allowed: string, isAllowed: (value: unknown) => boolean, optional?: 'optional'];
type Shape<T> = Readonly<Record<keyof T, Member>>;

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isList = (value: unknown, isItem: (item: unknown) => boolean) => Array.isArray(value) && value.every(isItem);
const isIn = (names: readonly string[]) => (value: unknown) => names.includes(value as string);
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isName = (value: unknown) => typeof value === 'string' && /^[a-z0-9][a-z0-9-]{0,63}$/.test(value);

const optional = ([allowed, isAllowed]: Member): Member => [allowed, isAllowed, 'optional'];

const ITEMS: Member = ['an array of names', (value) => isList(value, isText)];
const COUNT: Member = ['an integer from 0 to 9007199254740991', isCount];
const SWITCH: Member = ['true or false', (value) => typeof value === 'boolean'];
const CALL: Member = ['a function', (value) => typeof value === 'function'];
const NAME: Member = ['1 to 64 lower-case letters, digits and hyphens', isName];
const OBJECT: Member = ['an object', (value) => typeof value === 'object' && value !== null];

const DEFINITION: Shape<GatewayDefinition> = {
  methods: ['an array of methods', Array.isArray, 'optional'],
  channels: ['an array of channels', Array.isArray],
};

const METHOD: Shape<Method> = {
  name: ['a string', isText],
  title: ['a string', isText],
  kind: ["'payment' or 'payout'", isIn(['payment', 'payout'])],
  currencies: [`an array of ${currencies.join(', ')}`, (value) => isList(value, isIn(currencies)) && isNotEmpty(value)],
  sandbox: SWITCH,
  flows: ["an array of 'h2h' and 'redirect'", (value) => isList(value, isIn(['h2h', 'redirect'])) && isNotEmpty(value)],
  requires: ITEMS,
  clarify: ITEMS,
  confirm: ITEMS,
  account: ['a regular expression', (value) => value instanceof RegExp, 'optional'],
  limits: OBJECT,
  validityMs: COUNT,
  settlementMs: COUNT,
  channels: OBJECT,
};

const LIMITS: Shape<Method['limits']> = { min: COUNT, max: COUNT, perDay: COUNT, perMonth: COUNT };
const NAMED: Shape<Method['channels']> = { standard: NAME, trusted: optional(NAME) };

const CHANNEL: Shape<Channel> = {
  name: NAME,
  sandbox: SWITCH,
  testData: optional(OBJECT),
  initiate: CALL,
  clarify: CALL,
  verify: CALL,
  cancel: CALL,
  payOut: CALL,
  receiver: optional(CALL),
  notification: optional(CALL),
  statement: optional(CALL),
};

function isNotEmpty(value: unknown): boolean {
  return (value as readonly unknown[]).length > 0;
}

/** Throws UnusableDefinition, whose problems name each member that is missing, unknown or wrong. */
export function requireDefinition(value: unknown): asserts value is GatewayDefinition {
  const problems = violations(value, DEFINITION, 'the definition', '');
  if (problems.length === 0) {
    const { methods = [], channels } = value as GatewayDefinition;
    problems.push(...methods.flatMap(methodViolations), ...channels.flatMap(channelViolations));
  }
  if (problems.length > 0) throw new UnusableDefinition(problems);
}

function methodViolations(method: Method, index: number): string[] {
  const path = `methods[${index}]`;
  const wrong = violations(method, METHOD, path);
  if (wrong.length > 0) return wrong;
  return [
    ...violations(method.limits, LIMITS, `${path}.limits`),
    ...violations(method.channels, NAMED, `${path}.channels`),
    ...(method.limits.min > method.limits.max ? [`${path}.limits.min is more than ${path}.limits.max`] : []),
  ];
}

/** A channel may have members of its own. */
function channelViolations(channel: Channel, index: number): string[] {
  return violations(channel, CHANNEL, `channels[${index}]`, undefined);
}

/** `prefix` is what the names of members begin with; undefined if others than those of the shape are allowed. */
function violations<T>(
  value: unknown,
  shape: Shape<T>,
  path: string,
  prefix: string | undefined = `${path}.`,
): string[] {
  if (!OBJECT[1](value)) return [`${path} must be an object`];
  const given = value as Readonly<Record<string, unknown>>;
  const known = Object.entries<Member>(shape);
  const names = known.map(([name]) => name);
  const unknown = prefix === undefined ? [] : Object.keys(given).filter((name) => !names.includes(name));
  return [
    ...unknown.map((name) => `${prefix}${name} is unknown; the members of ${path} are ${names.join(', ')}`),
    ...known.flatMap(([name, [allowed, isAllowed, optional]]) => {
      const member = given[name];
      if (member === undefined && optional) return [];
      const problem = member === undefined ? 'is missing; it must be' : 'must be';
      return isAllowed(member) ? [] : [`${prefix ?? `${path}.`}${name} ${problem} ${allowed}`];
    }),
  ];
}
