/** The operator's definition: the methods and their channels. All of it is validated, since it comes from a file. */
import { currencies } from '../../../generated/currencies.ts';
import type { Method, Methods } from '../domain/methods.ts';
import type { Channel } from './channel.ts';
import { isListOf, isOneOf, isText, type Member, OBJECT, optional, type Shape, violations } from './shape.ts';

export interface GatewayDefinition {
  /** Defaults to `contractMethods`, whose channels are named `upi-standard`, `upi-trusted`, `imps-standard` and `imps-trusted`. */
  readonly methods?: Methods | undefined;
  /** Every channel named by a method. */
  readonly channels: readonly Channel[];
}

/** Returns the definition unchanged, with its type. The default export of a config file. */
export function defineGateway(definition: GatewayDefinition): GatewayDefinition {
  return definition;
}

/** A definition with which no gateway may start. Each problem is a sentence without its period. */
export class UnusableDefinition extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isName = (value: unknown) => typeof value === 'string' && /^[a-z0-9][a-z0-9-]{0,63}$/.test(value);
const isReason = (value: unknown) => typeof value === 'string' && /^[A-Z0-9_]{1,64}$/.test(value);

const ITEMS: Member = ['an array of names', (value) => isListOf(value, isText)];
const COUNT: Member = ['an integer from 0 to 9007199254740991', isCount];
const SWITCH: Member = ['true or false', (value) => typeof value === 'boolean'];
const CALL: Member = ['a function', (value) => typeof value === 'function'];
const REASONS: Member = [
  'an array of codes such as BANK_REJECTED, with 1 to 64 capitals, digits and underscores',
  (value) => isListOf(value, isReason),
];
const NAME: Member = ['1 to 64 lower-case letters, digits and hyphens', isName];

const DEFINITION: Shape<GatewayDefinition> = {
  methods: ['an array of methods', Array.isArray, 'optional'],
  channels: ['an array of channels', Array.isArray],
};

const METHOD: Shape<Method> = {
  name: ['a string', isText],
  title: ['a string', isText],
  kind: ["'payment' or 'payout'", isOneOf(['payment', 'payout'])],
  currencies: [
    `an array of ${currencies.join(', ')}`,
    (value) => isListOf(value, isOneOf(currencies)) && isNotEmpty(value),
  ],
  sandbox: SWITCH,
  flows: [
    "an array of 'h2h' and 'redirect'",
    (value) => isListOf(value, isOneOf(['h2h', 'redirect'])) && isNotEmpty(value),
  ],
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
  verifyPayout: CALL,
  declineReasons: optional(REASONS),
  receiver: optional(CALL),
  notification: optional(CALL),
  statement: optional(CALL),
};

function isNotEmpty(value: unknown): boolean {
  return (value as readonly unknown[]).length > 0;
}

/** Throws UnusableDefinition with each missing, unknown or wrong member. */
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

/** A channel may have additional members. */
function channelViolations(channel: Channel, index: number): string[] {
  return violations(channel, CHANNEL, `channels[${index}]`, undefined);
}
