/** Status constants derived from the contract: rank and successors. */
import {
  type Bundle,
  componentName,
  type Operation,
  operations,
  type Schema,
  type StateMachine,
  webhooks,
} from '../../contract/src/model.ts';
import { takenBySender } from '../../contract/src/sender.ts';

/** The names of the payment method, which tell payments from payouts. */
export const METHOD_NAMES = ['payment_method', 'payment_method_type'] as const;

/** generated/statuses.ts without its banner. */
export function statusesArtifact(bundle: Bundle): string {
  const machines = bundle['x-state-machines'];
  const ranks = Object.fromEntries(
    Object.entries(machines).map(([kind, machine]) => [kind, rankStates(takenBySender(machine))]),
  );
  return [
    "import type { Payment, PaymentStatus, Payout, PayoutStatus } from './types.ts';",
    '',
    ...Object.entries(machines).flatMap(([kind, { states }]) => [
      `/** Every status of a ${kind}. */`,
      constant(`${kind}Statuses`, Object.keys(states), `readonly ${typeName(kind)}Status[]`),
    ]),
    '/** Progress of a status, by kind of transaction: every move of the transition tables leads to a higher rank. */',
    constant(
      'statusRanks',
      ranks,
      '{ payment: Record<Payment["status"], number>; payout: Record<Payout["status"], number> }',
    ),
    '/** Final statuses. */',
    constant('finalStatuses', finalStatuses(Object.values(machines)), 'readonly (Payment | Payout)["status"][]'),
    "/** Statuses that wait for a call of the merchant, with the operation's name. */",
    constant('awaitedCalls', awaitedCalls(bundle), 'Partial<Record<Payment["status"], string>>'),
    '/** Fields that only payments have, one of them at least: a transaction without them is a payout. */',
    constant('paymentFields', METHOD_NAMES, 'readonly string[]'),
    '/** Paths on which POST creates a transaction; the same request again is safe. */',
    constant('creationPaths', creationPaths(bundle), 'readonly string[]'),
  ].join('\n');
}

/** generated/moves.ts without its banner: for the gateway alone, since the rows that readers tolerate are not its own. */
export function movesArtifact(bundle: Bundle): string {
  const machines = Object.entries(bundle['x-state-machines']).map(([kind, machine]) => {
    const { states, transitions } = takenBySender(machine);
    const rows = transitions.flatMap(({ from, to, by }) => {
      if (from === null) return [];
      const flows = states[to]?.flows?.filter((flow) => states[from]?.flows?.includes(flow));
      return [{ from, to, by, ...(flows && { flows }) }];
    });
    return [kind, rows];
  });
  return [
    '/** Moves between statuses, with who makes them (an operation, the customer or the service) and the flows that have both. */',
    constant('moves', Object.fromEntries(machines), 'Record<string, readonly object[]>'),
    '/** Statuses that a webhook reports. */',
    constant('notifiedStatuses', notifiedStatuses(bundle), 'readonly string[]'),
  ].join('\n');
}

/** The length of the longest way from the creation to each status. Throws when a way leads back. */
export function rankStates({
  states,
  transitions,
}: Pick<StateMachine, 'states' | 'transitions'>): Record<string, number> {
  const rank = (status: string, after: readonly string[]): number => {
    if (after.includes(status)) throw new Error(`statuses have no order: a way leads from ${status} back to it`);
    const before = transitions.flatMap(({ from, to, tolerated }) =>
      to === status && from !== null && !tolerated ? [from] : [],
    );
    return Math.max(0, ...before.map((from) => rank(from, [...after, status]) + 1));
  };
  return Object.fromEntries(Object.keys(states).map((status) => [status, rank(status, [])]));
}

function finalStatuses(machines: StateMachine[]): string[] {
  const all = machines.flatMap(({ states }) => Object.entries(states));
  const finals = new Set(all.flatMap(([status, { final }]) => (final ? [status] : [])));
  const torn = all.find(([status, { final }]) => !final && finals.has(status));
  if (torn) throw new Error(`${torn[0]} is final for one kind of transaction and not for another`);
  return [...finals];
}

function awaitedCalls(bundle: Bundle): Record<string, string> {
  const calls = new Set(operations(bundle).map(({ id }) => id));
  const moves = Object.values(bundle['x-state-machines']).flatMap(({ transitions }) => transitions);
  return Object.fromEntries(moves.flatMap(({ from, by }) => (from !== null && calls.has(by) ? [[from, by]] : [])));
}

function notifiedStatuses(bundle: Bundle): string[] {
  return [...new Set(webhooks(bundle).map((webhook) => readStatus(bundle, webhook)))];
}

/** Webhook names by subject: a payment names its method, a payout does not (source 2.2 and 2.3). */
export function webhookKinds(bundle: Bundle): Record<'payment' | 'payout', string[]> {
  const kinds: Record<'payment' | 'payout', string[]> = { payment: [], payout: [] };
  for (const webhook of webhooks(bundle)) {
    const isPayment = readBodySchema(bundle, webhook)?.properties?.[METHOD_NAMES[0]] !== undefined;
    kinds[isPayment ? 'payment' : 'payout'].push(webhook.id);
  }
  return kinds;
}

export function readStatus(bundle: Bundle, webhook: Operation): string {
  return String(readBodySchema(bundle, webhook)?.properties?.['status']?.const);
}

function readBodySchema(bundle: Bundle, { request }: Operation): Schema | undefined {
  return bundle.components.schemas[componentName(request?.schema.$ref ?? '')];
}

function creationPaths(bundle: Bundle): string[] {
  const moves = Object.values(bundle['x-state-machines']).flatMap(({ transitions }) => transitions);
  const creations = new Set(moves.flatMap(({ from, by }) => (from === null ? [by] : [])));
  return operations(bundle).flatMap(({ id, path }) => (creations.has(id) ? [path] : []));
}

function constant(name: string, value: unknown, type: string): string {
  return `export const ${name} = ${JSON.stringify(value, null, 2)} as const satisfies ${type};\n`;
}

/** The name of the type of a kind of transaction: `Payment` for `payment`. */
export function typeName(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}
